import { TonError } from '../../../shared/errors.ts'
import type { EventSocket } from '../../base/call.ts'
import type { PatientLimit } from '../../base/limits/concurrency-limit.ts'
import type { Writer } from '../../base/writer/writer.ts'
import { limitsOf, type StreamClient, tooMany } from '../stream/limits.ts'

export interface SocketEvents {
  /** The subscription API for one call on this socket. `onAnswered` registers a function that runs after the call's answer is written. */
  of(onAnswered: EventSocket['onAnswered']): EventSocket
  isEmpty(): boolean
  stop(reason: string): void
  close(): void
}

/** Maximum bytes of a close reason (RFC 6455, 5.5). */
const REASON = 123

export interface SocketEventsDeps {
  readonly writer: Writer
  readonly slots: PatientLimit
  readonly peer: StreamClient
  readonly end: (reason: string) => void
}

export const createSocketEvents = ({ writer, slots, peer, end }: SocketEventsDeps): SocketEvents => {
  const subscriptions: EventSocket['subscriptions'] = new Map()
  let ids = 0
  let isOpen = true
  let entered: Promise<() => void> | undefined
  const close = (): void => {
    for (const subscription of subscriptions.values()) subscription.close()
    subscriptions.clear()
    isOpen = false
    entered?.then(
      (release) => release(),
      () => {},
    )
  }
  const stop = (reason: string): void => {
    close()
    end(reason.slice(0, REASON))
  }
  const enter = async (): Promise<() => void> => {
    const { client, sockets } = limitsOf(peer)
    const taken = await slots.acquire(client, sockets)
    if (typeof taken === 'function') return taken
    throw new TonError('RATE_LIMITED', tooMany(taken), { retryAfter: 5 })
  }
  return {
    of: (onAnswered) => ({
      writer,
      subscriptions,
      get limits() {
        return limitsOf(peer)
      },
      async enter() {
        if (!isOpen) throw new TonError('UNAVAILABLE', 'the socket is closed')
        entered ??= enter().catch((error: unknown) => {
          // The next call of `enter` tries to acquire a slot again.
          entered = undefined
          throw error
        })
        await entered
      },
      nextId: () => String(++ids),
      onAnswered,
      fail: (error) => stop(error instanceof TonError ? error.message : 'events cannot be read'),
    }),
    isEmpty: () => subscriptions.size === 0,
    stop,
    close,
  }
}
