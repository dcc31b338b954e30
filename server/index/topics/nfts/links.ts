import type { Connection } from '../../../store/postgres/connection.ts'
import { distinct, nameOf } from '../../../store/row-keys.ts'
import { accounts } from '../../../store/schema/accounts.ts'
import { indexCheckpoint } from '../../../store/schema/head.ts'
import { nftItems, nftSales } from '../../../store/schema/nfts.ts'
import { select, selectAll } from '../../../store/schema/select.ts'
import type { ReadRow, WriteRow } from '../../../store/schema/table.ts'
import type { TopicContext } from '../topic.ts'
import type { Item } from './items.ts'
import type { Sale, SaleOfItem } from './sales.ts'

/* An item's row also has data of the sale that owns the item. The row is rewritten when the item or the sale changes. */

/** Selects items of owners with data of a sale. A sale can own any number of items, but only the one that it names has its data. */
const LINKED_ITEMS = selectAll(nftItems, 'where owner = any($1::bytea[]) and (sale is not null or real_owner is distinct from owner)')

const toItem = ({ last_trans_lt, first_lt, index, ...row }: ReadRow<typeof nftItems>): Item => ({
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

/** Accounts that changed, and were or may have been items or sales before the block. */
interface Gone {
  readonly items: readonly Buffer[]
  /** Sales with rows. */
  readonly sales: readonly Buffer[]
  /** Accounts whose rows a revert has deleted. */
  readonly undone: readonly Buffer[]
}

/** Reads the rows of items whose data of a sale can change because sales changed: those that the sales name now, and those that they named before. */
const itemsToLink = async (sales: readonly Sale[], gone: Gone, context: TopicContext): Promise<readonly ReadRow<typeof nftItems>[]> => {
  const before = await context.accountRows(nftSales, gone.sales)
  const named = distinct([...sales.map(({ item }) => item), ...[...before.values()].map(([sale]) => sale!.item)])
  const found = [...(await context.accountRows(nftItems, named)).values()].map(([item]) => item!)
  return gone.undone.length === 0 ? found : [...found, ...(await context.rows(LINKED_ITEMS, [gone.undone]))]
}

/**
 * Returns the rows of the items that changed, and of the items of sales that changed. `items`, `sales`: what changed. Accounts of `gone` that still are items
 * or sales are also in `items` and `sales`.
 */
export const linkItems = async (
  items: readonly Item[],
  sales: readonly Sale[],
  gone: Gone,
  context: TopicContext,
): Promise<readonly WriteRow<typeof nftItems>[]> => {
  if (items.length + sales.length + gone.items.length + gone.sales.length + gone.undone.length === 0) return []
  const bySale = new Map<string, SaleOfItem>(sales.map((sale) => [nameOf(sale.account), sale]))
  const touchedSales = new Set([...bySale.keys(), ...[...gone.sales, ...gone.undone].map(nameOf)])
  const touchedItems = new Set([...items.map(({ account }) => nameOf(account)), ...gone.items.map(nameOf)])

  const linked = new Map<string, Item>()
  for (const row of await itemsToLink(sales, gone, context)) {
    const name = nameOf(row.account)
    if (!touchedItems.has(name) && row.owner !== null && touchedSales.has(nameOf(row.owner))) linked.set(name, toItem(row))
  }
  const all = [...items, ...linked.values()]

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
