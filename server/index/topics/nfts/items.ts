import { inParallel } from '../../../base/in-parallel.ts'
import type { Cell } from '../../../cell/cell.ts'
import type { nftItems, nftSales } from '../../../store/schema/nfts.ts'
import type { ReadRow, WriteRow } from '../../../store/schema/table.ts'
import { tokenContent } from '../contracts/content.ts'
import { address, cell, cellValue, int, intValue, stackOf } from '../contracts/stack-values.ts'
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

// get_nft_data: init:int index:int collection:slice owner:slice content:cell
const claimOf = async (account: AccountView, context: TopicContext) => {
  const stack = stackOf(await context.run(account, 'get_nft_data'), 5)
  const init = int(stack?.[0])
  const index = int(stack?.[1])
  const collection = address(stack?.[2])
  const owner = address(stack?.[3])
  if (init === undefined || index === undefined || collection === undefined || owner === undefined) return undefined
  return { account, init: init !== 0n, index, collection, owner, individual: cell(stack?.[4]) }
}
type Claim = NonNullable<Awaited<ReturnType<typeof claimOf>>>

// get_nft_address_by_index: index:int -> item:slice
const isAgreedBy = async (collection: AccountView | undefined, claim: Claim, context: TopicContext): Promise<boolean> => {
  if (collection?.status !== 'active') return false
  const stack = stackOf(await context.run(collection, 'get_nft_address_by_index', [intValue(claim.index)]), 1)
  return address(stack?.[0])?.equals(claim.account.key) === true
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
    whole = cell(stackOf(await context.run(collection, 'get_nft_content', [intValue(index), cellValue(individual)]), 1)?.[0])
  }
  return (whole && tokenContent(whole)) ?? tokenContent(individual) ?? {}
}

/** Finds items among accounts whose code has get_nft_data: items without a collection, and items that their collection confirms. */
export const evaluateItems = async (accounts: readonly AccountView[], context: TopicContext): Promise<readonly ItemAccount[]> => {
  if (accounts.length === 0) return []
  await context.states(accounts)
  const claims = (await inParallel(accounts, (account) => claimOf(account, context))).filter((claim) => claim !== undefined)
  const collections = await context.accounts(claims.map(({ collection }) => collection ?? NO_COLLECTION).filter((key) => key.length > 0))
  let next = 0
  const placed = claims.map((claim) => ({ claim, collection: claim.collection === null ? undefined : collections[next++] }))
  const first = await context.firstLts(claims.map(({ account }) => account))
  const items = await inParallel([...placed.entries()], async ([i, { claim, collection }]): Promise<ItemAccount | undefined> => {
    if (claim.collection !== null && !(await isAgreedBy(collection, claim, context))) return undefined
    const { account, init, index, owner } = claim
    const item: Item = {
      key: account.key,
      mcSeqno: account.mcSeqno,
      lastTransLt: account.lastTransLt,
      firstLt: first[i]!,
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
