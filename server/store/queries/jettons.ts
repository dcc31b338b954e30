import { sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { bytesList } from '../postgres/lists.ts'
import type { Tables } from '../schema/tables.ts'
import { byAppearance, OF_STATE, type StateColumns } from './conditions.ts'
import { fixed } from './fixed.ts'
import {
  afterCursor,
  anyOf,
  byPieces,
  bytesPart,
  isIn,
  numericPart,
  type Order,
  onPage,
  orderBy,
  type Page,
  type PageParams,
  readPage,
} from './order.ts'
import { keyOf } from './transactions/transaction-key.ts'
import { inWindow, isOne, ofOwners, orderOfTransfers, type TransferWindow } from './transfers-and-burns.ts'
import type { View } from './view.ts'

export type JettonMasterRow = Tables['jetton_masters'] & StateColumns
export type JettonWalletRow = Tables['jetton_wallets'] & StateColumns
export type JettonTransferRow = Tables['jetton_transfers']
export type JettonBurnRow = Tables['jetton_burns']

type Ids = readonly AccountId[] | undefined

const BY_APPEARANCE = byAppearance<JettonMasterRow>('jetton_masters')

/** Reads jetton masters in the order in which the index first saw them. */
export const findJettonMasters = (
  view: View,
  filter: { readonly address?: Ids; readonly admin_address?: Ids },
  page: PageParams,
): Promise<Page<JettonMasterRow>> =>
  readPage(BY_APPEARANCE, page, (piece) => {
    const after = afterCursor(BY_APPEARANCE, piece)
    const order = orderBy(BY_APPEARANCE, piece.sort)
    let query = view.sql.selectFrom('jetton_masters').selectAll()
    if (after) query = query.where(after)
    if (filter.address) query = query.where(isOne('jetton_masters.account', filter.address))
    if (filter.admin_address) query = query.where(isOne('admin', filter.admin_address))
    return view.rows(
      view.sql
        .selectFrom(onPage(query.orderBy(order), piece).as('jetton_masters'))
        .innerJoin('accounts', 'accounts.account', 'jetton_masters.account')
        .selectAll('jetton_masters')
        .select(OF_STATE)
        .orderBy(order),
    )
  })

const BY_BALANCE: Order<JettonWalletRow> = {
  name: 'b',
  parts: [
    numericPart(sql.ref('jetton_wallets.balance'), (row) => row.balance),
    bytesPart(sql.ref('jetton_wallets.account'), 36, (row) => row.account),
  ],
}

export interface JettonWalletFilter {
  readonly address?: Ids
  readonly owner_address?: Ids
  readonly jetton_address?: Ids
  readonly exclude_zero_balance?: boolean | undefined
}

export const findJettonWallets = (view: View, filter: JettonWalletFilter, page: PageParams): Promise<Page<JettonWalletRow>> =>
  readPage(BY_BALANCE, page, (piece) => {
    const after = afterCursor(BY_BALANCE, piece)
    const order = orderBy(BY_BALANCE, piece.sort)
    let query = view.sql.selectFrom('jetton_wallets').selectAll()
    if (after) query = query.where(after)
    if (filter.address) query = query.where(isOne('jetton_wallets.account', filter.address))
    if (filter.owner_address) query = query.where(isOne('owner', filter.owner_address))
    if (filter.jetton_address) query = query.where(isOne('jetton', filter.jetton_address))
    if (filter.exclude_zero_balance) query = query.where('jetton_wallets.balance', '>', '0')
    return view.rows(
      view.sql
        .selectFrom(onPage(query.orderBy(order), piece).as('jetton_wallets'))
        .innerJoin('accounts', 'accounts.account', 'jetton_wallets.account')
        .selectAll('jetton_wallets')
        .select(OF_STATE)
        .orderBy(order),
    )
  })

/** Counts the wallets of a jetton that have a balance, up to `most`. */
export const countHolders = async (view: View, jetton: AccountId, most: number): Promise<number> => {
  const some = view.sql
    .selectFrom('jetton_wallets')
    .select('account')
    .where('jetton', '=', keyOf(jetton))
    .where('balance', '>', '0')
    .limit(most)
  const [row] = await view.rows(view.sql.selectFrom(some.as('some')).select(({ fn }) => fn.countAll<string>().as('count')))
  return Number(row!.count)
}

/** Filter of transfers and burns. */
export interface OrderFilter extends TransferWindow {
  readonly jetton_wallet?: Ids
  readonly jetton_master?: AccountId | undefined
}

export interface JettonTransferFilter extends OrderFilter {
  readonly owner_address?: Ids
  readonly direction?: 'in' | 'out' | undefined
}

export const findJettonTransfers = (view: View, filter: JettonTransferFilter, page: PageParams): Promise<Page<JettonTransferRow>> => {
  const order = orderOfTransfers(filter)
  return readPage(order, page, (piece) => {
    const after = afterCursor(order, piece)
    let query = view.sql.selectFrom('jetton_transfers').selectAll()
    if (after) query = query.where(after)
    query = query.where(inWindow(view, filter, piece))
    if (filter.jetton_wallet) query = query.where(isOne('account', filter.jetton_wallet))
    if (filter.jetton_master) query = query.where('jetton', '=', keyOf(filter.jetton_master))
    return view.rows(ofOwners(view, query, { ...filter, from: 'source', to: 'destination' }, order, piece))
  })
}

export const findJettonBurns = (
  view: View,
  filter: OrderFilter & { readonly owner_address?: Ids },
  page: PageParams,
): Promise<Page<JettonBurnRow>> => {
  const order = orderOfTransfers(filter)
  return readPage(order, page, (piece) => {
    const after = afterCursor(order, piece)
    let query = view.sql.selectFrom('jetton_burns').selectAll()
    if (after) query = query.where(after)
    query = query.where(inWindow(view, filter, piece))
    if (filter.jetton_wallet) query = query.where(isOne('account', filter.jetton_wallet))
    if (filter.jetton_master) query = query.where('jetton', '=', keyOf(filter.jetton_master))
    if (filter.owner_address) query = query.where(isOne('owner', filter.owner_address))
    return view.rows(onPage(query.orderBy(orderBy(order, piece.sort)), piece))
  })
}

/** Reads the fetched off-chain content of masters (JSON), by key in hex. Masters without such content are missing. */
export const findFetchedContents = async (view: View, masters: readonly Buffer[]): Promise<ReadonlyMap<string, string>> => {
  const rows = await view.rows(
    view.sql
      .selectFrom('token_metadata')
      .select(['account', 'content'])
      .where(anyOf(sql.ref('account'), masters)),
  )
  return new Map(rows.flatMap(({ account, content }) => (content === null ? [] : [[account.toString('hex'), content] as const])))
}

const AMONG = fixed((builder, keys) =>
  builder
    .selectFrom('jetton_wallets')
    .select(['account', 'owner', 'jetton'])
    .where(isIn(sql.ref('account'), keys)),
)

export const walletsAmong = (view: View, keys: readonly Buffer[]): Promise<Pick<JettonWalletRow, 'account' | 'owner' | 'jetton'>[]> =>
  byPieces(keys, (piece) => view.rows(AMONG(bytesList(piece))))
