import { nameOf } from '../../../store/row-keys.ts'
import { nftItems, nftSales } from '../../../store/schema/nfts.ts'
import { type Row, selectAll } from '../../../store/schema/select.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import type { TopicContext } from '../topic.ts'
import { type Item, itemRow, type SaleOfItem } from './items.ts'
import type { Sale } from './sales.ts'

/* An item and the sale that owns it have separate rows. The item's row also has data of the sale, so it is rewritten when either of them changes. */

const ITEMS_OF_OWNERS = selectAll(nftItems, 'where owner = any($1::bytea[])')

const toItem = (row: Row<typeof ITEMS_OF_OWNERS>): Item => ({
  key: row.account,
  mcSeqno: row.mc_seqno,
  lastTransLt: BigInt(row.last_trans_lt),
  firstLt: BigInt(row.first_lt),
  init: row.init,
  index: BigInt(row.index),
  collection: row.collection.length > 0 ? row.collection : undefined,
  owner: row.owner ?? undefined,
  content: JSON.parse(row.content) as Item['content'],
  domain: row.domain ?? undefined,
})

/**
 * Rows of the items that changed, and of the items whose owner is a sale that changed. `items`: changed items. `sales`: changed sales. `gone`: keys
 * of changed accounts that were items or sales before the block, or may have been; those that still are appear in `items` and `sales` too.
 */
export const linkItems = async (
  items: readonly Item[],
  sales: readonly Sale[],
  gone: { readonly items: readonly Buffer[]; readonly sales: readonly Buffer[] },
  context: TopicContext,
): Promise<readonly WriteRow<typeof nftItems>[]> => {
  // Fast path: most blocks change no item and no sale.
  if (items.length + sales.length + gone.items.length + gone.sales.length === 0) return []
  const changedSales = new Map<string, SaleOfItem>(sales.map((sale) => [nameOf(sale.account), sale]))
  const touchedSales = new Set([...changedSales.keys(), ...gone.sales.map(nameOf)])
  const touchedItems = new Set([...items.map(({ key }) => nameOf(key)), ...gone.items.map(nameOf)])

  const held =
    touchedSales.size === 0 ? [] : await context.rows(ITEMS_OF_OWNERS, [[...touchedSales].map((name) => Buffer.from(name, 'latin1'))])
  const all = [...items, ...held.filter(({ account }) => !touchedItems.has(nameOf(account))).map(toItem)]

  const owners = new Map<string, Buffer>()
  for (const { owner } of all) if (owner && !touchedSales.has(nameOf(owner))) owners.set(nameOf(owner), owner)
  const stored = await context.accountRows(nftSales, [...owners.values()])
  const bySale = new Map(changedSales)
  for (const [key, [sale]] of stored) bySale.set(key, sale!)

  return all.map((item) => {
    const sale = item.owner && bySale.get(nameOf(item.owner))
    // Ignore a sale contract that sells another item.
    return itemRow(item, sale?.item?.equals(item.key) ? sale : undefined)
  })
}
