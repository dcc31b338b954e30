import { isVisible } from '../actions/supported-types.ts'
import type { BookAndTokens, EventAction, EventTransaction, EventType, Finality, LiveEvent } from './events.ts'
import { FINALITIES } from './events.ts'

export interface Filter {
  readonly types: ReadonlySet<EventType>
  /** Raw addresses in upper case. */
  readonly accounts: ReadonlySet<string>
  /** Hashes of external messages or of traces, base64. */
  readonly hashes: ReadonlySet<string>
  readonly minFinality: Finality
  readonly book: boolean
  readonly metadata: boolean
  /** Empty: all types. */
  readonly actionTypes: ReadonlySet<string>
  /** Types of actions that the client supports. An action of an unsupported type is replaced by its sub-actions. */
  readonly supportedTypes: ReadonlySet<string>
  /** When finalized transactions are sent: `block`, with each block that contains some; `trace`, once the trace is complete. */
  readonly scope: 'block' | 'trace'
}

/** An event as a listener gets it. Listeners with the same key for an event get the same body, so it is serialized once. */
export interface Shown {
  readonly key: string
  readonly make: () => object
}

const rankOf = (finality: Finality): number => FINALITIES.indexOf(finality)

const pick = (rows: Readonly<Record<string, object>>, names: Iterable<string>): Record<string, object> => {
  const found: Record<string, object> = {}
  for (const name of names) {
    const row = rows[name]
    if (row !== undefined) found[name] = row
  }
  return found
}

const bookAndTokensOf = ({ book, metadata }: Filter, bookAndTokens: BookAndTokens, names: readonly string[]): object => ({
  ...(book && { address_book: pick(bookAndTokens.book, names) }),
  ...(metadata && { metadata: pick(bookAndTokens.tokens, names) }),
})

const optionsKey = ({ book, metadata }: Filter): string => `${book ? 'b' : ''}${metadata ? 'm' : ''}`

const ofTypes = (filter: Filter, action: EventAction): boolean =>
  isVisible(action, filter.supportedTypes) &&
  (filter.actionTypes.size === 0 || filter.actionTypes.has(action.type) || filter.actionTypes.has(action.shownType))

interface Chosen<T> {
  readonly key: string
  readonly members: readonly T[]
}

const chosen = <T>(all: readonly T[], isChosen: (one: T) => boolean): Chosen<T> => {
  const places: number[] = []
  for (const [i, one] of all.entries()) if (isChosen(one)) places.push(i)
  return { key: places.length === all.length ? '*' : places.join(','), members: places.map((i) => all[i]!) }
}

const namesOf = (members: readonly (EventTransaction | EventAction)[]): string[] => [...new Set(members.flatMap(({ named }) => named))]

const haveCommon = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  for (const account of few) if (many.has(account)) return true
  return false
}

/** Applies a filter to an event. Returns undefined if the filter rejects it. */
export const show = (event: LiveEvent, filter: Filter, bookAndTokens: BookAndTokens): Shown | undefined => {
  const { body, finality, traceHash } = event
  if (rankOf(finality) < rankOf(filter.minFinality)) return undefined
  const head = { type: body.type, finality, trace_external_hash_norm: traceHash ?? null }
  const options = optionsKey(filter)
  const changed = (wire: object, names: readonly string[]): Shown => ({
    key: options,
    make: () => ({ type: body.type, finality, ...wire, ...bookAndTokensOf(filter, bookAndTokens, names) }),
  })
  const listed = ({ key, members }: Chosen<EventTransaction | EventAction>, isCut = false): Shown | undefined => {
    if (members.length === 0 && !isCut) return undefined
    const wires = () => members.map(({ wire }) => wire)
    return {
      key: `${options}${isCut ? 'i' : ''}${key}`,
      make: () => ({
        ...head,
        [body.type]: wires(),
        ...(isCut && { is_incomplete: true }),
        ...bookAndTokensOf(filter, bookAndTokens, namesOf(members)),
      }),
    }
  }
  switch (body.type) {
    case 'block':
      return filter.types.has('blocks') ? { key: '', make: () => body.wire } : undefined
    case 'account_state_change':
      if (!filter.types.has(body.type) || !filter.accounts.has(body.account)) return undefined
      return changed({ account: body.account, state: body.wire }, [body.account])
    case 'jettons_change':
      if (!filter.types.has(body.type) || !(filter.accounts.has(body.wallet) || filter.accounts.has(body.owner))) return undefined
      return changed({ jetton: body.wire }, [body.wallet, body.owner, body.jetton])
    case 'transactions':
      if (!filter.types.has(body.type) || (body.scope !== 'both' && body.scope !== filter.scope)) return undefined
      return listed(
        chosen(body.transactions, ({ account }) => filter.accounts.has(account)),
        body.cut !== undefined && haveCommon(body.cut, filter.accounts),
      )
    case 'actions':
      if (!filter.types.has(body.type)) return undefined
      return listed(
        chosen(body.actions, (action) => action.accounts.some((account) => filter.accounts.has(account)) && ofTypes(filter, action)),
      )
    case 'trace': {
      if (!filter.types.has(body.type) || !wantsTrace(event, body.accounts, filter)) return undefined
      const { key, members } = chosen(body.actions, (action) => ofTypes(filter, action))
      const make = () => ({
        ...head,
        ...body.wire,
        ...(members.length > 0 && { actions: members.map(({ wire }) => wire) }),
        ...bookAndTokensOf(filter, bookAndTokens, [...new Set([...body.named, ...namesOf(members)])]),
      })
      return { key: `${options}${key}`, make }
    }
    case 'trace_invalidated':
      return { key: '', make: () => ({ type: body.type, trace_external_hash_norm: traceHash ?? null }) }
  }
}

/** Returns whether the filter matches a trace: by a hash of the trace, or by account if the filter has no hashes. */
const wantsTrace = ({ traceHash, otherHashes }: LiveEvent, accounts: ReadonlySet<string>, filter: Filter): boolean => {
  if (filter.hashes.size > 0)
    return (traceHash !== undefined && filter.hashes.has(traceHash)) || otherHashes.some((hash) => filter.hashes.has(hash))
  return haveCommon(accounts, filter.accounts)
}
