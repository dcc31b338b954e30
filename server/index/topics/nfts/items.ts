import { inParallel } from '../../../base/in-parallel.ts'
import type { Cell } from '../../../cell/cell.ts'
import { distinct, nameOf } from '../../../store/row-keys.ts'
import type { nftItems, nftSales } from '../../../store/schema/nfts.ts'
import type { ReadRow, WriteRow } from '../../../store/schema/table.ts'
import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { tokenContent } from '../contracts/content.ts'
import { evaluateEach } from '../contracts/detect.ts'
import { address, cell, cellValue, int, intValue, isConfirmed, readAnswer } from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'

/** An item with the results of its get-method. The collection, if there is one, has confirmed the item. */
export interface Item {
  readonly key: Buffer
  readonly mcSeqno: number
  readonly lastTransLt: bigint
  /** The lt at which the index first saw the account. */
  readonly firstLt: bigint
  readonly init: boolean
  readonly index: bigint
  /** Undefined for an item without a collection. */
  readonly collection: Buffer | undefined
  readonly owner: Buffer | undefined
  readonly content: Readonly<Record<string, unknown>>
  readonly domain: string | undefined
}

export type SaleOfItem = Pick<ReadRow<typeof nftSales>, 'account' | 'kind' | 'item' | 'seller' | 'open'>

export interface ItemAccount {
  readonly item: Item
  readonly account: AccountView
}

export const NO_COLLECTION = Buffer.alloc(0)

/** Creates a row of nft_items. `sale`: the item's owner, if that is a sale contract for this item. */
export const itemRow = (item: Item, sale: SaleOfItem | undefined): WriteRow<typeof nftItems> => ({
  account: item.key,
  mc_seqno: item.mcSeqno,
  last_trans_lt: item.lastTransLt,
  init: item.init,
  index: item.index,
  collection: item.collection ?? NO_COLLECTION,
  owner: item.owner,
  real_owner: sale?.seller ?? item.owner,
  sale: sale?.open ? sale.account : undefined,
  sale_kind: sale?.open ? sale.kind : undefined,
  content: JSON.stringify(item.content),
  domain: item.domain,
  first_lt: item.firstLt,
})

interface Claim {
  readonly account: AccountView
  readonly init: boolean
  readonly index: bigint
  /** Null for an item without a collection. */
  readonly collection: Buffer | null
  readonly owner: Buffer | null
  readonly individual: Cell | undefined
}

// get_nft_data: init:int index:int collection:slice owner:slice content:cell
const claimOf = async (account: AccountView, context: TopicContext): Promise<Claim | undefined> => {
  const anything = (value: VmStackValue | undefined) => value
  const read = readAnswer(await context.run(account, 'get_nft_data'), int, int, address, address, anything)
  if (read === undefined) return undefined
  const [init, index, collection, owner, content] = read
  return { account, init: init !== 0n, index, collection, owner, individual: cell(content) }
}

// get_nft_content: index:int individual_content:cell -> content:cell
const contentOf = async (
  collection: AccountView | undefined,
  { index, individual }: Claim,
  context: TopicContext,
): Promise<Item['content']> => {
  if (individual === undefined) return {}
  let whole: Cell | undefined = individual
  if (collection !== undefined) {
    const stack = [intValue(index), cellValue(individual)]
    whole = readAnswer(await context.run(collection, 'get_nft_content', stack), cell)?.[0]
  }
  return (whole && tokenContent(whole)) ?? tokenContent(individual) ?? {}
}

/** Finds items among accounts whose code has get_nft_data: items without a collection, and items that their collection confirms. */
export const evaluateItems = async (accounts: readonly AccountView[], context: TopicContext): Promise<readonly ItemAccount[]> => {
  const claims = await evaluateEach(accounts, context, claimOf)
  const keys = distinct(claims.map(({ collection }) => collection))
  const collections = new Map((await context.accounts(keys)).map((collection, i) => [nameOf(keys[i]!), collection]))
  const firstLt = await context.firstLts(claims.map(({ account }) => account))
  const items = await inParallel(claims, async (claim): Promise<ItemAccount | undefined> => {
    const { account, init, index, owner } = claim
    const collection = claim.collection === null ? undefined : collections.get(nameOf(claim.collection))
    // get_nft_address_by_index: index:int -> item:slice
    const isItem =
      claim.collection === null || (await isConfirmed(account, collection, 'get_nft_address_by_index', [intValue(index)], context))
    if (!isItem) return undefined
    const item: Item = {
      key: account.key,
      mcSeqno: account.mcSeqno,
      lastTransLt: account.lastTransLt,
      firstLt: firstLt(account),
      init,
      index,
      collection: claim.collection ?? undefined,
      owner: owner ?? undefined,
      content: init ? await contentOf(collection, claim, context) : {},
      domain: undefined,
    }
    return { item, account }
  })
  return items.filter((item) => item !== undefined)
}
