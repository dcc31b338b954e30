import { isUtf8 } from 'node:buffer'
import { attempt } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import { readSnake } from '../tlb/message/snake.ts'

/* Comments as answers show them: UTF-8 without NUL (PostgreSQL cannot store it). Bytes that are not UTF-8 become `\xNN`. */

/** Bytes of comments that may still be read. */
export interface TextBudget {
  bytes: number
}

/**
 * The comments of one trace have at most 1 MiB together. A single comment is never longer, because a message has at most 8192 cells. The first comment that
 * does not fit is null, and so are all after it.
 */
export const newTextBudget = (): TextBudget => ({ bytes: 1 << 20 })

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const [BACKSLASH, X] = Buffer.from('\\x')
const HEX = Buffer.from('0123456789abcdef')

/** Length of the well-formed UTF-8 character at a position (Unicode, table 3-7); 0 if there is none. */
const characterAt = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at]!
  const continues = (i: number, from = 0x80, to = 0xbf): boolean => bytes[at + i]! >= from && bytes[at + i]! <= to
  if (first < 0x80) return 1
  if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0
  if (first >= 0xe0 && first <= 0xef)
    return continues(1, first === 0xe0 ? 0xa0 : 0x80, first === 0xed ? 0x9f : 0xbf) && continues(2) ? 3 : 0
  if (first >= 0xf0 && first <= 0xf4)
    return continues(1, first === 0xf0 ? 0x90 : 0x80, first === 0xf4 ? 0x8f : 0xbf) && continues(2) && continues(3) ? 4 : 0
  return 0
}

/** Replaces each byte that is not UTF-8 by its escape. Not by a TextDecoder, because a comment may have 260,000 bad bytes, each of which would be an exception. */
const escaped = (bytes: Uint8Array): Buffer => {
  const out = Buffer.allocUnsafe(4 * bytes.length)
  let size = 0
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at)
    for (let end = at + length; at < end; at++) out[size++] = bytes[at]!
    if (length > 0) continue
    const bad = bytes[at++]!
    out[size++] = BACKSLASH!
    out[size++] = X!
    out[size++] = HEX[bad >> 4]!
    out[size++] = HEX[bad & 15]!
  }
  return out.subarray(0, size)
}

/** Decodes UTF-8. Each byte that is not UTF-8 is escaped. */
export const textOf = (bytes: Uint8Array): string => UTF8.decode(isUtf8(bytes) ? bytes : escaped(bytes)).replaceAll('\0', '')

/** encrypted_text_comment data:SnakeData = InternalMsgBody; */
export const ENCRYPTED_COMMENT = 0x2167da4b

/**
 * The bytes of a comment after its opcode (snake data). Undefined if the bits are not whole bytes, if the data continues in an exotic cell, or if the
 * comment does not fit into the budget.
 */
const commentBytes = (s: Slice, budget: TextBudget): Uint8Array | undefined => {
  if (s.remainingBits % 8 !== 0 || s.remainingRefs > 1) return undefined
  const read = attempt(() => readSnake(s, budget.bytes))
  if (read === undefined) return undefined
  // A comment that does not fit spends the budget, so that thousands of later ones are not read in vain.
  budget.bytes -= read.cut ? budget.bytes : read.bytes.length
  if (read.cut) return undefined
  return read.bytes
}

/** The text of a comment, in base64 if it is encrypted; null if it cannot be shown or is longer than the budget. `s` starts after the opcode. */
export const loadComment = (s: Slice, encrypted: boolean, budget: TextBudget): string | null => {
  const bytes = commentBytes(s, budget)
  if (bytes === undefined) return null
  return encrypted ? Buffer.from(bytes).toString('base64') : textOf(bytes)
}
