import { EVENT_WORDS } from '../../shared/live/subscriptions.ts'
import type { EventQuery, EventType, LiveEvent, Names } from './events.ts'
import type { Filter } from './filter.ts'
import type { Listener } from './listener.ts'

type Named = Map<string, Set<Listener>>

const put = (named: Named, name: string, listener: Listener): void => {
  const listeners = named.get(name)
  if (listeners === undefined) named.set(name, new Set([listener]))
  else listeners.add(listener)
}

const drop = (named: Named, name: string, listener: Listener): void => {
  const listeners = named.get(name)
  listeners?.delete(listener)
  if (listeners?.size === 0) named.delete(name)
}

const namesOf = (named: Named): Names => ({
  has: (name) => named.has(name),
  get size() {
    return named.size
  },
  [Symbol.iterator]: () => named.keys(),
})

/** What a filter requests besides its names. */
type Request = EventType | 'book' | 'metadata'

const requestsOf = ({ types, book, metadata }: Filter): readonly Request[] => [
  ...types,
  ...(book ? (['book'] as const) : []),
  ...(metadata ? (['metadata'] as const) : []),
]

function* accountsOf({ body }: LiveEvent): Generator<string> {
  if (body.type === 'account_state_change') yield body.account
  else if (body.type === 'jettons_change') yield* [body.wallet, body.owner]
  else if (body.type === 'transactions') for (const { account } of body.transactions) yield account
  else if (body.type === 'actions') for (const { accounts } of body.actions) yield* accounts
  else if (body.type === 'trace') yield* body.accounts
}

const EARLY_TYPES = ['transactions', 'actions', 'trace'] as const
const isEarly = ({ filter: { minFinality, types } }: Listener): boolean =>
  minFinality !== 'finalized' && EARLY_TYPES.some((type) => types.has(type))

export type Listeners = ReturnType<typeof createListeners>

/** The listeners of a hub, indexed by the accounts and hashes of their filters. */
export const createListeners = () => {
  const all = new Set<Listener>()
  const byAccount: Named = new Map()
  const byHash: Named = new Map()
  const ofBlocks = new Set<Listener>()
  const early = new Set<Listener>()
  /** Listeners by what they request. */
  const requests = new Map<Request, number>()
  const count = (filter: Filter, change: 1 | -1): void => {
    for (const each of requestsOf(filter)) requests.set(each, (requests.get(each) ?? 0) + change)
  }
  const isRequested = (each: Request): boolean => (requests.get(each) ?? 0) > 0
  const names = { accounts: namesOf(byAccount), hashes: namesOf(byHash) }
  return {
    add(listener: Listener): void {
      const { types, accounts, hashes } = listener.filter
      if (!all.has(listener)) count(listener.filter, 1)
      all.add(listener)
      for (const account of accounts) put(byAccount, account, listener)
      for (const hash of hashes) put(byHash, hash, listener)
      if (types.has('blocks')) ofBlocks.add(listener)
      if (isEarly(listener)) early.add(listener)
    },
    /** Returns whether the listener was in the set. */
    remove(listener: Listener): boolean {
      const was = all.delete(listener)
      if (was) count(listener.filter, -1)
      for (const account of listener.filter.accounts) drop(byAccount, account, listener)
      for (const hash of listener.filter.hashes) drop(byHash, hash, listener)
      ofBlocks.delete(listener)
      early.delete(listener)
      return was
    },
    has: (listener: Listener): boolean => all.has(listener),
    all: (): Iterable<Listener> => all,
    isEmpty: (): boolean => all.size === 0,
    isWatched: (accounts: readonly string[], hashes: readonly string[]): boolean =>
      accounts.some((each) => byAccount.has(each)) || hashes.some((each) => byHash.has(each)),
    /** Returns the listeners that want transactions, actions or traces before they are final. */
    early: (): ReadonlySet<Listener> => early,
    /** Returns one query for all listeners. Its names are always those of the present listeners. */
    query: (): EventQuery => ({
      ...names,
      types: new Set(EVENT_WORDS.filter(isRequested)),
      book: isRequested('book'),
      metadata: isRequested('metadata'),
      newestOnly: false,
    }),
    of(event: LiveEvent): Iterable<Listener> {
      if (event.body.type === 'block') return ofBlocks
      if (event.body.type === 'trace_invalidated') return [...all].filter(({ open }) => open.has(event.traceHash ?? ''))
      const found = new Set<Listener>()
      for (const account of accountsOf(event)) for (const listener of byAccount.get(account) ?? []) found.add(listener)
      for (const hash of event.traceHash === undefined ? event.otherHashes : [event.traceHash, ...event.otherHashes])
        for (const listener of byHash.get(hash) ?? []) found.add(listener)
      return found
    },
  }
}
