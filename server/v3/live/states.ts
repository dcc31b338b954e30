import { portionsOf } from '../../base/memory/portions.ts'
import { mapWithPauses } from '../../base/yield.ts'
import type { Read } from '../../live/event-source.ts'
import type { EventQuery, LiveEvent } from '../../live/events.ts'
import { ACCOUNT_STATUSES } from '../../store/codes.ts'
import type { AccountRow } from '../../store/queries/accounts.ts'
import { statesOf } from '../../store/queries/accounts.ts'
import { lastLts, type TransactionPosition } from '../../store/queries/events.ts'
import { findJettonWallets, type JettonWalletRow, jettonWalletsAmong } from '../../store/queries/jettons.ts'
import type { PageParams } from '../../store/queries/order.ts'
import { transactionsByKeys } from '../../store/queries/transactions/by-key.ts'
import { compareLt, type TransactionRow } from '../../store/queries/transactions/transaction-key.ts'
import type { View } from '../../store/queries/view.ts'
import { accountOfKey, distinct, keyOfRaw, nameOf, rawOfKey } from '../../store/row-keys.ts'
import { storeAccount } from '../../tlb/state/account.ts'
import { toJettonWallet } from '../jettons.ts'
import { mintlessInfos } from '../shapes/mintless.ts'
import { stateOf } from '../shapes/transaction.ts'
import { address, base64, maybeBase64 } from '../shapes/values.ts'
import { accountId, type Placed, place, RANK } from './place.ts'
import type { WatchedChanges } from './watched-changes.ts'

const plain = { finality: 'finalized', traceHash: undefined, otherHashes: [] } as const

const stateEvent = (account: Buffer, lt: string, wire: object): LiveEvent => ({
  ...plain,
  body: { type: 'account_state_change', account: address(account), wire },
  place: place(RANK.state, lt, accountId(account)),
})

const NONEXIST = { balance: '0', account_status: 'nonexist' } as const

const afterTransaction = (row: TransactionRow): object => {
  const state = stateOf(row.state_hash_after, row)
  const isGone = ACCOUNT_STATUSES[row.end_status] === 'nonexist'
  return { ...state, extra_currencies: null, ...(isGone && NONEXIST) }
}

const presentState = (row: AccountRow): object => ({
  hash: base64(row.state_hash),
  balance: row.balance,
  extra_currencies: null,
  account_status: ACCOUNT_STATUSES[row.status]!,
  frozen_hash: maybeBase64(row.frozen_hash),
  data_hash: maybeBase64(row.data_hash),
  code_hash: maybeBase64(row.code_hash),
})

const lastOfBlocks = (places: readonly TransactionPosition[]): TransactionPosition[] => {
  const last = new Map<string, TransactionPosition>()
  for (const one of places) {
    const key = `${one.mc_seqno}:${nameOf(one.account)}`
    const newest = last.get(key)
    if (newest === undefined || compareLt(newest.lt, one.lt) < 0) last.set(key, one)
  }
  return [...last.values()]
}

const jettonEvent = (row: JettonWalletRow, lt: string, mintless: Awaited<ReturnType<typeof mintlessInfos>>): LiveEvent => ({
  ...plain,
  body: {
    type: 'jettons_change',
    wallet: address(row.account),
    owner: address(row.owner),
    jetton: address(row.jetton),
    wire: toJettonWallet(row, mintless),
  },
  place: place(RANK.jettons, lt, accountId(row.account)),
})

export const stateEvents = async (view: View, changes: WatchedChanges, query: EventQuery): Promise<Placed[]> => {
  const { types, newestOnly } = query
  const isForStates = types.has('account_state_change')
  const isForJettons = types.has('jettons_change')
  if (!isForStates && !isForJettons) return []
  let last = lastOfBlocks(changes.transactions)
  if (newestOnly) {
    const newest = new Map((await lastLts(view, accountsOf(last))).map((row) => [nameOf(row.account), row.last_trans_lt]))
    last = last.filter(({ account, lt }) => newest.get(nameOf(account)) === lt)
  }
  const watched = last.filter(({ account }) => changes.isWatched(account))
  const sets = changes.sets.filter(({ account }) => changes.isWatched(account))
  const [rows, changed, wallets] = await Promise.all([
    isForStates ? transactionsByKeys(view, watched) : [],
    sets.length > 0 ? statesOf(view, accountsOf(sets)) : [],
    isForJettons ? jettonWalletsAmong(view, accountsOf(last)) : [],
  ])
  const mintless = await mintlessInfos(view, wallets)
  const found: Placed[] = rows.map((row) => ({ seqno: row.mc_seqno, event: stateEvent(row.account, row.lt, afterTransaction(row)) }))
  for (const { account, mc_seqno } of sets) {
    const row = changed.find((each) => each.account.equals(account))
    if (row && (!newestOnly || row.mc_seqno === mc_seqno))
      found.push({ seqno: mc_seqno, event: stateEvent(account, '0', presentState(row)) })
  }
  const walletOf = new Map(wallets.map((row) => [nameOf(row.account), row]))
  for (const { account, lt, mc_seqno } of last) {
    const row = walletOf.get(nameOf(account))
    if (row) found.push({ seqno: mc_seqno, event: jettonEvent(row, lt, mintless) })
  }
  return found
}

const accountsOf = (places: readonly { readonly account: Buffer }[]): Buffer[] => distinct(places.map(({ account }) => account))

/** Maximum number of accounts, and of jetton wallets, whose states are read together. */
const PAGE = 1_000

const walletEvents = async (view: View, rows: readonly JettonWalletRow[]): Promise<LiveEvent[]> => {
  const mintless = await mintlessInfos(view, rows)
  return rows.map((row) => jettonEvent(row, row.last_trans_lt, mintless))
}

/** Yields the states of the jetton wallets of some owners, except the wallets that are watched themselves. */
async function* ownedWallets(read: Read, owners: readonly Buffer[], watched: ReadonlySet<string>): AsyncGenerator<LiveEvent[]> {
  const owner_address = owners.map(accountOfKey)
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: PageParams = { limit: PAGE, offset: 0, sort: 'desc', cursor }
    const { events, next } = await read(async (view) => {
      const { rows, next } = await findJettonWallets(view, { ...page, owner_address })
      const others = rows.filter(({ account }) => !watched.has(rawOfKey(account)))
      return { events: await walletEvents(view, others), next }
    })
    yield events
    cursor = next
  }
}

/**
 * Yields events with the current states of all watched accounts and of their jetton wallets, in pages: an account can own any number of wallets. Each page has a
 * snapshot of its own. What changes between two pages is in a later block, whose events are sent too.
 */
export async function* presentStates(read: Read, { accounts, types }: EventQuery): AsyncGenerator<LiveEvent[]> {
  const isForStates = types.has('account_state_change')
  const isForJettons = types.has('jettons_change')
  if (!isForStates && !isForJettons) return
  const watched = new Set<string>()
  await mapWithPauses(accounts, (account) => watched.add(account))
  for (const names of portionsOf([...watched], PAGE)) {
    const keys = names.map(keyOfRaw)
    yield await read(async (view) => {
      const states = isForStates ? await statesOf(view, keys) : []
      const wallets = isForJettons ? await jettonWalletsAmong(view, keys) : []
      return [...states.map((row) => stateEvent(row.account, row.last_trans_lt, presentState(row))), ...(await walletEvents(view, wallets))]
    })
    if (isForJettons) yield* ownedWallets(read, keys, watched)
  }
}

/** Identifies the account or the jetton wallet of a state event; undefined for other events. */
const subjectOf = ({ body }: LiveEvent): string | undefined => {
  if (body.type === 'account_state_change') return `state ${body.account}`
  return body.type === 'jettons_change' ? `jettons ${body.wallet}` : undefined
}

/** Hash of the state of an account that does not exist (account_none$0 = Account). */
const NONE_HASH = base64(Buffer.from(storeAccount(undefined).hash()))

const NO_ACCOUNT = { hash: NONE_HASH, ...NONEXIST, extra_currencies: null, frozen_hash: null, data_hash: null, code_hash: null }

/** Converts a state event to an event that says that the account or the wallet does not exist. */
const goneEvent = (event: LiveEvent): LiveEvent => {
  const { body } = event
  if (body.type === 'account_state_change') return { ...event, body: { ...body, wire: NO_ACCOUNT } }
  return body.type === 'jettons_change' ? { ...event, body: { ...body, wire: { ...body.wire, balance: '0' } } } : event
}

/**
 * Collects the states that a revert undid. `left` returns events for the accounts and wallets of which `add` got no current state: they do not exist any more.
 * Only valid if the index has all accounts of the chain.
 */
export const createGoneStates = (undone: readonly LiveEvent[]) => {
  const gone = new Map<string, LiveEvent>()
  for (const event of undone) {
    const subject = subjectOf(event)
    if (subject !== undefined && !gone.has(subject)) gone.set(subject, goneEvent(event))
  }
  return {
    add(present: readonly LiveEvent[]): void {
      for (const event of present) gone.delete(subjectOf(event) ?? '')
    },
    left: (): readonly LiveEvent[] => [...gone.values()],
  }
}
