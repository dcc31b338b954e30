import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import { readSnake } from '../../tlb/message/snake.ts'

/** A body as text or as cells. Null for a body that is too short for an op, and for an empty text. */
export type ShortBody = { readonly type: 'comment'; readonly comment: string } | { readonly type: 'payload'; readonly cell: Cell } | null

/** Bytes. No body is larger, so texts are never cut. */
const WHOLE = 1 << 22

export const shortBody = (body: Cell): ShortBody => {
  if (body.exotic || body.bits < 32) return null
  const s = body.slice()
  if (s.loadUint(32) !== 0) return { type: 'payload', cell: body }
  const text = attempt(() => readSnake(s, WHOLE))
  if (text === undefined) return { type: 'payload', cell: body }
  return text.bytes.length === 0 ? null : { type: 'comment', comment: Buffer.from(text.bytes).toString('utf8') }
}
