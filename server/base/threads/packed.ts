/* Byte arrays inside values that are sent to another thread. */

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null

/** Applies `bytes` to each byte array in a value. A part without a changed byte array is returned as it is, not copied. */
const mapBytes = (value: unknown, bytes: (value: Uint8Array) => Uint8Array): unknown => {
  if (value instanceof Uint8Array) return bytes(value)
  if (Array.isArray(value)) return value.map((each) => mapBytes(each, bytes))
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  const members = value as Readonly<Record<string, unknown>>
  let changed: Record<string, unknown> | undefined
  for (const name of Object.keys(members)) {
    const member = members[name]
    const mapped = typeof member === 'object' && member !== null ? mapBytes(member, bytes) : member
    if (mapped === member) continue
    changed ??= { ...members }
    changed[name] = mapped
  }
  return changed ?? value
}

/** Bytes that have their buffer to themselves. A view is copied, because a message carries the whole buffer behind it. */
export const ownBytes = (bytes: Uint8Array): Uint8Array => (bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes))

/** Prepares a value for a message. */
export const packed = <T>(value: T): T => mapBytes(value, ownBytes) as T

/** Turns the plain byte arrays of a message into Buffers, as the database driver gives and takes them. */
export const withBuffers = <T>(value: T): T => mapBytes(value, (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) as T
