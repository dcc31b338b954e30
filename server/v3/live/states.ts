import type { EventQuery, LiveEvent } from '../../live/events.ts'
import { ACCOUNT_STATUSES } from '../../store/codes.ts'
import type { AccountRow } from '../../store/queries/accounts.ts'
import { jettonWalletsAmong, lastLts, statesOf, type TransactionPosition } from '../../store/queries/events.ts'
import type { JettonWalletRow } from '../../store/queries/jettons.ts'
import { transactionsByKeys } from '../../store/queries/transactions/by-key.ts'
import type { TransactionRow } from '../../store/queries/transactions/filter.ts'
import { compareLt } from '../../store/queries/transactions/transaction-key.ts'
import type { View } from '../../store/queries/view.ts'
import { keyOfRaw } from '../../store/row-keys.ts'
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
    const key = `${one.mc_seqno}:${one.account.toString('latin1')}`
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
    const newest = new Map((await lastLts(view, unique(last))).map((row) => [row.account.toString('latin1'), row.last_trans_lt]))
    last = last.filter(({ account, lt }) => newest.get(account.toString('latin1')) === lt)
  }
  const watched = last.filter(({ account }) => changes.isWatched(account))
  const sets = changes.sets.filter(({ account }) => changes.isWatched(account))
  const [rows, changed, wallets] = await Promise.all([
    isForStates ? transactionsByKeys(view, watched) : [],
    sets.length > 0 ? statesOf(view, unique(sets)) : [],
    isForJettons ? jettonWalletsAmong(view, unique(last), 'account') : [],
  ])
  const mintless = await mintlessInfos(view, wallets)
  const found: Placed[] = rows.map((row) => ({ seqno: row.mc_seqno, event: stateEvent(row.account, row.lt, afterTransaction(row)) }))
  for (const { account, mc_seqno } of sets) {
    const row = changed.find((each) => each.account.equals(account))
    if (row && (!newestOnly || row.mc_seqno === mc_seqno))
      found.push({ seqno: mc_seqno, event: stateEvent(account, '0', presentState(row)) })
  }
  const walletOf = new Map(wallets.map((row) => [row.account.toString('latin1'), row]))
  for (const { account, lt, mc_seqno } of last) {
    const row = walletOf.get(account.toString('latin1'))
    if (row) found.push({ seqno: mc_seqno, event: jettonEvent(row, lt, mintless) })
  }
  return found
}

const unique = (places: readonly { readonly account: Buffer }[]): Buffer[] => [
  ...new Map(places.map(({ account }) => [account.toString('latin1'), account])).values(),
]

/** Events with the current states of all watched accounts and their jetton wallets. */
export const presentStates = async (view: View, query: EventQuery): Promise<LiveEvent[]> => {
  const keys = [...query.accounts].map(keyOfRaw)
  const isForJettons = query.types.has('jettons_change')
  const [states, own, owned] = await Promise.all([
    query.types.has('account_state_change') ? statesOf(view, keys) : [],
    isForJettons ? jettonWalletsAmong(view, keys, 'account') : [],
    isForJettons ? jettonWalletsAmong(view, keys, 'owner') : [],
  ])
  const wallets = [...new Map([...own, ...owned].map((row) => [row.account.toString('latin1'), row])).values()]
  const mintless = await mintlessInfos(view, wallets)
  return [
    ...states.map((row) => stateEvent(row.account, row.last_trans_lt, presentState(row))),
    ...wallets.map((row) => jettonEvent(row, row.last_trans_lt, mintless)),
  ]
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
 * Events that say that accounts and wallets do not exist, because a revert undid their creation: those of `undone` without an event in `present`. Only
 * valid if the index has all accounts of the chain.
 */
export const goneStates = (undone: readonly LiveEvent[], present: readonly LiveEvent[]): LiveEvent[] => {
  const subjects = new Set(present.map(subjectOf))
  const gone: LiveEvent[] = []
  for (const event of undone) {
    const subject = subjectOf(event)
    if (subject === undefined || subjects.has(subject)) continue
    subjects.add(subject)
    gone.push(goneEvent(event))
  }
  return gone
}
