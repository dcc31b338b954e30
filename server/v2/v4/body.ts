import type { Cell } from '../../cell/cell.ts'
import { textBody } from '../message.ts'

/** A body as text or as cells. Null for a body that is too short for an op, and for an empty text. */
export type ShortBody = { readonly type: 'comment'; readonly comment: string } | { readonly type: 'payload'; readonly cell: Cell } | null

export const shortBody = (body: Cell): ShortBody => {
  if (body.exotic || body.bits < 32) return null
  const text = textBody(body)
  if (text === undefined || text.isEncrypted) return { type: 'payload', cell: body }
  return text.bytes.length === 0 ? null : { type: 'comment', comment: Buffer.from(text.bytes).toString('utf8') }
}
