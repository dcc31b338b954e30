import { sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import type { Tables } from '../schema/tables.ts'
import { all } from './conditions.ts'
import { afterCursor, anyOf, bytesPart, numberPart, type Order, orderBy, type Page, type PageParams, readPage } from './order.ts'
import { keyOf } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

interface OfAccount {
  readonly last_trans_lt: string
  readonly code_hash: Buffer | null
  readonly data_hash: Buffer | null
}
export type MultisigRow = Tables['multisigs'] & OfAccount
export type OrderRow = Tables['multisig_orders'] & OfAccount
export type MemberRow = Tables['multisig_members']
export type VestingRow = Tables['vestings']

/** Roles in multisig_members that belong to the multisig itself, and not to an order. */
const OWN_ROLES = sql.raw('(0, 1)')

const byChange = <Row extends OfAccount & { readonly account: Buffer }>(name: string): Order<Row> => ({
  name,
  parts: [numberPart(sql.ref('last_trans_lt'), (row) => row.last_trans_lt), bytesPart(sql.ref('account'), 36, (row) => row.account)],
})
const MULTISIGS = byChange<MultisigRow>('u')
const ORDERS = byChange<OrderRow>('q')

const accountsIn = (accounts: readonly AccountId[] | undefined, column = 'account') =>
  accounts && anyOf(sql.ref(column), accounts.map(keyOf))

const ACCOUNT = sql.raw('a.last_trans_lt, a.code_hash, a.data_hash')

export const findMultisigs = (
  view: View,
  filter: { readonly address?: readonly AccountId[] | undefined; readonly wallet_address?: readonly AccountId[] | undefined },
  page: PageParams,
): Promise<Page<MultisigRow>> =>
  readPage(MULTISIGS, page, (piece) => {
    const members = accountsIn(filter.wallet_address, 'm.member')
    const conditions = all([
      accountsIn(filter.address, 'w.account'),
      members && sql<boolean>`w.account in (select m.account from multisig_members m where ${members} and m.role in ${OWN_ROLES})`,
    ])
    return view.rows(
      sql<MultisigRow>`select * from (select w.*, ${ACCOUNT} from multisigs w join accounts a on a.account = w.account where ${conditions}) found
        where ${all([afterCursor(MULTISIGS, piece)])} order by ${orderBy(MULTISIGS, piece.sort)} limit ${piece.limit} offset ${piece.offset}`.compile(
        view.sql,
      ),
      'each',
    )
  })

export const findOrders = (
  view: View,
  filter: { readonly address?: readonly AccountId[] | undefined; readonly multisig_address?: readonly AccountId[] | undefined },
  page: PageParams,
): Promise<Page<OrderRow>> =>
  readPage(ORDERS, page, (piece) => {
    const conditions = all([accountsIn(filter.address, 'w.account'), accountsIn(filter.multisig_address, 'w.multisig')])
    return view.rows(
      sql<OrderRow>`select * from (select w.*, ${ACCOUNT} from multisig_orders w join accounts a on a.account = w.account where ${conditions}) found
        where ${all([afterCursor(ORDERS, piece)])} order by ${orderBy(ORDERS, piece.sort)} limit ${piece.limit} offset ${piece.offset}`.compile(
        view.sql,
      ),
      'each',
    )
  })

/** Maximum number of orders that are shown with a multisig. */
const MAX_ORDERS = 1000

/** Reads the orders of multisigs. For each multisig, those that changed last come first. */
export const ordersOf = (view: View, multisigs: readonly Buffer[]): Promise<OrderRow[]> =>
  multisigs.length === 0
    ? Promise.resolve([])
    : view.rows(
        sql<OrderRow>`select * from (
            select o.*, ${ACCOUNT}, row_number() over (partition by o.multisig order by a.last_trans_lt desc, o.account desc) as rank
            from multisig_orders o join accounts a on a.account = o.account where ${anyOf(sql.ref('o.multisig'), multisigs)}) found
          where rank <= ${MAX_ORDERS} order by multisig, rank`.compile(view.sql),
        'each',
      )

/** Reads the signers and proposers of contracts, in the order of the contract's list. */
export const membersOf = (view: View, accounts: readonly Buffer[]): Promise<MemberRow[]> =>
  accounts.length === 0
    ? Promise.resolve([])
    : view.rows(
        sql<MemberRow>`select * from multisig_members where ${anyOf(sql.ref('account'), accounts)} order by account, role, place`.compile(
          view.sql,
        ),
        'each',
      )

const BY_ACCOUNT: Order<VestingRow> = { name: 'g', parts: [bytesPart(sql.ref('account'), 36, (row) => row.account)] }

export interface VestingFilter {
  readonly contract_address?: readonly AccountId[] | undefined
  /** Address of the vesting wallet's owner or sender. */
  readonly wallet_address?: readonly AccountId[] | undefined
  readonly check_whitelist: boolean
}

export const findVestings = (view: View, filter: VestingFilter, page: Omit<PageParams, 'sort'>): Promise<Page<VestingRow>> =>
  readPage(BY_ACCOUNT, { ...page, sort: 'asc' }, (piece) => {
    const whitelisted = accountsIn(filter.wallet_address, 'l.wallet')
    const own = (column: string) => sql`select v.account from vestings v where ${accountsIn(filter.wallet_address, column)}`
    const conditions = all([
      accountsIn(filter.contract_address),
      whitelisted &&
        sql<boolean>`account in (${own('v.owner')} union ${own('v.sender')}
          ${filter.check_whitelist ? sql`union select l.account from vesting_whitelist l where ${whitelisted}` : sql``})`,
      afterCursor(BY_ACCOUNT, piece),
    ])
    return view.rows(
      sql<VestingRow>`select * from vestings where ${conditions} order by ${orderBy(BY_ACCOUNT, 'asc')} limit ${piece.limit} offset ${piece.offset}`.compile(
        view.sql,
      ),
      'each',
    )
  })

/** Whitelists of vesting wallets, in dictionary order. */
export const whitelistsOf = (view: View, accounts: readonly Buffer[]): Promise<{ readonly account: Buffer; readonly wallet: Buffer }[]> =>
  accounts.length === 0
    ? Promise.resolve([])
    : view.rows(
        sql<{ account: Buffer; wallet: Buffer }>`select account, wallet from vesting_whitelist where ${anyOf(sql.ref('account'), accounts)}
          order by account, place`.compile(view.sql),
        'each',
      )
