const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null

const packedValue = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return ownBytes(value)
  if (Array.isArray(value)) return value.map(packedValue)
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  const members = value as Readonly<Record<string, unknown>>
  let changed: Record<string, unknown> | undefined
  for (const name of Object.keys(members)) {
    const member = members[name]
    const mapped = typeof member === 'object' && member !== null ? packedValue(member) : member
    if (mapped === member) continue
    changed ??= { ...members }
    changed[name] = mapped
  }
  return changed ?? value
}

/** Copies a view of a larger buffer, because a message would contain the whole buffer behind it. */
export const ownBytes = (bytes: Uint8Array): Uint8Array => (bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes))

/** Copies each byte array that is a view of a larger buffer (`ownBytes`). All other parts of the value stay as they are. */
export const packed = <T>(value: T): T => packedValue(value) as T
