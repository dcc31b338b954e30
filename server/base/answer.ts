import type { MethodName, Params, Result } from '../../shared/registry.ts'
import type { Call, Handlers } from './call.ts'
import type { Piece } from './pieces.ts'

/** HTTP headers of one answer (X-Index-Seqno, X-Index-First, X-Next-Cursor). Transports without headers ignore them. */
export type AnswerHeaders = Readonly<Record<string, string>>

/**
 * The JSON text of one value, in pieces. The producer yields to the event loop between two pieces. The consumer stops reading when the caller disconnects. If
 * the producer throws, the answer ends incomplete.
 */
export type Pieces = readonly string[] | AsyncIterable<Piece>

/**
 * Return value of a handler: a value, or JSON text in pieces if the answer is large or is already text. `isTransient`: true if the answer must not be
 * cached, although others of its method are: the requested object does not exist yet, or the answer is not of the present head of the index.
 */
export type Answer<T = unknown> =
  | { readonly body: T; readonly pieces?: undefined; readonly headers?: AnswerHeaders; readonly isTransient?: boolean }
  | { readonly body?: undefined; readonly pieces: Pieces; readonly headers?: AnswerHeaders; readonly isTransient?: boolean }

export type AnyHandler = (params: never, call: Call) => Promise<Answer> | Answer

export type AnswerHandlers<M extends MethodName> = {
  readonly [K in M]: (params: Params<K>, call: Call) => Promise<Answer<Result<K>>> | Answer<Result<K>>
}

const bodyOf = (body: unknown): Answer => ({ body })

/** Makes answers of the results of handlers. `answerOf`: how, if a result is not simply the body. */
export const answering = (
  handlers: Partial<Handlers>,
  answerOf: (result: unknown, call: Call) => Promise<Answer> | Answer = bodyOf,
): Readonly<Record<string, AnyHandler>> =>
  Object.fromEntries(
    Object.entries(handlers as Readonly<Record<string, (params: never, call: Call) => unknown>>).map(
      ([name, handler]): readonly [string, AnyHandler] => [
        name,
        (params, call) => {
          const result = handler(params, call)
          return result instanceof Promise ? result.then((value) => answerOf(value, call)) : answerOf(result, call)
        },
      ],
    ),
  )
