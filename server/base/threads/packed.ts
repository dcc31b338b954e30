const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null

/** Applies `bytes` to each byte array in a value. Copies only the parts that change. */
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

/** Copies a view of a larger buffer, because a message would contain the whole buffer behind it. */
export const ownBytes = (bytes: Uint8Array): Uint8Array => (bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes))

export const packed = <T>(value: T): T => mapBytes(value, ownBytes) as T

/** Converts the byte arrays of a received message to Buffers, which the database driver uses. */
export const withBuffers = <T>(value: T): T => mapBytes(value, (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) as T
