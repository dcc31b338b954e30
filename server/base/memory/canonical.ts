import { byteText } from './byte-text.ts'

/**
 * The canonical text of a value: equal parameters give equal cache keys, whatever the order of their members. Strings are quoted. Numbers, bigints
 * (`n`) and bytes (`x`, hex) differ from each other. Absent and undefined members are the same.
 */
export const canonical = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'bigint':
      return `${value}n`
    case 'object':
      if (value === null) return 'null'
      if (value instanceof Uint8Array) return `x${byteText(value, 'hex')}`
      if (Array.isArray(value)) return canonicalList(value)
      return canonicalObject(value)
    default:
      return String(value)
  }
}

/** A text that is the same in JSON. */
const PLAIN = /^[\w :+/=.,-]*$/

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

/** Sorts names in place. Parameters are read in the order of their definition, so most lists are the same few again, and short. */
const sorted = (names: string[]): string[] => {
  for (let i = 1; i < names.length; i++) if (names[i]! < names[i - 1]!) return names.sort()
  return names
}

/** One text is appended to: a joined list would be copied again by each list around it. */
const canonicalList = (values: readonly unknown[]): string => {
  let text = '['
  for (let i = 0; i < values.length; i++) text += i === 0 ? canonical(values[i]) : `,${canonical(values[i])}`
  return `${text}]`
}

const canonicalObject = (value: object): string => {
  let text = ''
  for (const name of sorted(Object.keys(value))) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== undefined) text += `${text === '' ? '{' : ','}${quoted(name)}:${canonical(member)}`
  }
  return text === '' ? '{}' : `${text}}`
}
