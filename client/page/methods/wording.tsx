import { Fragment } from 'preact'
import type { Schema } from './document.ts'

/* The texts of the OpenRPC document, as the page shows them. */

/** Sentences that only repeat what the type beside the name says. */
const REPEATED = / ?\b(Text|In or out|Asc or desc|True or false( \([^)]*\))?)\.$/
/** How addresses are described to programs. */
const ADDRESS = /48 characters of base64 or base64url with a right CRC16, or <workchain, -128 to 127>:<64 hex digits>/g

/** A description without what its type already says. */
export const plainText = (description: string): string =>
  description
    .replace(REPEATED, '')
    .replaceAll(ADDRESS, 'a friendly or a raw address')
    .replaceAll('One or more: a friendly or a raw address', 'One or more addresses, friendly or raw')
    // The page has one kind of apostrophe.
    .replace(/(?<=\p{L})'(?=s\b)/gu, '’')
    .replace(/(^|\. )a friendly/, (_, before: string) => `${before}A friendly`)

/** A description; what stands between backticks as code. */
export const Prose = ({ of }: { readonly of: string }) => (
  <>
    {plainText(of)
      .split('`')
      .map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : <Fragment key={i}>{part}</Fragment>))}
  </>
)

/** The values that a parameter takes, if they are few: for a list to choose from. Undefined for any other. */
export const choicesOf = (schema: Schema, description: string): readonly string[] | undefined => {
  if (schema.enum) return schema.enum.map(String)
  if (schema.type === 'boolean' || (schema.oneOf ?? schema.anyOf)?.some(({ type }) => type === 'boolean')) return ['true', 'false']
  return /\bAsc or desc\.$/.test(description) ? ['asc', 'desc'] : undefined
}
