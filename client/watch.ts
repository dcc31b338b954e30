import { TonClientError } from './errors.ts'
import { PASSING } from './failure-kinds.ts'
import type { Methods } from './methods.ts'
import { isItem } from './reply.ts'
import type { Subscription } from './subscribe.ts'
import type { Transport } from './transport/transport.ts'

type Rows<M extends keyof Methods, K extends keyof Methods[M]['result']> = Methods[M]['result'][K]
type Transaction = Rows<'v3.transactions', 'transactions'>[number]
type Action = Rows<'v3.actions', 'actions'>[number]
type JettonWallet = Rows<'v3.jetton.wallets', 'jetton_wallets'>[number]

/** `finalized`: the event is in a masterchain block. */
type Finality = NonNullable<Methods['subscribe']['params']['min_finality']>

interface EventBase<T extends string> {
  readonly type: T
  /** Position after the event, for `since`. Events that are not in a block have no cursor. */
  readonly cursor?: string
}
interface OfTrace<T extends string> extends EventBase<T> {
  readonly finality: Finality
  /** Normalized hash of the external message that started the trace; null if no external message did. */
  readonly trace_external_hash_norm: string | null
}

export type WatchEvent =
  | (OfTrace<'transactions'> & { readonly transactions: readonly Transaction[] })
  | (OfTrace<'actions'> & { readonly actions: readonly Action[] })
  | (OfTrace<'trace'> & {
      readonly trace: unknown
      readonly transactions: Readonly<Record<string, Transaction>>
      readonly actions?: readonly Action[]
    })
  | (EventBase<'trace_invalidated'> & { readonly trace_external_hash_norm: string })
  | (EventBase<'account_state_change'> & {
      readonly finality: Finality
      readonly account: string
      readonly state: {
        readonly hash: string
        readonly balance: string
        readonly account_status: string
        readonly code_hash: string | null
        readonly data_hash: string | null
        readonly frozen_hash: string | null
      }
    })
  | (EventBase<'jettons_change'> & { readonly finality: Finality; readonly jetton: JettonWallet })
  | (EventBase<'block'> & {
      readonly finality: Finality
      readonly workchain: number
      readonly shard: string
      readonly seqno: number
      readonly root_hash: string
      readonly gen_utime: number
      readonly tx_count: number
      readonly masterchain_seqno: number
    })
  /** The chain was reverted: everything above this masterchain block is removed. */
  | (EventBase<'reset'> & { readonly seqno: number })
  /** Events of these masterchain blocks were skipped. */
  | (EventBase<'gap'> & { readonly from_seqno: number; readonly to_seqno: number })

type Params = Methods['subscribe']['params']

/** The events to watch: the parameters of `subscribe`. Without `types`, the transactions of the accounts. */
export interface WatchFilter extends Partial<Omit<Params, 'since'>> {
  /** One address, used in place of `addresses`. */
  readonly account?: string | undefined
}

export interface WatchOptions {
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined
  /** Cursor of the last event that the caller has already received. Events since then come first. */
  readonly since?: string | undefined
  /** Called each time that the server accepts the subscription: at the start and after each lost socket. Events that happen after this call are received. */
  readonly onSubscribed?: (() => void) | undefined
  /** Called when the state changes. `reason` explains the state `retrying`; a new reason causes another call. */
  readonly onState?: ((state: WatchState, reason?: TonClientError) => void) | undefined
}

/** `connecting`: the server has not accepted the subscription yet. `retrying`: the socket was lost, or the server refuses temporarily. */
export type WatchState = 'connecting' | 'live' | 'retrying'

/** Milliseconds of the n-th pause after a temporary refusal without a Retry-After. */
const pauseOf = (refusals: number): number => Math.min(10_000, 200 * 2 ** refusals) * (0.5 + Math.random() / 2)

/** Maximum characters of unread events, each with EVENT more. Beyond it the subscription is closed until the caller has read them. */
const MAX_UNREAD = 64 << 20
const EVENT = 64 << 10

/**
 * Watches accounts, traces or blocks: `for await (const event of watch(client, { account }))`. Needs a transport with subscriptions (`webSocket`). After a
 * lost socket it reconnects, and yields each missed event once, before new events. After a temporary refusal (a limit, a service that is starting) it waits
 * and tries again. The iteration ends with `break`, the signal, or the client's `close`. It throws TonClientError if the server refuses permanently.
 */
export async function* watch(
  { transport }: { readonly transport: Transport },
  { account, ...filter }: WatchFilter,
  { signal, since, onSubscribed, onState }: WatchOptions = {},
): AsyncGenerator<WatchEvent, void, undefined> {
  if ('since' in filter) throw new TypeError('since is an option: pass it third')
  const { endpoint, subscribe } = transport
  if (!subscribe) {
    const message = 'watch needs a WebSocket: createClient({ transport: webSocket({ url }) })'
    throw new TonClientError('subscribe', { kind: 'NOT_SERVED', message, endpoint })
  }
  let cursor = since
  let waiting: WatchEvent[] = []
  let unread = 0
  let failure: Error | undefined
  let hasEnded = false
  let current: string | undefined
  let open: Subscription | undefined
  let refusals = 0
  let pause: ReturnType<typeof setTimeout> | undefined
  let wake = (): void => {}
  const params = {
    types: ['transactions'],
    ...filter,
    ...(account !== undefined && { addresses: [account] }),
    // A getter, because each new subscription must continue after the last received event.
    get since() {
      return cursor
    },
  }
  const stop = (): void => {
    clearTimeout(pause)
    open?.close()
    open = pause = undefined
  }
  const report = (state: WatchState, reason?: TonClientError): void => {
    const next = [state, reason?.kind, reason?.message].join()
    if (hasEnded || next === current) return
    current = next
    onState?.(state, reason)
  }
  const start = (): void => {
    pause = undefined
    open = subscribe<WatchEvent | EventBase<'subscribed'>>(
      'subscribe',
      params,
      {
        onData(event, chars) {
          // What a bad server sends may be anything.
          if (!isItem(event)) return
          refusals = 0
          cursor = event.cursor ?? cursor
          unread += chars + EVENT
          if (unread > MAX_UNREAD) stop()
          wake()
          if (event.type !== 'subscribed') return waiting.push(event as WatchEvent)
          report('live')
          onSubscribed?.()
        },
        onLost: (reason) => report('retrying', reason),
        onError(error) {
          // ABORTED means that the client was closed.
          if (error.kind === 'ABORTED') return end()
          if (!PASSING[error.kind]) {
            // The caller knows the option, not the parameter that stands for it.
            if (account) error.message = error.message.replace('addresses', 'account')
            failure = error
            return wake()
          }
          open = undefined
          // A server may ask for no pause, or for one of more than 31 bits, which timers end at once.
          pause = setTimeout(start, Math.min(2 ** 31 - 1, Math.max(100, error.retryAfterMs ?? pauseOf(refusals++))))
          report('retrying', error)
        },
      },
      'unsubscribe',
    )
  }
  const end = (): void => {
    hasEnded = true
    stop()
    wake()
  }
  if (signal?.aborted) return
  signal?.addEventListener('abort', end)
  try {
    report('connecting')
    for (;;) {
      if (failure) throw failure
      const events = waiting
      waiting = []
      unread = 0
      for (const event of events) {
        // The caller can abort while it handles an event.
        if (hasEnded) return
        yield event
      }
      if (hasEnded) return
      if (waiting.length > 0) continue
      if (!open && !pause) start()
      await new Promise<void>((resolve) => {
        wake = resolve
        if (hasEnded || failure || waiting.length > 0) resolve()
      })
    }
  } finally {
    signal?.removeEventListener('abort', end)
    end()
  }
}
