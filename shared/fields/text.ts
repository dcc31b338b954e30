import { type Field, field, readText } from './field.ts'

/** A text of at most `max` UTF-16 units. */
export const text = (what: string, max: number, example: string): Field<string, string> =>
  field({
    what,
    example,
    expected: `text of at most ${max} characters`,
    wire: { type: 'string', maxLength: max },
    read: readText((given) => given.length <= max),
  })

const DOMAIN_PART = /^[a-z0-9](?:[a-z0-9-]{0,124}[a-z0-9])?$/

/** One label of a domain name (TEP-81): at most 126 bytes. */
export const domainPart = (what: string): Field<string, string> =>
  field({
    what,
    example: 'alice',
    expected: 'one part of a name: letters a to z, digits, and hyphens between them, at most 126',
    wire: { type: 'string', pattern: DOMAIN_PART.source },
    read: readText((given) => DOMAIN_PART.test(given)),
  })
