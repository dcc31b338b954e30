import type { MethodName, Params, Result } from '../../shared/registry.ts'
import type { Call, Handlers } from './call.ts'
import type { Piece } from './pieces.ts'

/** HTTP headers of one answer, for the transports that have headers: X-Index-Seqno, X-Index-First, X-Next-Cursor. */
export type AnswerHeaders = Readonly<Record<string, string>>

/**
 * The JSON text of one value, in pieces. The producer yields to the event loop between two pieces. The reader stops when the caller has left. An error ends
 * the answer.
 */
export type Pieces = readonly string[] | AsyncIterable<Piece>

/**
 * What a handler returns: a value, or JSON text in pieces if the answer is large or is text already. `isTransient`: the requested object is not there yet, so the answer of
 * a method whose answers never change is not cached.
 */
export type Answer<T = unknown> =
  | { readonly body: T; readonly pieces?: undefined; readonly headers?: AnswerHeaders; readonly isTransient?: boolean }
  | { readonly body?: undefined; readonly pieces: Pieces; readonly headers?: AnswerHeaders; readonly isTransient?: undefined }

/** A handler as dispatch calls it, whatever its method. It answers at once if nothing has to be waited for. */
export type AnyHandler = (params: never, call: Call) => Promise<Answer> | Answer

/** Handlers that declare their answers. */
export type AnswerHandlers<M extends MethodName> = {
  readonly [K in M]: (params: Params<K>, call: Call) => Promise<Answer<Result<K>>> | Answer<Result<K>>
}

/** Turns handlers that return plain results into handlers as dispatch calls them. */
export const answering = (handlers: Partial<Handlers>): Readonly<Record<string, AnyHandler>> =>
  Object.fromEntries(
    Object.entries(handlers as Readonly<Record<string, (params: never, call: Call) => unknown>>).map(
      ([name, handler]): readonly [string, AnyHandler] => [
        name,
        (params, call) => {
          const body = handler(params, call)
          return body instanceof Promise ? body.then(bodyOf) : { body }
        },
      ],
    ),
  )

const bodyOf = (body: unknown): Answer => ({ body })
