import { setImmediate } from 'node:timers/promises'
import type { Answer, Pieces } from './answer.ts'

/* Writes answers as JSON text without blocking the event loop for long. */

/** Milliseconds that one text may block the event loop at a time. */
const TURN = 8
/** A piece is passed on once it has this many characters. */
const PIECE = 1 << 16

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

/** JSON of a large value in pieces; other work runs between two pieces. Throws TypeError for a bigint. */
export async function* jsonPieces(value: object, levels: number): AsyncGenerator<string> {
  let piece = ''
  let until = performance.now() + TURN
  for (const text of texts(value, levels)) {
    piece += text
    const isLate = performance.now() > until
    if (piece.length < PIECE && !isLate) continue
    yield piece
    piece = ''
    if (!isLate) continue
    await setImmediate()
    until = performance.now() + TURN
  }
  yield piece
}

const joined = async (pieces: Pieces, signal: AbortSignal): Promise<string> => {
  const parts: string[] = []
  const decoder = new TextDecoder()
  for await (const piece of pieces) {
    signal.throwIfAborted()
    parts.push(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }))
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
