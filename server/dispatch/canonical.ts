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

/** Names of members as JSON. They are those of parameters, and so nearly always known ones. */
const quoted = new Map<string, string>()
const MOST_QUOTED = 1_000
const LONGEST_QUOTED = 64
const quotedName = (name: string): string => {
  const known = quoted.get(name)
  if (known !== undefined) return known
  const text = JSON.stringify(name)
  if (quoted.size < MOST_QUOTED && name.length <= LONGEST_QUOTED) quoted.set(name, text)
  return text
}

const canonicalObject = (value: object): string => {
  const names = Object.keys(value)
  if (names.length === 0) return '{}'
  const parts: string[] = []
  for (const name of names.sort()) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== undefined) parts.push(`${quotedName(name)}:${canonical(member)}`)
  }
  return `{${parts.join(',')}}`
}
