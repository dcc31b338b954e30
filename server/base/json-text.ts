import type { Answer, Pieces } from './answer.ts'
import { PIECE, TURN } from './json/steps.ts'
import { textOfPiece } from './pieces.ts'
import { yieldToEventLoop } from './yield.ts'

/* Writes answers as JSON text without blocking the event loop for long. */

/** The parts of a value's JSON: the members of the outer `levels` levels one by one; each deeper value is one part. */
function* texts(value: unknown, levels: number): Generator<string> {
  if (typeof value !== 'object' || value === null || levels === 0) {
    yield JSON.stringify(value)
  } else if (Array.isArray(value)) {
    let before = '['
    for (const member of value) {
      yield before
      yield* texts(member ?? null, levels - 1)
      before = ','
    }
    yield before === '[' ? '[]' : ']'
  } else {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${before}${JSON.stringify(name)}:`
      yield* texts(member, levels - 1)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}

/** A text that is passed on in pieces, with turns of the event loop in between. */
const createPiece = () => {
  let text = ''
  let until = performance.now() + TURN
  let isLate = false
  return {
    /** Adds a part. Returns whether the piece is to be passed on. */
    add(part: string): boolean {
      text += part
      isLate = performance.now() > until
      return isLate || text.length >= PIECE
    },
    take(): string {
      const taken = text
      text = ''
      return taken
    },
    /** Lets other work run if it is time. Called after a piece was passed on. */
    async rest(): Promise<void> {
      if (!isLate) return
      await yieldToEventLoop()
      until = performance.now() + TURN
    },
  }
}

/** JSON of a large value in pieces; other work runs between two pieces. Throws TypeError for a bigint. */
export async function* jsonPieces(value: object, levels: number): AsyncGenerator<string> {
  const piece = createPiece()
  for (const text of texts(value, levels)) {
    if (!piece.add(text)) continue
    yield piece.take()
    await piece.rest()
  }
  yield piece.take()
}

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

/** JSON text of an answer. Throws as jsonOf does. */
export const jsonText = (answer: Answer, signal: AbortSignal): string | Promise<string> =>
  answer.pieces === undefined ? jsonOf(answer.body) : joined(answer.pieces, signal)
