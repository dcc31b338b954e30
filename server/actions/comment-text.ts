import { attempt } from '../cell/error.ts'
import type { Slice } from '../cell/slice.ts'
import { readSnake } from '../tlb/message/snake.ts'

/* Comments as answers show them: UTF-8 without NUL (PostgreSQL cannot store it). Bytes that are not UTF-8 become `\xNN`. */

/** A message has at most 8192 cells, so no comment is longer than 1 MiB. */
const MAX_BYTES = 1 << 20

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const loose = new TextDecoder('utf-8', { ignoreBOM: true })

/** Range of the second byte of a UTF-8 character, by its first byte (Unicode, table 3-7). */
const secondOf = (lead: number): readonly [number, number] => {
  if (lead === 0xe0) return [0xa0, 0xbf]
  if (lead === 0xed) return [0x80, 0x9f]
  if (lead === 0xf0) return [0x90, 0xbf]
  if (lead === 0xf4) return [0x80, 0x8f]
  return [0x80, 0xbf]
}

/**
 * Length in bytes of the well-formed UTF-8 character at `at`; 0 if there is none. Not a TextDecoder, because a comment may have 260,000 bad bytes, each of
 * which would be an exception.
 */
const characterAt = (bytes: Uint8Array, at: number): number => {
  const lead = bytes[at]!
  const length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  if (length < 2) return length
  if (at + length > bytes.length) return 0
  const [least, most] = secondOf(lead)
  const second = bytes[at + 1]!
  if (second < least || second > most) return 0
  for (let i = 2; i < length; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return 0
  return length
}

const escaped = (bytes: Uint8Array): string => {
  const parts: string[] = []
  let good = 0
  for (let at = 0; at < bytes.length; ) {
    const length = characterAt(bytes, at)
    if (length > 0) {
      at += length
      continue
    }
    if (good < at) parts.push(loose.decode(bytes.subarray(good, at)))
    parts.push(`\\x${bytes[at]!.toString(16).padStart(2, '0')}`)
    good = ++at
  }
  parts.push(loose.decode(bytes.subarray(good)))
  return parts.join('')
}

/** Decodes UTF-8. Each byte that is not UTF-8 is escaped. */
export const textOf = (bytes: Uint8Array): string => {
  let text: string
  try {
    text = strict.decode(bytes)
  } catch {
    text = escaped(bytes)
  }
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

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
