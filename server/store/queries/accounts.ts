import { sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { bytesList } from '../postgres/lists.ts'
import type { Tables } from '../schema/tables.ts'
import { fixed } from './fixed.ts'
import type { View } from './head.ts'
import { merged } from './merged.ts'
import { anyOf, byPieces, isIn, onPage } from './order.ts'
import { compareLt, keyOf } from './transactions/keys.ts'

export type AccountRow = Tables['accounts']

/** Largest number of accounts in one answer. */
const MOST = 1000

const BY_ADDRESS = fixed((builder, keys) =>
  builder
    .selectFrom('accounts')
    .selectAll()
    .where(isIn(sql.ref('account'), keys))
    .orderBy('account')
    .limit(MOST),
)

const byAddress = async (view: View, address: readonly AccountId[]): Promise<AccountRow[]> => {
  const keys = address.map(keyOf)
  const rows = await view.shards(BY_ADDRESS(bytesList(keys)), 'once', keys)
  return view.isSpread ? rows.sort((a, b) => Buffer.compare(a.account, b.account)).slice(0, MOST) : rows
}

/** Latest states of accounts, by address or by code hash. Unknown accounts are missing from the result. */
export const findAccounts = (
  view: View,
  { address, code_hash }: { readonly address?: readonly AccountId[] | undefined; readonly code_hash?: readonly Uint8Array[] | undefined },
): Promise<AccountRow[]> => {
  if (address && !code_hash) return byAddress(view, address)
  let query = view.sql.selectFrom('accounts').selectAll()
  if (address) query = query.where(anyOf(sql.ref('account'), address.map(keyOf)))
  if (code_hash) query = query.where(anyOf(sql.ref('code_hash'), code_hash))
  return view.rows(query.orderBy('account').limit(MOST))
}

/** Accounts by balance, largest first. */
export const richest = (view: View, limit: number, offset: number): Promise<Pick<AccountRow, 'account' | 'balance'>[]> => {
  const query = view.sql.selectFrom('accounts').select(['account', 'balance']).orderBy(sql`balance desc, account desc`)
  const byBalance = (a: Pick<AccountRow, 'account' | 'balance'>, b: Pick<AccountRow, 'account' | 'balance'>): number =>
    compareLt(b.balance, a.balance) || Buffer.compare(b.account, a.account)
  return merged(view, { limit, offset }, byBalance, (page) => onPage(query, page), 'kept')
}

const CELLS = fixed((builder, hashes) =>
  builder
    .selectFrom('cells')
    .select(['hash', 'boc'])
    .where(isIn(sql.ref('hash'), hashes)),
)

/** BoCs of bodies, initial states and codes by cell hash (base64); unknown hashes are missing from the result. */
export const cellsOf = async (view: View, hashes: Iterable<Buffer>): Promise<ReadonlyMap<string, Buffer>> => {
  const wanted = new Map<string, Buffer>()
  for (const hash of hashes) wanted.set(hash.toString('base64'), hash)
  const rows = await byPieces([...wanted.values()], (piece) => view.shards(CELLS(bytesList(piece)), 'once', piece))
  return new Map(rows.map((row) => [row.hash.toString('base64'), row.boc]))
}
