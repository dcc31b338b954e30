import { type EventWord, FINALITY_WORDS } from '../../shared/live/subscriptions.ts'
import type { EmulatedAccounts } from '../book/emulated-accounts.ts'
import type { Cursor } from './cursor.ts'
import type { Filter } from './filter.ts'

/* Events inside the process, before a listener's filter is applied. Bodies have the JSON shapes of the v3 API. */

export type EventType = EventWord

/** In ascending order. After an event, a listener never gets an event of the same trace with a lower finality. */
export const FINALITIES = FINALITY_WORDS
export type Finality = (typeof FINALITIES)[number]

/** One transaction of an event. `wire`: its JSON; `named`: raw addresses of all accounts in this JSON. */
export interface EventTransaction {
  readonly account: string
  readonly lt: string
  readonly hash: string
  readonly named: readonly string[]
  readonly wire: object
}

/** One action of an event. `type`: its type in the classifier; `ancestors`: types of the actions that contain it. */
export interface EventAction {
  readonly type: string
  readonly shownType: string
  readonly ancestors: readonly string[]
  readonly accounts: readonly string[]
  readonly named: readonly string[]
  readonly wire: object
}

/** Content of an event. Accounts are raw addresses in upper case, hashes are standard base64. */
export type EventBody =
  | { readonly type: 'block'; readonly wire: object }
  | { readonly type: 'account_state_change'; readonly account: string; readonly wire: object }
  | { readonly type: 'jettons_change'; readonly wallet: string; readonly owner: string; readonly jetton: string; readonly wire: object }
  | {
      readonly type: 'transactions'
      /** `block`: the trace's transactions in this block. `trace`: all transactions of a complete trace. `both`: for listeners with either scope. */
      readonly scope: 'block' | 'trace' | 'both'
      readonly transactions: readonly EventTransaction[]
      /** Raw addresses of accounts of which older transactions are left out, because there are too many. */
      readonly cut?: ReadonlySet<string>
    }
  | { readonly type: 'actions'; readonly actions: readonly EventAction[] }
  | {
      readonly type: 'trace'
      readonly accounts: ReadonlySet<string>
      /** JSON of the trace without its actions. */
      readonly wire: object
      readonly named: readonly string[]
      readonly actions: readonly EventAction[]
    }
  | { readonly type: 'trace_invalidated' }

export interface LiveEvent {
  readonly body: EventBody
  readonly finality: Finality
  /** Normalized hash of the external message that began the trace. undefined without a trace or without an external message. */
  readonly traceHash: string | undefined
  /** Further hashes by which a listener may subscribe to the trace: of the message as it was sent, and the trace id. */
  readonly otherHashes: readonly string[]
  /** Only for a pending trace: accounts whose emulated states differ from the index. Address book and metadata use these states. */
  readonly emulated?: EmulatedAccounts
  /** Sort key of the event within its block; empty for an event that is in no block. */
  readonly place: string
}

/** Address book and metadata by raw address, for the accounts that events name. */
export interface BookAndTokens {
  readonly book: Readonly<Record<string, object>>
  readonly tokens: Readonly<Record<string, object>>
}

export const NO_BOOK_OR_TOKENS: BookAndTokens = { book: {}, tokens: {} }

export interface BlockEvents extends BookAndTokens {
  readonly end: Cursor
  readonly events: readonly LiveEvent[]
}

/** A set of names. It may change while it is used. */
export type Names = Pick<ReadonlySet<string>, 'has' | 'size' | typeof Symbol.iterator>

/** The events that one read of the index has to find: the union of the listeners' filters. */
export interface EventQuery extends Pick<Filter, 'types' | 'book' | 'metadata'> {
  /** Raw addresses in upper case. */
  readonly accounts: Names
  readonly hashes: Names
  /** Finds only the newest state of each account, so that a replay sends each state once. */
  readonly newestOnly: boolean
}
