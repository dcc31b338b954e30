import { TonError } from '../../shared/errors.ts'
import type { Answer } from './answer.ts'
import { textOfPiece } from './pieces.ts'

/** JSON text of a value. Throws TypeError for values that JSON cannot express: bigint, undefined. */
export const jsonOf = (value: unknown): string => {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`an answer of type ${typeof value} cannot be written as JSON`)
  return text
}

/**
 * Maximum characters of an answer whose pieces are joined into one text. `single`: a single call over HTTP. `other`: all other calls, with the bound of a
 * batch. Longer answers can only be sent in pieces. The joined text is copied in one event-loop turn: 90 million characters, some of them beyond Latin-1,
 * took 750 ms and 500 MB.
 */
export const MAX_JOINED = { single: 96 << 20, other: 16 << 20 }

export const tooLong = (most: number): TonError =>
  new TonError('TOO_LARGE', `the answer has more than ${most} characters: ask for fewer rows, or over HTTP`)

/**
 * JSON text of an answer; joins its pieces. Rejects with TypeError like `jsonOf`, with TOO_LARGE for a text that is too long, or if its pieces cannot be
 * produced.
 */
export const jsonText = async ({ body, pieces }: Answer, signal: AbortSignal, most = MAX_JOINED.other): Promise<string> => {
  if (pieces === undefined) return jsonOf(body)
  let text = ''
  for await (const piece of pieces) {
    signal.throwIfAborted()
    text += textOfPiece(piece)
    if (text.length > most) throw tooLong(most)
  }
  return text
}
