import { createGroups } from '../base/memory/multi-map.ts'
import type { EventQuery, EventType, LiveEvent } from './events.ts'
import type { Listener } from './listener.ts'

function* accountsOf({ body }: LiveEvent): Generator<string> {
  if (body.type === 'account_state_change') yield body.account
  else if (body.type === 'jettons_change') yield* [body.wallet, body.owner]
  else if (body.type === 'transactions') {
    for (const { account } of body.transactions) yield account
    yield* body.cut ?? []
  } else if (body.type === 'actions') for (const { accounts } of body.actions) yield* accounts
  else if (body.type === 'trace') yield* body.accounts
}

const EARLY_TYPES = ['transactions', 'actions', 'trace'] as const
const isEarly = ({ filter: { minFinality, types } }: Listener): boolean =>
  minFinality !== 'finalized' && EARLY_TYPES.some((type) => types.has(type))

export type Listeners = ReturnType<typeof createListeners>

/** The listeners of a hub, indexed by the accounts and hashes of their filters. */
export const createListeners = () => {
  const all = new Set<Listener>()
  const byAccount = createGroups<Listener>()
  const byHash = createGroups<Listener>()
  const ofBlocks = new Set<Listener>()
  const early = new Set<Listener>()
  let joins = 0
  const groupsOf = function* (event: LiveEvent): Generator<Iterable<Listener>> {
    if (event.body.type === 'block') return yield ofBlocks
    if (event.body.type === 'trace_invalidated') return yield [...all].filter(({ open }) => open.has(event.traceHash ?? ''))
    for (const account of new Set(accountsOf(event))) yield byAccount.of(account)
    for (const hash of event.traceHash === undefined ? event.otherHashes : [event.traceHash, ...event.otherHashes]) yield byHash.of(hash)
  }
  return {
    add(listener: Listener): void {
      const { types, accounts, hashes } = listener.filter
      listener.joined ??= ++joins
      all.add(listener)
      for (const account of accounts) byAccount.add(account, listener)
      for (const hash of hashes) byHash.add(hash, listener)
      if (types.has('blocks')) ofBlocks.add(listener)
      if (isEarly(listener)) early.add(listener)
    },
    /** Returns whether the listener was in the set. */
    remove(listener: Listener): boolean {
      const was = all.delete(listener)
      for (const account of listener.filter.accounts) byAccount.delete(account, listener)
      for (const hash of listener.filter.hashes) byHash.delete(hash, listener)
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
    query(): EventQuery {
      const types = new Set<EventType>()
      let [book, metadata] = [false, false]
      for (const { filter } of all) {
        for (const type of filter.types) types.add(type)
        book ||= filter.book
        metadata ||= filter.metadata
      }
      return { accounts: byAccount, hashes: byHash, types, book, metadata, newestOnly: false }
    },
    /**
     * Yields the listeners that may want an event, each once, in groups, so that the caller can pause between them: thousands of listeners may name each of
     * thousands of accounts. Those that join meanwhile are not among them.
     */
    *of(event: LiveEvent): Generator<readonly Listener[]> {
      const newest = joins
      const found = new Set<Listener>()
      for (const group of groupsOf(event)) {
        const others: Listener[] = []
        for (const listener of group) {
          if (found.has(listener) || listener.joined! > newest) continue
          found.add(listener)
          others.push(listener)
        }
        yield others
      }
    },
  }
}
