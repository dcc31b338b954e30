import { TonError } from '../../shared/errors.ts'
import type { Answer } from './answer.ts'
import { textOfPiece } from './pieces.ts'

/** JSON text of a value. Throws TypeError for values that JSON cannot express: bigint, undefined. */
export const jsonOf = (value: unknown): string => {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`an answer of type ${typeof value} cannot be written as JSON`)
  return text
}

/** Maximum characters of an answer that is joined. Longer ones are sent only in pieces. */
const MAX_JOINED = 96 << 20

/**
 * JSON text of an answer; joins its pieces. Rejects with TypeError like `jsonOf`, with TOO_LARGE for a text that is too long, or if its pieces cannot be
 * produced.
 */
export const jsonText = async ({ body, pieces }: Answer, signal: AbortSignal): Promise<string> => {
  if (pieces === undefined) return jsonOf(body)
  let text = ''
  for await (const piece of pieces) {
    signal.throwIfAborted()
    text += textOfPiece(piece)
    if (text.length > MAX_JOINED)
      throw new TonError('TOO_LARGE', `the answer has more than ${MAX_JOINED} characters: ask for fewer rows, or over HTTP`)
  }
  return text
}
