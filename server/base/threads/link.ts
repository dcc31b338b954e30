import { TonError } from '../../../shared/errors.ts'
import { type Failure, fromFailure, toAnsweredFailure } from './failure.ts'

/* Requests and answers between two threads, over a channel of structured clones (bigint and bytes are allowed). */

export interface Port {
  send(message: Message): boolean
}

export type Message =
  | { readonly type: 'ask'; readonly id: number; readonly kind: string; readonly value: unknown }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'refusal'; readonly id: number; readonly error: Failure }

export type RequestHandlers = Readonly<Record<string, (value: never, signal: AbortSignal) => unknown>>

export interface Link {
  /**
   * Sends a request and resolves with the answer. Rejects with the other side's error, with UNAVAILABLE when the other side has closed, or with the
   * signal's reason.
   */
  ask<T>(kind: string, value: unknown, signal?: AbortSignal): Promise<T>
  /** Handles an incoming message. Ignores messages that belong to another use of the channel. */
  receive(message: unknown): void
  /** Must be called when the other side is gone. Rejects all waiting requests. */
  close(): void
}

const MAX_WAITING = 10_000

const gone = (): TonError => new TonError('UNAVAILABLE', 'another part of the service has ended', { retryAfter: 1 })

interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && ['ask', 'cancel', 'answer', 'refusal'].includes((value as Message).type)

/** `requestHandlers` answer the other side's requests by kind. Their faults become errors for callers. */
export const createLink = (port: Port, requestHandlers: RequestHandlers): Link => {
  const waiting = new Map<number, Waiting>()
  const answering = new Map<number, AbortController>()
  let count = 0
  let closed = false

  const answer = async ({ id, kind, value }: Message & { type: 'ask' }): Promise<void> => {
    const controller = new AbortController()
    answering.set(id, controller)
    try {
      const work = requestHandlers[kind]
      if (work === undefined) throw new Error(`nobody answers ${kind}`)
      const result = await work(value as never, controller.signal)
      port.send({ type: 'answer', id, value: result })
    } catch (thrown) {
      port.send({ type: 'refusal', id, error: toAnsweredFailure(thrown) })
    }
    answering.delete(id)
  }

  const take = (id: number): Waiting | undefined => {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }

  return {
    ask: <T>(kind: string, value: unknown, signal?: AbortSignal) =>
      new Promise<T>((resolve, reject) => {
        if (closed) return reject(gone())
        if (signal?.aborted) return reject(signal.reason)
        if (waiting.size >= MAX_WAITING) return reject(new TonError('UNAVAILABLE', 'too many calls wait for an answer', { retryAfter: 1 }))
        const id = count++
        const cancel = (): void => {
          if (take(id) === undefined) return
          port.send({ type: 'cancel', id })
          reject(signal?.reason)
        }
        const settled = (): void => signal?.removeEventListener('abort', cancel)
        waiting.set(id, {
          resolve: (value) => {
            settled()
            resolve(value)
          },
          reject: (error) => {
            settled()
            reject(error)
          },
        })
        signal?.addEventListener('abort', cancel, { once: true })
        if (!port.send({ type: 'ask', id, kind, value })) take(id)?.reject(gone())
      }),
    receive(message) {
      if (!isMessage(message)) return
      if (message.type === 'ask') {
        // A request may arrive after this side has been closed.
        if (!closed) void answer(message)
      } else if (message.type === 'cancel') answering.get(message.id)?.abort(new DOMException('the caller has gone', 'AbortError'))
      else if (message.type === 'answer') take(message.id)?.resolve(message.value as never)
      else take(message.id)?.reject(fromFailure(message.error))
    },
    close() {
      closed = true
      for (const { reject } of waiting.values()) reject(gone())
      waiting.clear()
      for (const controller of answering.values()) controller.abort(gone())
    },
  }
}
