import type { Pieces } from '../base/answer.ts'
import { endingWith, type Piece, type TextSource, textOfPiece } from '../base/pieces.ts'

/** An answer of at least this many characters is sent before the rest of it is made. */
const ENOUGH = 1 << 16

/** An answer's JSON: complete, or its beginning and the rest. */
export interface Begun {
  readonly json: string
  readonly rest: TextSource | undefined
}

async function* sourceOf(pieces: Pieces): AsyncGenerator<Piece> {
  yield* pieces
}

/**
 * Makes enough of an answer to start sending it. A failure until then is answered as an error. A short answer is made completely. `inTime` runs the
 * making of each piece.
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
    // The last piece may still be in progress. Nobody waits for it.
    source.return(undefined).catch(() => {})
    throw error
  }
  const rest = { next, return: () => source.return(undefined) }
  return { json: parts.join(''), rest: endingWith(rest, () => {}) }
}

/** The rest of an answer. The run is aborted when the caller leaves. */
export const whileWaitedFor = (rest: TextSource, caller: AbortSignal, run: AbortController): TextSource => {
  const onLeave = (): void => run.abort(caller.reason)
  caller.addEventListener('abort', onLeave)
  if (caller.aborted) onLeave()
  return endingWith(rest, () => caller.removeEventListener('abort', onLeave))
}
