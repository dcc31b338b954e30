import type { Pieces } from '../base/answer.ts'
import type { Leaving } from '../base/call.ts'
import { endingWith, type TextSource } from '../base/pieces.ts'

/** Characters from which on an answer is sent before the rest of it is made. */
const ENOUGH = 1 << 16

/** An answer's JSON: whole, or its beginning and what comes after it. */
export interface Begun {
  readonly json: string
  readonly rest: TextSource | undefined
}

async function* textsOf(pieces: Pieces): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const piece of pieces) yield typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
}

/**
 * Makes enough of an answer to begin sending it: what fails until then is answered as an error, and a short answer is whole. `inTime` runs the making of each
 * piece.
 */
export const begin = async (pieces: Pieces, inTime: <T>(work: () => Promise<T>) => Promise<T>): Promise<Begun> => {
  const source = textsOf(pieces)
  const next = (): Promise<IteratorResult<string>> => inTime(() => source.next())
  const parts: string[] = []
  let length = 0
  try {
    while (length < ENOUGH) {
      const step = await next()
      if (step.done === true) return { json: parts.join(''), rest: undefined }
      parts.push(step.value)
      length += step.value.length
    }
  } catch (error) {
    // It may be that the last piece is still in the making: nobody waits for that.
    source.return(undefined).catch(() => {})
    throw error
  }
  const rest = { next, return: () => source.return(undefined) }
  return { json: parts.join(''), rest: endingWith(rest, () => {}) }
}

/** The rest of an answer, whose making is given up when its caller leaves. */
export const whileWaitedFor = (rest: TextSource, caller: Leaving, controller: AbortController): TextSource => {
  const leave = (): void => controller.abort(caller.reason)
  caller.addEventListener('abort', leave)
  if (caller.aborted) leave()
  return endingWith(rest, () => caller.removeEventListener('abort', leave))
}
