import type { ExtensionContext } from '../topic.ts'
import { type Item, itemLine, type SaleOfItem } from './items.ts'
import type { Sale } from './sales.ts'

/* An item and the sale that owns it have separate rows. The item's row also has data of the sale, so it is rewritten when either of them changes. */

interface SaleRow {
  account: Buffer
  kind: number
  item: Buffer | null
  seller: Buffer | null
  open: boolean
}

interface ItemRow {
  account: Buffer
  mc_seqno: number
  last_trans_lt: string
  first_lt: string
  init: boolean
  index: string
  collection: Buffer
  owner: Buffer | null
  content: string
  domain: string | null
}

const nameOf = (key: Buffer): string => key.toString('latin1')

const toItem = (row: ItemRow): Item => ({
  key: row.account,
  mcSeqno: row.mc_seqno,
  lastTransLt: row.last_trans_lt,
  firstLt: row.first_lt,
  init: row.init,
  index: row.index,
  collection: row.collection.length > 0 ? row.collection : undefined,
  owner: row.owner ?? undefined,
  content: JSON.parse(row.content) as Item['content'],
  domain: row.domain ?? undefined,
})

/**
 * Lines of the items that changed, and of the items whose owner is a sale that changed. `items`: changed items. `sales`: changed sales. `gone`: keys
 * of changed accounts that were items or sales before the block; those that still are appear in `items` and `sales` too.
 */
export const linkItems = async (
  items: readonly Item[],
  sales: readonly Sale[],
  gone: { readonly items: readonly Buffer[]; readonly sales: readonly Buffer[] },
  context: ExtensionContext,
): Promise<readonly string[]> => {
  // Fast path: most blocks change no item and no sale.
  if (items.length + sales.length + gone.items.length + gone.sales.length === 0) return []
  const changedSales = new Map<string, Sale>(sales.map((sale) => [nameOf(sale.key), sale]))
  const touchedSales = new Set([...changedSales.keys(), ...gone.sales.map(nameOf)])
  const touchedItems = new Set([...items.map(({ key }) => nameOf(key)), ...gone.items.map(nameOf)])

  const held =
    touchedSales.size === 0
      ? []
      : await context.rows<ItemRow>(
          'select account, mc_seqno, last_trans_lt, first_lt, init, index, collection, owner, content, domain from nft_items where owner = any($1::bytea[])',
          [[...touchedSales].map((name) => Buffer.from(name, 'latin1'))],
        )
  const all = [...items, ...held.filter(({ account }) => !touchedItems.has(nameOf(account))).map(toItem)]

  const owners = new Map<string, Buffer>()
  for (const { owner } of all) if (owner && !touchedSales.has(nameOf(owner))) owners.set(nameOf(owner), owner)
  const stored =
    owners.size === 0
      ? []
      : await context.rows<SaleRow>('select account, kind, item, seller, open from nft_sales where account = any($1::bytea[])', [
          [...owners.values()],
        ])
  const bySale = new Map<string, SaleOfItem & { readonly item: Buffer | undefined }>(changedSales)
  for (const { account, kind, item, seller, open } of stored)
    bySale.set(nameOf(account), { key: account, kind, item: item ?? undefined, seller: seller ?? undefined, open })

  return all.map((item) => {
    const sale = item.owner && bySale.get(nameOf(item.owner))
    // Ignore a sale contract that sells another item.
    return itemLine(item, sale?.item?.equals(item.key) ? sale : undefined)
  })
}
