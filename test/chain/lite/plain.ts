/** A value with its bytes in hex: equal in value, whichever kind of array they are in. */
export const plain = (value: unknown): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString('hex')
    : Array.isArray(value)
      ? value.map(plain)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
        : value
