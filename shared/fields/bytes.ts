import { EMPTY_CELL } from '../samples.ts'
import { decodeBase64 } from './base64.ts'
import { type Field, FieldError, field, quote } from './field.ts'

const OBJECT = "; a Cell is given by its toBoc().toString('base64')"

/**
 * Standard base64 with padding. Base64url is rejected; the empty text gives zero bytes. `empty`: error text if zero bytes are not accepted. `expected`: what
 * is accepted, where that is more than bytes.
 */
export const bytes = (what: string, texts: { readonly empty?: string; readonly expected?: string } = {}): Field<Uint8Array, string> => {
  const expected = texts.expected ?? (texts.empty ? 'bytes as standard padded base64, at least one' : 'bytes as standard padded base64')
  return field({
    what,
    example: EMPTY_CELL,
    expected,
    wire: { type: 'string', contentEncoding: 'base64' },
    ...(texts.empty && { missing: texts.empty }),
    read: (value) => {
      const decoded = typeof value === 'string' ? decodeBase64(value) : undefined
      if (decoded === undefined)
        throw new FieldError((name) => `invalid base64 encoded bytes: ${name} ${quote(value)}`, {
          expected: typeof value === 'object' && value !== null ? expected + OBJECT : expected,
        })
      if (texts.empty && decoded.length === 0) throw new FieldError(texts.empty, { stage: 'validate' })
      return decoded
    },
  })
}
