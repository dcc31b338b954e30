import type { Pieces } from '../base/answer.ts'
import { endingWith, type Piece, type TextSource, textOfPiece } from '../base/pieces.ts'

/** An answer of at least this many characters is sent before the rest is produced. */
const ENOUGH = 1 << 16

export interface Begun {
  readonly json: string
  readonly rest: TextSource | undefined
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
  const parts: string[] = []
  let length = 0
  try {
    while (length < ENOUGH) {
      const step = await next()
      if (step.done === true) return { json: parts.join(''), rest: undefined }
      parts.push(textOfPiece(step.value))
      length += step.value.length
    }
  } catch (error) {
    // The production of a piece may still be in progress, so the result of `return` is not awaited.
    source.return(undefined).catch(() => {})
    throw error
  }
  const rest = { next, return: () => source.return(undefined) }
  return { json: parts.join(''), rest: endingWith(rest, () => {}) }
}

/** Passes on the rest of an answer. Aborts the run when the caller disconnects. */
export const whileWaitedFor = (rest: TextSource, caller: AbortSignal, run: AbortController): TextSource => {
  const onLeave = (): void => run.abort(caller.reason)
  caller.addEventListener('abort', onLeave)
  if (caller.aborted) onLeave()
  return endingWith(rest, () => caller.removeEventListener('abort', onLeave))
}
