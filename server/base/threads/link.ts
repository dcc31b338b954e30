import { TonError } from '../../../shared/errors.ts'
import { untilAborted } from '../abort.ts'
import { type Failure, fromFailure, toFailure } from './failure.ts'

/* Requests of one thread and answers of another, over a channel of structured clones (bigint and bytes are allowed). */

export type Request =
  | { readonly type: 'ask'; readonly id: number; readonly kind: string; readonly value: unknown }
  | { readonly type: 'cancel'; readonly id: number }

export interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly error?: Failure
}

const MAX_WAITING = 10_000

interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** Sends requests by `post`. `receive` must get each reply. */
export const createRequests = (post: (request: Request) => void) => {
  const waiting = new Map<number, Waiting>()
  let count = 0
  let ended: Error | undefined
  return {
    /** Rejects with the other side's error, with the error of `close`, or with the signal's reason. */
    async ask<T>(kind: string, value?: unknown, signal?: AbortSignal): Promise<T> {
      if (ended !== undefined) throw ended
      signal?.throwIfAborted()
      if (waiting.size >= MAX_WAITING) throw new TonError('UNAVAILABLE', 'too many calls wait for an answer', { retryAfter: 1 })
      const id = count++
      const reply = new Promise<T>((resolve, reject) => waiting.set(id, { resolve, reject }))
      try {
        post({ type: 'ask', id, kind, value })
        return await (signal ? untilAborted(reply, signal, () => post({ type: 'cancel', id })) : reply)
      } finally {
        waiting.delete(id)
      }
    },
    receive({ id, value, error }: Reply): void {
      if (error === undefined) waiting.get(id)?.resolve(value as never)
      else waiting.get(id)?.reject(fromFailure(error))
    },
    /** Must be called when the other side is gone. Rejects all waiting requests, and further ones. */
    close(error: Error): void {
      ended = error
      for (const { reject } of waiting.values()) reject(error)
    },
  }
}

export type RequestHandlers = Readonly<Record<string, (value: never, signal: AbortSignal) => unknown>>

/** Returns a function that answers the other side's requests by kind. Faults become errors for callers. */
export const createAnswers = (handlers: RequestHandlers, post: (reply: Reply) => void) => {
  const running = new Map<number, AbortController>()
  return async (request: Request): Promise<void> => {
    const { id } = request
    if (request.type === 'cancel') return running.get(id)?.abort(new DOMException('the caller has gone', 'AbortError'))
    const controller = new AbortController()
    running.set(id, controller)
    try {
      post({ id, value: await handlers[request.kind]!(request.value as never, controller.signal) })
    } catch (thrown) {
      post({ id, error: toFailure(thrown) })
    }
    running.delete(id)
  }
}
