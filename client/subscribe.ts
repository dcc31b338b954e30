import { textOf } from './calls.ts'
import { type Failure, TonClientError } from './errors.ts'
import type { Item } from './reply.ts'
import type { Line } from './transport/reconnecting-socket.ts'
import type { Outcome, Transport } from './transport/transport.ts'

export interface SubscriptionEvents<T> {
  /** `chars`: length of the message that had the data. */
  onData(data: T, chars: number): void
  /** Called when the socket was lost or could not be opened. The client reconnects and restores the subscription. */
  onLost?(reason: TonClientError): void
  /** Called when the subscription is restored after a lost socket. Events in between were missed. */
  onGap?(): void
  /** Called when the server refuses the subscription, or when the client is closed (ABORTED). No further callbacks follow. */
  onError?(error: TonClientError): void
}

export interface Subscription {
  close(): void
}

/**
 * Calls `method` on each new socket. The server responds with an id, and then sends notifications: `{params: {subscription: <id>, result: <data>}}`.
 * `unsubscribe`: the method that ends the subscription, called with `{subscription: <id>}`.
 */
export type Subscribe = <T>(method: string, params: unknown, events: SubscriptionEvents<T>, unsubscribe?: string) => Subscription

interface Deps {
  readonly keepAlive: number
  readonly send: Transport['send']
  readonly line: Line
  readonly seen: () => number
}

interface Entry {
  remote: unknown
  pending: boolean
  /** True if the subscription was active on a socket that was lost. */
  lost: boolean
  readonly method: string
  readonly ask: () => void
  readonly events: SubscriptionEvents<unknown>
}

export const createSubscriptions = ({ keepAlive, send, line, seen: heard }: Deps) => {
  const entries = new Set<Entry>()
  let ids = 0
  let timer: ReturnType<typeof setInterval> | undefined

  /** `write` is true so that the transport does not repeat the request on the next socket, because `restore` repeats it. */
  const call = (method: string, params: unknown, deliver: (outcome: Outcome) => void): void => {
    const id = --ids
    const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${textOf(params)}}`
    // A signal of its own: Node warns of a leak if many calls listen to one.
    send([{ id, method, text, bytes: text.length, write: true, done: false }], new AbortController().signal, (_, outcome) =>
      deliver(outcome),
    )
  }

  const remove = (entry: Entry): void => {
    entries.delete(entry)
    if (entries.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /** Drops a socket that stays silent after a probe. */
  const watch = (): void => {
    let before = heard()
    let pinged = false
    timer ??= setInterval(() => {
      const silent = heard() === before
      before = heard()
      if (silent && pinged) line.drop()
      else if (silent) call('getMasterchainInfo', {}, () => {})
      pinged = silent && !pinged
    }, keepAlive)
  }

  const subscribe: Subscribe = (method, params, events, unsubscribe) => {
    const ask = (): void => {
      entry.pending = true
      call(method, params, ({ failure, ...outcome }) => {
        entry.pending = false
        if (!entries.has(entry)) {
          // The subscription was closed before its response arrived, so the server must now end it.
          if (unsubscribe && 'result' in outcome) call(unsubscribe, { subscription: outcome.result }, () => {})
          return
        }
        if ('result' in outcome) {
          entry.remote = outcome.result
          if (entry.lost) queueMicrotask(() => events.onGap?.())
        } else if (failure?.kind === 'TIMEOUT') ask()
        // After a lost socket the client reconnects, and `restore` subscribes again. All other failures are final.
        else if (failure && failure.kind !== 'NETWORK') {
          remove(entry)
          queueMicrotask(() => events.onError?.(new TonClientError(method, failure)))
        }
      })
    }
    const entry: Entry = { remote: undefined, pending: false, lost: false, method, ask, events: events as SubscriptionEvents<unknown> }
    entries.add(entry)
    watch()
    ask()
    return {
      close() {
        if (!entries.has(entry)) return
        remove(entry)
        if (unsubscribe && entry.remote !== undefined) call(unsubscribe, { subscription: entry.remote }, () => {})
      },
    }
  }

  return {
    subscribe,
    any: () => entries.size > 0,
    notify(item: Item, chars: number): void {
      const params = Object(item['params']) as Item
      for (const entry of entries)
        if (entry.remote !== undefined && entry.remote === params['subscription'])
          // In a microtask, so that an exception in one listener does not affect the others.
          queueMicrotask(() => entries.has(entry) && entry.events.onData(params['result'], chars))
    },
    lost(failure: Failure): void {
      for (const entry of entries) {
        entry.lost ||= entry.remote !== undefined
        entry.remote = undefined
        queueMicrotask(() => entries.has(entry) && entry.events.onLost?.(new TonClientError(entry.method, failure)))
      }
    },
    restore(): void {
      for (const entry of entries) if (entry.remote === undefined && !entry.pending) entry.ask()
    },
    close(failure: Failure): void {
      for (const entry of entries) {
        remove(entry)
        queueMicrotask(() => entry.events.onError?.(new TonClientError(entry.method, failure)))
      }
    },
  }
}
