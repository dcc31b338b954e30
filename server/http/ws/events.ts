import { TonError } from '../../../shared/errors.ts'
import type { EventSocket } from '../../base/call.ts'
import type { PatientLimit } from '../../base/limits/concurrency-limit.ts'
import type { Writer } from '../../base/writer/writer.ts'
import { limitsOf, type StreamClient, tooMany } from '../stream/limits.ts'

/** Events on one WebSocket. */
export interface SocketEvents {
  /** The subscription API for calls on this socket. `onAnswered` registers a function that runs after the call's answer is written. */
  of(onAnswered: EventSocket['onAnswered']): EventSocket
  /** Returns whether there are no subscriptions. */
  isEmpty(): boolean
  /** Ends the subscriptions and closes the socket with a reason. */
  stop(reason: string): void
  close(): void
}

/** Maximum number of bytes of a WebSocket's close reason. */
const REASON = 123

export interface SocketEventsDeps {
  readonly writer: Writer
  readonly slots: PatientLimit
  readonly peer: StreamClient
  /** Closes the socket with a reason. The client may reconnect at once. */
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
  /** Acquires a connection slot, once for the socket. */
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
          // Lets the next call try again.
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
