import type { Answer, Pieces } from './answer.ts'
import { textOfPiece } from './pieces.ts'

const joined = async (pieces: Pieces, signal: AbortSignal): Promise<string> => {
  const parts: string[] = []
  for await (const piece of pieces) {
    signal.throwIfAborted()
    parts.push(textOfPiece(piece))
  }
  return parts.join('')
}

/** JSON text of a value. Throws TypeError for values that JSON cannot express: bigint, undefined. */
export const jsonOf = (value: unknown): string => {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`an answer of type ${typeof value} cannot be written as JSON`)
  return text
}

/** JSON text of an answer; joins its pieces. Throws TypeError like `jsonOf`, or rejects if its pieces cannot be produced. */
export const jsonText = (answer: Answer, signal: AbortSignal): string | Promise<string> =>
  answer.pieces === undefined ? jsonOf(answer.body) : joined(answer.pieces, signal)
