import { byteText } from './byte-text.ts'

/**
 * Canonical text of a value, for cache keys. Equal parameters have equal text, whatever the order of their members. Strings are quoted; numbers, bigints
 * (`n`) and bytes (`x`, hex) have distinct forms. An undefined member equals an absent one.
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

const PLAIN = /^[\w :+/=.,-]*$/

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

/**
 * Sorts names in place. Most lists are short and already sorted, because clients send parameters in the order of their definition, so the order is checked
 * first.
 */
const sorted = (names: string[]): string[] => {
  for (let i = 1; i < names.length; i++) if (names[i]! < names[i - 1]!) return names.sort()
  return names
}

/** Appends to one string. Joining a list of parts would copy the text again at each level of nesting. */
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
