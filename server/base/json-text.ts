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
 * Maximum characters of an answer that is complete in memory before it is sent. `single`: a single call over HTTP. `other`: all other calls, with the bound of
 * a batch. Longer answers can only be sent in pieces. `other` is also the maximum of one text, because V8 copies a joined text in one event-loop turn: 90
 * million characters, some of them beyond Latin-1, took 750 ms and 500 MB.
 */
export const MAX_JOINED = { single: 96 << 20, other: 16 << 20 }

export const tooLong = (most: number): TonError =>
  new TonError('TOO_LARGE', `the answer has more than ${most} characters: ask for fewer rows, or over HTTP`)

/**
 * JSON of an answer, in one text unless it is longer than MAX_JOINED.other; joins its pieces. Rejects with TypeError like `jsonOf`, with TOO_LARGE for an
 * answer that is too long, or if its pieces cannot be produced.
 */
export const jsonTexts = async ({ body, pieces }: Answer, signal: AbortSignal, most = MAX_JOINED.other): Promise<string[]> => {
  if (pieces === undefined) return [jsonOf(body)]
  const texts: string[] = []
  let length = 0
  for await (const piece of pieces) {
    signal.throwIfAborted()
    const text = textOfPiece(piece)
    length += text.length
    if (length > most) throw tooLong(most)
    const last = texts.at(-1)
    if (last === undefined || last.length + text.length > MAX_JOINED.other) texts.push(text)
    else texts[texts.length - 1] = last + text
  }
  return texts.length > 0 ? texts : ['']
}
