import { type EventWord, FINALITY_WORDS } from '../../shared/live/subscriptions.ts'
import type { EmulatedAccounts } from '../book/emulated-accounts.ts'
import type { Cursor } from './cursor.ts'

/* Events inside the process, before a listener's filter is applied. Bodies have the wire shapes of v3. */

/** The types that a listener can ask for. */
export type EventType = EventWord

/** The order of finality: an event is never followed by one of the same trace with a lower finality. */
export const FINALITIES = FINALITY_WORDS
export type Finality = (typeof FINALITIES)[number]

/** One transaction of an event: its wire shape, its account, and every account that it names (raw addresses). */
export interface EventTransaction {
  readonly account: string
  readonly lt: string
  readonly hash: string
  readonly named: readonly string[]
  readonly wire: object
}

/** One action of an event. `type`: as the classifier names it; `ancestors`: types of the actions above it. */
export interface EventAction {
  readonly type: string
  readonly shownType: string
  readonly ancestors: readonly string[]
  /** Accounts under which it is listed. */
  readonly accounts: readonly string[]
  readonly named: readonly string[]
  readonly wire: object
}

/** The content of an event. Accounts are raw addresses in upper case, hashes are standard base64. */
export type EventBody =
  | { readonly type: 'block'; readonly wire: object }
  | { readonly type: 'account_state_change'; readonly account: string; readonly wire: object }
  | { readonly type: 'jettons_change'; readonly wallet: string; readonly owner: string; readonly jetton: string; readonly wire: object }
  | {
      readonly type: 'transactions'
      /** `block`: the trace's transactions in this block. `trace`: all transactions of a complete trace. `both`: for listeners of either. */
      readonly scope: 'block' | 'trace' | 'both'
      readonly transactions: readonly EventTransaction[]
    }
  | { readonly type: 'actions'; readonly actions: readonly EventAction[] }
  | {
      readonly type: 'trace'
      readonly accounts: ReadonlySet<string>
      /** Members besides the actions. */
      readonly wire: object
      readonly named: readonly string[]
      readonly actions: readonly EventAction[]
    }
  | { readonly type: 'trace_invalidated' }

export interface LiveEvent {
  readonly body: EventBody
  readonly finality: Finality
  /** Normalized hash of the external message that began the trace; undefined where there is no trace or no message. */
  readonly traceHash: string | undefined
  /** Other hashes by which a listener may subscribe to the trace: of the message as it was sent, and the trace id. */
  readonly otherHashes: readonly string[]
  /** Accounts that are in other states than the index has, for the address book and the metadata; only of a pending trace. */
  readonly emulated?: EmulatedAccounts
  /** Place within its block; events of a block are in the order of their places. Empty for an event that is in no block. */
  readonly place: string
}

/** Rows of the address book and of the metadata by raw address, for the accounts that events name. */
export interface BookAndTokens {
  readonly book: Readonly<Record<string, object>>
  readonly tokens: Readonly<Record<string, object>>
}

export const NO_BOOK_OR_TOKENS: BookAndTokens = { book: {}, tokens: {} }

/** The events of one masterchain block. */
export interface BlockEvents extends BookAndTokens {
  /** The place after the block's last event. */
  readonly end: Cursor
  readonly events: readonly LiveEvent[]
}

/** What one read of the index has to find: what all listeners subscribe to. */
export interface EventQuery {
  readonly types: ReadonlySet<EventType>
  /** Raw addresses. */
  readonly accounts: ReadonlySet<string>
  /** Hashes of traces, base64. */
  readonly hashes: ReadonlySet<string>
  readonly book: boolean
  readonly metadata: boolean
  /** Whether to send only states that are still the newest (a replay sends each state once). */
  readonly newestOnly: boolean
}
