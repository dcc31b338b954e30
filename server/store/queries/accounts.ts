import { sql } from 'kysely'
import { mapWithPauses } from '../../base/yield.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { nameOf } from '../row-keys.ts'
import { accounts } from '../schema/accounts.ts'
import { columnNames } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'
import { isAccount, isAny } from './conditions.ts'
import { smallOf } from './large-values.ts'
import { lookUp } from './look-up.ts'
import { all, limited } from './order.ts'
import type { View } from './view.ts'

/** An account. If its data is large, `data_boc` is null until `readData` reads it. */
export type AccountRow = Tables['accounts'] & {
  /** Length of the data's BoC, even if `data_boc` was not read. */
  readonly data_bytes: number | null
}

/** Maximum length of a BoC that is read together with its row. A larger one is read only after the size check of the answer. */
const SMALL = 16 << 10

const DATA = smallOf('data_boc', SMALL, 'data_boc', 'data_bytes')
const COLUMNS = sql.raw([...columnNames(accounts).filter((column) => column !== 'data_boc'), DATA].join(', '))

const MAX_ACCOUNTS = 1000

/** Reads the latest states of accounts. Accounts that are not indexed are missing from the result. */
export const findAccounts = (
  view: View,
  { address, code_hash }: { readonly address?: readonly AccountId[] | undefined; readonly code_hash?: readonly Uint8Array[] | undefined },
): Promise<AccountRow[]> => {
  const where = all([isAccount('account', address), isAny('code_hash', code_hash)])
  const query = sql<AccountRow>`select ${COLUMNS} from accounts where ${where} order by account limit ${MAX_ACCOUNTS}`
  // A code can be that of one account or of most of them.
  return view.rows(query, address === undefined ? 'once' : 'generic')
}

export const statesOf = (view: View, keys: readonly Buffer[]): Promise<AccountRow[]> =>
  view.rows(sql<AccountRow>`select ${COLUMNS} from accounts where ${isAny('account', keys)}`, 'generic')

export const richest = (view: View, limit: number, offset: number): Promise<Pick<AccountRow, 'account' | 'balance'>[]> =>
  view.rows(sql<AccountRow>`select account, balance from accounts order by balance desc, account desc ${limited({ limit, offset })}`)

export const dataOf = lookUp({ from: 'accounts', by: 'account', columns: ['account', 'data_boc'] })

/** Reads the data of those rows for which `hasData` returns true. Throws if the data exceeds the size limit of the view. */
export const readData = async (
  view: View,
  rows: readonly AccountRow[],
  hasData = (_: AccountRow): boolean => true,
): Promise<readonly AccountRow[]> => {
  const large = rows.filter((row) => row.data_boc === null && row.data_bytes !== null && hasData(row))
  if (large.length === 0) return rows
  view.expectBytes(large.reduce((sum, row) => sum + row.data_bytes!, 0))
  const keys = large.map(({ account }) => account)
  const data = new Map((await dataOf(view, keys)).map((row) => [nameOf(row.account), row.data_boc]))
  return rows.map((row) => ({ ...row, data_boc: row.data_boc ?? data.get(nameOf(row.account)) ?? null }))
}

const CELLS = sql.raw(`select hash, ${smallOf('boc', SMALL, 'boc', 'bytes')} from cells`)
const largeCells = lookUp({ from: 'cells', by: 'hash', columns: ['hash', 'boc'] })

/**
 * Returns BoCs of message bodies, initial states and codes by cell hash (base64). Hashes that are not indexed are missing. Throws if large BoCs exceed the
 * size limit of the view: a body has at most 256 KB, a code 640 KB.
 */
export const cellsOf = async (view: View, hashes: Iterable<Buffer>): Promise<ReadonlyMap<string, Buffer>> => {
  const requested = new Map<string, Buffer>()
  await mapWithPauses(hashes, (hash) => requested.set(hash.toString('base64'), hash), view.signal)
  if (requested.size === 0) return new Map()
  type Cell = { readonly hash: Buffer; readonly boc: Buffer | null; readonly bytes: number }
  const rows = await view.rows(sql<Cell>`${CELLS} where ${isAny('hash', [...requested.values()])}`, 'generic')
  const large = rows.filter((row) => row.boc === null)
  view.expectBytes(large.reduce((sum, row) => sum + row.bytes, 0))
  const hashesOfLarge = large.map((row) => row.hash)
  const all = [...rows, ...(await largeCells(view, hashesOfLarge))]
  return new Map(all.flatMap((row) => (row.boc === null ? [] : [[row.hash.toString('base64'), row.boc] as const])))
}
