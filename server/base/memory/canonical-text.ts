import { byteText } from './byte-text.ts'

/**
 * Canonical text of a value, for cache keys. Equal parameters have equal text, whatever the order of their members. Strings are quoted; numbers, bigints
 * (`n`) and bytes (`x`, hex) have distinct forms. An undefined member equals an absent one. Appends to one string, because joining a list of parts would copy
 * the text again at each level of nesting.
 */
export const canonical = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Uint8Array) return `x${byteText(value, 'hex')}`
  let text = ''
  if (Array.isArray(value)) {
    for (const each of value) text += `,${canonical(each)}`
    return `[${text}]`
  }
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== undefined) text += `,${JSON.stringify(name)}:${canonical(member)}`
  }
  return `{${text}}`
}
