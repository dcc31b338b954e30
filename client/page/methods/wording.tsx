import { Fragment } from 'preact'
import type { Schema } from './document.ts'

/** Sentences that repeat the type, which is shown next to the name. */
const REPEATED = / ?\b(Text|In or out|Asc or desc|True or false( \([^)]*\))?)\.$/
/** The description of addresses in the document, which is written for programs. */
const ADDRESS = /48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>/g

export const plainText = (description: string): string =>
  description
    .replace(REPEATED, '')
    .replaceAll(ADDRESS, 'a friendly or a raw address')
    .replaceAll('One or more: a friendly or a raw address', 'One or more addresses, friendly or raw')
    // The page uses one kind of apostrophe.
    .replace(/(?<=\p{L})'(?=s\b)/gu, '’')
    .replace(/(^|\. )a friendly/, (_, before: string) => `${before}A friendly`)

export const Prose = ({ of }: { readonly of: string }) => (
  <>
    {plainText(of)
      .split('`')
      .map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : <Fragment key={i}>{part}</Fragment>))}
  </>
)

/** The values that a parameter accepts, for a list to choose from. Undefined if there is no fixed set of values. */
export const choicesOf = (schema: Schema, description: string): readonly string[] | undefined => {
  if (schema.enum) return schema.enum.map(String)
  if (schema.type === 'boolean' || (schema.oneOf ?? schema.anyOf)?.some(({ type }) => type === 'boolean')) return ['true', 'false']
  return /\bAsc or desc\.$/.test(description) ? ['asc', 'desc'] : undefined
}
