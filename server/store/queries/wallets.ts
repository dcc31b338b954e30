import { sql } from 'kysely'
import { nameOf } from '../row-keys.ts'
import type { Tables } from '../schema/tables.ts'
import { vestings } from '../schema/wallets.ts'
import { isAccount, isAny, type ListParams, OF_STATE, type StateColumns } from './conditions.ts'
import { limitedTo, lookUp } from './look-up.ts'
import { all, type Condition, findPage, type Order, orderOf, type Page, type PageParams, pageRows, toPage, withState } from './order.ts'
import type { View } from './view.ts'

export type MultisigRow = Tables['multisigs'] & StateColumns
export type OrderRow = Tables['multisig_orders'] & StateColumns
export type MemberRow = Tables['multisig_members']
export type VestingRow = Tables['vestings']

/** Roles in multisig_members that belong to the multisig itself, and not to an order. */
const OWN_ROLES = sql.raw('(0, 1)')

/** Orders contracts by the last transactions of their accounts. */
const byChange = <Row extends MultisigRow | OrderRow>(table: string, name: string): Order<Row> => ({
  table,
  name,
  parts: [
    { column: sql.ref('last_trans_lt'), type: 'bigint', of: (row) => row.last_trans_lt },
    { column: sql.ref('account'), type: 'bytea', of: (row) => row.account },
  ],
  tiesAscend: false,
})
const MULTISIGS = byChange<MultisigRow>('multisigs', 'u')
const ORDERS = byChange<OrderRow>('multisig_orders', 'q')

const findContracts = async <Row>(view: View, order: Order<Row>, page: PageParams, where: readonly Condition[]): Promise<Page<Row>> => {
  const contracts = withState(sql`select * from ${sql.table(order.table)} where ${all(where)}`, order.table, OF_STATE)
  return toPage(order, page, await view.rows(pageRows(order, page, [], sql`(${contracts}) as found`), 'each'))
}

export const findMultisigs = (view: View, params: ListParams<'v3.multisig.wallets'>): Promise<Page<MultisigRow>> => {
  const isMember = isAccount('m.member', params.wallet_address)
  return findContracts(view, MULTISIGS, params, [
    isAccount('account', params.address),
    isMember && sql<boolean>`account in (select m.account from multisig_members m where ${isMember} and m.role in ${OWN_ROLES})`,
  ])
}

export const findOrders = (view: View, params: ListParams<'v3.multisig.orders'>): Promise<Page<OrderRow>> =>
  findContracts(view, ORDERS, params, [isAccount('account', params.address), isAccount('multisig', params.multisig_address)])

/** Maximum number of orders that are shown with a multisig. */
const MAX_ORDERS = 1000
/** Maximum numbers of rows that one answer reads. Anybody can make multisigs with a thousand orders each, orders with 256 signers each, and long whitelists. */
const MAX_READ = { orders: 20_000, members: 300_000 } as const

/** Bytes of an order's row without its BoC. */
const BYTES_OF_ORDER = 200

/** Reads the orders of multisigs. For each multisig, those that changed last come first. */
export const ordersOf = async (view: View, keys: readonly Buffer[]): Promise<readonly OrderRow[]> => {
  if (keys.length === 0) return []
  const orders = withState(sql`select * from multisig_orders where ${isAny('multisig', keys)}`, 'multisig_orders', OF_STATE)
  const listed = await view.rows(
    sql<{ account: Buffer; bytes: number | null }>`select account, octet_length(order_boc) as bytes from (
        select *, row_number() over (partition by multisig order by last_trans_lt desc, account desc) as rank from (${orders}) as found) as ranked
      where rank <= ${MAX_ORDERS} order by multisig, rank limit ${MAX_READ.orders + 1}`,
    'each',
  )
  const accounts = limitedTo(MAX_READ.orders, listed, 'limit').map(({ account }) => account)
  if (accounts.length === 0) return []
  view.expectBytes(listed.reduce((sum, { bytes }) => sum + (bytes ?? 0), listed.length * BYTES_OF_ORDER))
  const found = withState<OrderRow>(sql`select * from multisig_orders where ${isAny('account', accounts)}`, 'multisig_orders', OF_STATE)
  const byAccount = new Map((await view.rows(found, 'generic')).map((row) => [nameOf(row.account), row]))
  return accounts.flatMap((account) => byAccount.get(nameOf(account)) ?? [])
}

/** Reads the signers and proposers of contracts, in the order of the contract's list. */
export const membersOf = lookUp({
  from: 'multisig_members',
  by: 'account',
  orderBy: 'account, role, place',
  most: MAX_READ.members,
})

const BY_ACCOUNT = orderOf(vestings, 'g', ['account'])

export const findVestings = (view: View, params: ListParams<'v3.vesting'>): Promise<Page<VestingRow>> => {
  const { wallet_address: wallets, check_whitelist } = params
  const whitelisted = sql`union select l.account from vesting_whitelist l where ${isAccount('l.wallet', wallets)}`
  const where = [
    isAccount('account', params.contract_address),
    wallets &&
      sql<boolean>`account in (select v.account from vestings v where ${isAccount('v.owner', wallets)}
        union select v.account from vestings v where ${isAccount('v.sender', wallets)} ${check_whitelist ? whitelisted : sql``})`,
  ]
  return findPage(view, BY_ACCOUNT, { ...params, sort: 'asc' }, where, { planned: 'each' })
}

/** Whitelists of vesting wallets, in dictionary order. */
export const whitelistsOf = lookUp({
  from: 'vesting_whitelist',
  by: 'account',
  columns: ['account', 'wallet'],
  orderBy: 'account, place',
  most: MAX_READ.members,
})
