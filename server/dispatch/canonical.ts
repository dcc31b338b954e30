/**
 * The canonical text of a value: equal parameters give equal cache keys, whatever the order of their members. Strings are quoted. Numbers, bigints
 * (`n`) and bytes (`x`, hex) differ from each other. Absent and undefined members are the same.
 */
export const canonical = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'bigint':
      return `${value}n`
    case 'object':
      if (value === null) return 'null'
      if (value instanceof Uint8Array) return `x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
      if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
      return canonicalObject(value)
    default:
      return String(value)
  }
}

const canonicalObject = (value: object): string => {
  const names = Object.keys(value)
  if (names.length === 0) return '{}'
  const parts: string[] = []
  for (const name of names.sort()) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== undefined) parts.push(`${JSON.stringify(name)}:${canonical(member)}`)
  }
  return `{${parts.join(',')}}`
}
