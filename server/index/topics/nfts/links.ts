import type { Connection } from '../../../store/postgres/connection.ts'
import { nameOf } from '../../../store/row-keys.ts'
import { accounts } from '../../../store/schema/accounts.ts'
import { indexCheckpoint } from '../../../store/schema/head.ts'
import { nftItems, nftSales } from '../../../store/schema/nfts.ts'
import { type Row, select, selectAll } from '../../../store/schema/select.ts'
import type { ReadRow, WriteRow } from '../../../store/schema/table.ts'
import type { TopicContext } from '../topic.ts'
import type { Item } from './items.ts'
import type { Sale, SaleOfItem } from './sales.ts'

/* An item's row also has data of the sale that owns the item. The row is rewritten when the item or the sale changes. */

const ITEMS_OF_OWNERS = selectAll(nftItems, 'where owner = any($1::bytea[])')

const toItem = ({ last_trans_lt, first_lt, index, ...row }: Row<typeof ITEMS_OF_OWNERS>): Item => ({
  ...row,
  last_trans_lt: BigInt(last_trans_lt),
  first_lt: BigInt(first_lt),
  index: BigInt(index),
})

const ITEMS_FOR_SALE = select(nftSales, ['item'], 'where account = any($1::bytea[]) and item is not null')

/** Keys of the items that these accounts sell. */
export const itemsOfSales = async (read: TopicContext['stored'], accounts: readonly Buffer[]): Promise<readonly Buffer[]> =>
  (await read(ITEMS_FOR_SALE, [accounts])).map(({ item }) => item!)

/**
 * Joins the sales of a range to the index (backfill/). If a sale changed in the range but its item did not, the item's row gets the data of the sale.
 * `schema`: the range's tables. `changed`: accounts that changed in the range.
 */
export const moveSales = async (query: Connection['query'], schema: string, changed: readonly Buffer[]): Promise<void> => {
  const items = await query<Pick<ReadRow<typeof nftItems>, 'account' | 'real_owner' | 'sale' | 'sale_kind'>>(
    `select i.account, i.real_owner, i.sale, i.sale_kind from ${schema}.${nftItems.name} i join ${schema}.${accounts.name} a on a.account = i.account
     where i.owner = any($1::bytea[]) and a.mc_seqno < (select first_mc_seqno from ${schema}.${indexCheckpoint.name})`,
    [changed],
  )
  if (items.length === 0) return
  await query(
    `update ${nftItems.name} as i set real_owner = c.real_owner, sale = c.sale, sale_kind = c.sale_kind
     from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::smallint[]) as c(account, real_owner, sale, sale_kind) where i.account = c.account`,
    (['account', 'real_owner', 'sale', 'sale_kind'] as const).map((name) => items.map((item) => item[name])),
  )
}

/**
 * Returns the rows of the items that changed, and of the items whose owner is a sale that changed. `items`, `sales`: what changed. `gone`: keys of changed
 * accounts that were, or may have been, items or sales before the block. Accounts that still are items or sales are also in `items` and `sales`.
 */
export const linkItems = async (
  items: readonly Item[],
  sales: readonly Sale[],
  gone: { readonly items: readonly Buffer[]; readonly sales: readonly Buffer[] },
  context: TopicContext,
): Promise<readonly WriteRow<typeof nftItems>[]> => {
  if (items.length + sales.length + gone.items.length + gone.sales.length === 0) return []
  const bySale = new Map<string, SaleOfItem>(sales.map((sale) => [nameOf(sale.account), sale]))
  const touchedSales = new Set([...bySale.keys(), ...gone.sales.map(nameOf)])
  const touchedItems = new Set([...items.map(({ account }) => nameOf(account)), ...gone.items.map(nameOf)])

  const owned =
    touchedSales.size === 0 ? [] : await context.rows(ITEMS_OF_OWNERS, [[...touchedSales].map((name) => Buffer.from(name, 'latin1'))])
  const all = [...items, ...owned.filter(({ account }) => !touchedItems.has(nameOf(account))).map(toItem)]

  const owners = new Map<string, Buffer>()
  for (const { owner } of all) if (owner && !touchedSales.has(nameOf(owner))) owners.set(nameOf(owner), owner)
  const stored = await context.accountRows(nftSales, [...owners.values()])
  for (const [key, [sale]] of stored) bySale.set(key, sale!)

  return all.map((item) => {
    const owner = item.owner && bySale.get(nameOf(item.owner))
    // A sale contract for another item counts as a plain owner.
    const sale = owner?.item?.equals(item.account) ? owner : undefined
    const open = sale?.open ? sale : undefined
    return { ...item, real_owner: sale?.seller ?? item.owner, sale: open?.account, sale_kind: open?.kind }
  })
}
