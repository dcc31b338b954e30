import { type Selectable, sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import type { JettonBurnsTable, JettonMastersTable, JettonTransfersTable, JettonWalletsTable } from '../schema/assets-tables.ts'
import type { View } from './head.ts'
import { keyOf } from './keys.ts'
import {
  afterCursor,
  anyOf,
  bytesPart,
  numberPart,
  numericPart,
  type Order,
  onPage,
  orderBy,
  type Page,
  type PageParams,
  readPage,
} from './order.ts'
import { inWindow, isOne, type OrderWindow, ofOwners, orderOfOrders } from './token-orders.ts'

/** What every contract's row tells beside its own columns: from the account's latest state. */
export interface StateColumns {
  last_trans_lt: string
  code_hash: Buffer | null
  data_hash: Buffer | null
}

/** These columns. Accounts are joined to a page's rows alone: each row that an offset leaves out would cost a look-up. */
export const OF_STATE = ['accounts.last_trans_lt', 'accounts.code_hash', 'accounts.data_hash'] as const

export type JettonMasterRow = Selectable<JettonMastersTable> & StateColumns
export type JettonWalletRow = Selectable<JettonWalletsTable> & StateColumns
export type JettonTransferRow = Selectable<JettonTransfersTable>
export type JettonBurnRow = Selectable<JettonBurnsTable>

type Ids = readonly AccountId[] | undefined

/** TON Center lists tokens in the order in which it first wrote them down: the nearest that the chain tells is when their accounts appeared. */
export const byAppearance = <Row extends { readonly account: Buffer; readonly first_lt: string }>(table: string): Order<Row> => ({
  name: 'f',
  parts: [
    numberPart(sql.ref(`${table}.first_lt`), (row) => row.first_lt),
    bytesPart(sql.ref(`${table}.account`), 36, (row) => row.account),
  ],
})

const BY_APPEARANCE = byAppearance<JettonMasterRow>('jetton_masters')

/** Jetton masters of a filter, one page, in the order of their appearance. */
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

/** Jetton wallets of a filter, one page, by balance. */
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

/** A window, and where orders were carried out. */
export interface OrderFilter extends OrderWindow {
  readonly jetton_wallet?: Ids
  readonly jetton_master?: AccountId | undefined
}

export interface JettonTransferFilter extends OrderFilter {
  readonly owner_address?: Ids
  readonly direction?: 'in' | 'out' | undefined
}

/** Jetton transfers of a filter, one page. */
export const findJettonTransfers = (view: View, filter: JettonTransferFilter, page: PageParams): Promise<Page<JettonTransferRow>> => {
  const order = orderOfOrders(filter)
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

/** Jetton burns of a filter, one page. */
export const findJettonBurns = (
  view: View,
  filter: OrderFilter & { readonly owner_address?: Ids },
  page: PageParams,
): Promise<Page<JettonBurnRow>> => {
  const order = orderOfOrders(filter)
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

/** What was fetched of the content of masters (JSON), by key in hex; those of which nothing was are left out. */
export const findFetchedContents = async (view: View, masters: readonly Buffer[]): Promise<ReadonlyMap<string, string>> => {
  const rows = await view.rows(
    view.sql
      .selectFrom('token_metadata')
      .select(['account', 'content'])
      .where(anyOf(sql.ref('account'), masters)),
  )
  return new Map(rows.flatMap(({ account, content }) => (content === null ? [] : [[account.toString('hex'), content] as const])))
}
