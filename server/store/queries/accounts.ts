import { sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import type { Tables } from '../schema/tables.ts'
import type { View } from './head.ts'
import { keyOf } from './keys.ts'
import { anyOf, byPieces, onPage } from './order.ts'

export type AccountRow = Tables['accounts']

/** Largest number of accounts in one answer. */
const MOST = 1000

/** Latest states of accounts, by address or by code hash. Unknown accounts are missing from the result. */
export const findAccounts = (
  view: View,
  { address, code_hash }: { readonly address?: readonly AccountId[] | undefined; readonly code_hash?: readonly Uint8Array[] | undefined },
): Promise<AccountRow[]> => {
  let query = view.sql.selectFrom('accounts').selectAll()
  if (address) query = query.where(anyOf(sql.ref('account'), address.map(keyOf)))
  if (code_hash) query = query.where(anyOf(sql.ref('code_hash'), code_hash))
  return view.rows(query.orderBy('account').limit(MOST))
}

/** Fields of an account for the address book. `domain` is the shortest name that resolves to this account and belongs to it. */
export interface AccountKind {
  readonly account: Buffer
  readonly code_hash: Buffer | null
  /** Ids of the code's get-methods, if known. */
  readonly methods: number[] | null
  readonly domain: string | null
}

export const accountKinds = (view: View, keys: readonly Buffer[]): Promise<AccountKind[]> =>
  keys.length === 0
    ? Promise.resolve([])
    : view.rows(
        sql<AccountKind>`select a.account, a.code_hash, c.methods,
            (select d.domain from dns_entries d join nft_items n on n.account = d.account
             where d.wallet = a.account and n.owner = a.account order by length(d.domain), d.domain limit 1) as domain
          from accounts a left join contract_codes c on c.code_hash = a.code_hash
          where ${anyOf(sql.ref('a.account'), keys)}`.compile(view.sql),
      )

/** Ids of get-methods by code hash (base64). Codes that are not known are missing. */
export const methodsOfCodes = async (view: View, hashes: readonly Buffer[]): Promise<ReadonlyMap<string, readonly number[]>> => {
  if (hashes.length === 0) return new Map()
  const rows = await view.rows(
    view.sql
      .selectFrom('contract_codes')
      .select(['code_hash', 'methods'])
      .where(anyOf(sql.ref('code_hash'), hashes)),
  )
  return new Map(rows.map((row) => [row.code_hash.toString('base64'), row.methods]))
}

/** Accounts by balance, largest first. */
export const richest = (view: View, limit: number, offset: number): Promise<Pick<AccountRow, 'account' | 'balance'>[]> => {
  const query = view.sql.selectFrom('accounts').select(['account', 'balance']).orderBy(sql`balance desc, account desc`)
  return view.rows(onPage(query, { limit, offset }))
}

/** BoCs of bodies, initial states and codes by cell hash (base64); unknown hashes are missing from the result. */
export const cellsOf = async (view: View, hashes: Iterable<Buffer>): Promise<ReadonlyMap<string, Buffer>> => {
  const wanted = new Map<string, Buffer>()
  for (const hash of hashes) wanted.set(hash.toString('base64'), hash)
  const rows = await byPieces([...wanted.values()], (piece) =>
    view.rows(
      view.sql
        .selectFrom('cells')
        .select(['hash', 'boc'])
        .where(anyOf(sql.ref('hash'), piece)),
    ),
  )
  return new Map(rows.map((row) => [row.hash.toString('base64'), row.boc]))
}
