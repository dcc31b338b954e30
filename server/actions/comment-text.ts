import { isUtf8 } from 'node:buffer'
import { attempt } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import { readSnake } from '../tlb/message/snake.ts'

/* Comments as answers show them: UTF-8 without NUL (PostgreSQL cannot store it). Bytes that are not UTF-8 become `\xNN`. */

/** A message has at most 8192 cells, so no comment is longer than 1 MiB. */
const MAX_BYTES = 1 << 20

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Well-formed UTF-8 characters, by their first bytes (Unicode, table 3-7), or any other byte; in one-byte characters. */
const CHARACTERS = new RegExp(
  [
    '([\\0-\\x7f]+',
    '[\\xc2-\\xdf][\\x80-\\xbf]',
    '\\xe0[\\xa0-\\xbf][\\x80-\\xbf]',
    '[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}',
    '\\xed[\\x80-\\x9f][\\x80-\\xbf]',
    '\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}',
    '[\\xf1-\\xf3][\\x80-\\xbf]{3}',
    '\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2})',
    '([\\x80-\\xff])',
  ].join('|'),
  'g',
)

/** Replaces each byte that is not UTF-8 by its escape. Not by a TextDecoder, because a comment may have 260,000 bad bytes, each of which would be an exception. */
const escaped = (bytes: Uint8Array): Buffer =>
  Buffer.from(
    Buffer.from(bytes)
      .toString('latin1')
      .replace(CHARACTERS, (all, _, bad: string | undefined) => (bad === undefined ? all : `\\x${bad.charCodeAt(0).toString(16)}`)),
    'latin1',
  )

/** Decodes UTF-8. Each byte that is not UTF-8 is escaped. */
export const textOf = (bytes: Uint8Array): string => UTF8.decode(isUtf8(bytes) ? bytes : escaped(bytes)).replaceAll('\0', '')

/** encrypted_text_comment data:SnakeData = InternalMsgBody; */
export const ENCRYPTED_COMMENT = 0x2167da4b

/** The bytes of a comment after its opcode (snake data); undefined if the bits are not whole bytes or the data continues in an exotic cell. */
const commentBytes = (s: Slice): Uint8Array | undefined => {
  if (s.remainingBits % 8 !== 0 || s.remainingRefs > 1) return undefined
  return attempt(() => readSnake(s, MAX_BYTES)?.bytes)
}

/** The text of a comment, in base64 if it is encrypted; null if it cannot be shown. `s` starts after the opcode. */
export const loadComment = (s: Slice, encrypted: boolean): string | null => {
  const bytes = commentBytes(s)
  if (bytes === undefined) return null
  return encrypted ? Buffer.from(bytes).toString('base64') : textOf(bytes)
}
