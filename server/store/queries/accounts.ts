import { sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { bytesList } from '../postgres/lists.ts'
import { accounts } from '../schema/accounts.ts'
import type { Tables } from '../schema/tables.ts'
import { fixed } from './fixed.ts'
import { anyOf, byPieces, isIn, onPage } from './order.ts'
import { keyOf } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

/** An account. If its data is large, `data_boc` is null until `readData` reads it. */
export type AccountRow = Tables['accounts'] & {
  /** Length of the data's BoC, even if `data_boc` was not read. */
  readonly data_bytes: number | null
}

/** Maximum length of a BoC that is read together with its row. A larger one is read only after the size check of the answer. */
const SMALL = 16 << 10

/** Selects a BoC only if it is small. For the length alone PostgreSQL does not load a large value. */
const smallOf = (column: string) =>
  sql<Buffer | null>`case when octet_length(${sql.ref(column)}) <= ${sql.lit(SMALL)} then ${sql.ref(column)} end`
const bytesOf = (column: string) => sql<number | null>`octet_length(${sql.ref(column)})`

const COLUMNS = (Object.keys(accounts.columns) as (keyof Tables['accounts'])[]).filter((column) => column !== 'data_boc')
export const ACCOUNT_COLUMNS = [...COLUMNS, smallOf('data_boc').as('data_boc'), bytesOf('data_boc').as('data_bytes')] as const

const MAX_ACCOUNTS = 1000

const BY_ADDRESS = fixed((builder, keys) =>
  builder
    .selectFrom('accounts')
    .select(ACCOUNT_COLUMNS)
    .where(isIn(sql.ref('account'), keys))
    .orderBy('account')
    .limit(MAX_ACCOUNTS),
)

const DATA = fixed((builder, keys) =>
  builder
    .selectFrom('accounts')
    .select(['account', 'data_boc'])
    .where(isIn(sql.ref('account'), keys)),
)

/** Reads the latest states of accounts. Accounts that are not indexed are missing from the result. */
export const findAccounts = (
  view: View,
  { address, code_hash }: { readonly address?: readonly AccountId[] | undefined; readonly code_hash?: readonly Uint8Array[] | undefined },
): Promise<AccountRow[]> => {
  if (address && !code_hash) return view.rows(BY_ADDRESS(bytesList(address.map(keyOf))))
  let query = view.sql.selectFrom('accounts').select(ACCOUNT_COLUMNS)
  if (address) query = query.where(anyOf(sql.ref('account'), address.map(keyOf)))
  if (code_hash) query = query.where(anyOf(sql.ref('code_hash'), code_hash))
  return view.rows(query.orderBy('account').limit(MAX_ACCOUNTS))
}

export const richest = (view: View, limit: number, offset: number): Promise<Pick<AccountRow, 'account' | 'balance'>[]> =>
  view.rows(
    onPage(view.sql.selectFrom('accounts').select(['account', 'balance']).orderBy(sql`balance desc, account desc`), { limit, offset }),
  )

/** Reads the data of those rows for which `hasData` returns true. Throws if the data exceeds the size limit of the view. */
export const readData = async (
  view: View,
  rows: readonly AccountRow[],
  hasData = (_: AccountRow): boolean => true,
): Promise<readonly AccountRow[]> => {
  const large = rows.filter((row) => row.data_boc === null && row.data_bytes !== null && hasData(row))
  if (large.length === 0) return rows
  view.expectBytes(large.reduce((sum, row) => sum + row.data_bytes!, 0))
  const found = await view.rows(DATA(bytesList(large.map(({ account }) => account))))
  const data = new Map(found.map((row) => [row.account.toString('base64'), row.data_boc]))
  return rows.map((row) => ({ ...row, data_boc: row.data_boc ?? data.get(row.account.toString('base64')) ?? null }))
}

const CELLS = fixed((builder, hashes) =>
  builder
    .selectFrom('cells')
    .select(['hash', smallOf('boc').as('boc'), bytesOf('boc').as('bytes')])
    .where(isIn(sql.ref('hash'), hashes)),
)

const LARGE_CELLS = fixed((builder, hashes) =>
  builder
    .selectFrom('cells')
    .select(['hash', 'boc'])
    .where(isIn(sql.ref('hash'), hashes)),
)

/**
 * Returns BoCs of message bodies, initial states and codes by cell hash (base64). Hashes that are not indexed are missing. Throws if large BoCs exceed the
 * size limit of the view: a body has at most 256 KB, a code 640 KB.
 */
export const cellsOf = async (view: View, hashes: Iterable<Buffer>): Promise<ReadonlyMap<string, Buffer>> => {
  const requested = new Map<string, Buffer>()
  for (const hash of hashes) requested.set(hash.toString('base64'), hash)
  const rows = await byPieces([...requested.values()], (piece) => view.rows(CELLS(bytesList(piece))))
  const large = rows.filter((row) => row.boc === null)
  view.expectBytes(large.reduce((sum, row) => sum + row.bytes!, 0))
  const rest = await byPieces(
    large.map((row) => row.hash),
    (piece) => view.rows(LARGE_CELLS(bytesList(piece))),
  )
  return new Map([...rows, ...rest].flatMap((row) => (row.boc === null ? [] : [[row.hash.toString('base64'), row.boc] as const])))
}
