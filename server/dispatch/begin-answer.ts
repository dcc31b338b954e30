import type { Pieces } from '../base/answer.ts'
import { type Piece, textOfPiece } from '../base/pieces.ts'

/** An answer of at least this many characters is sent before the rest is produced. */
const ENOUGH = 1 << 16

export interface Begun {
  readonly json: string
  readonly rest?: AsyncIterator<Piece>
}

async function* sourceOf(pieces: Pieces): AsyncGenerator<Piece> {
  yield* pieces
}

/**
 * Produces enough of an answer to start sending it; a short answer is produced completely. An error before that becomes an error response. `inTime` runs
 * the production of each piece under the call's deadline.
 */
export const begin = async (pieces: Pieces, inTime: <T>(work: () => Promise<T>) => Promise<T>): Promise<Begun> => {
  const source = sourceOf(pieces)
  const next = (): Promise<IteratorResult<Piece>> => inTime(() => source.next())
  let json = ''
  try {
    while (json.length < ENOUGH) {
      const step = await next()
      if (step.done === true) return { json }
      json += textOfPiece(step.value)
    }
  } catch (error) {
    // The production of a piece may still be in progress, so the result of `return` is not awaited.
    source.return(undefined).catch(() => {})
    throw error
  }
  return { json, rest: { next, return: () => source.return(undefined) } }
}
