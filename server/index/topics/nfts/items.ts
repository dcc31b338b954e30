import { inParallel } from '../../../base/in-parallel.ts'
import type { Cell } from '../../../cell/cell.ts'
import { distinct, nameOf } from '../../../store/row-keys.ts'
import type { nftItems } from '../../../store/schema/nfts.ts'
import type { ReadRow, WriteRow } from '../../../store/schema/table.ts'
import type { VmStackValue } from '../../../tlb/vm-stack/vm-stack.ts'
import { tokenContent } from '../contracts/content.ts'
import { evaluateEach } from '../contracts/detect.ts'
import { address, cell, cellValue, int, intValue, isConfirmed, readAnswer } from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'

/** A row of an item. The collection, if there is one, has confirmed the item. Until `linkItems` it has no sale. */
export type Item = WriteRow<typeof nftItems> & Pick<ReadRow<typeof nftItems>, 'account' | 'collection' | 'owner' | 'content'>

export interface ItemAccount {
  readonly item: Item
  readonly account: AccountView
}

/** The collection in the row of an item without one. */
const NO_COLLECTION = Buffer.alloc(0)

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
const contentOf = async (collection: AccountView | undefined, { index, individual }: Claim, context: TopicContext): Promise<string> => {
  if (individual === undefined) return '{}'
  let whole: Cell | undefined = individual
  if (collection !== undefined) {
    const stack = [intValue(index), cellValue(individual)]
    whole = readAnswer(await context.run(collection, 'get_nft_content', stack), cell)?.[0]
  }
  return (whole && tokenContent(whole)) ?? tokenContent(individual) ?? '{}'
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
      account: account.key,
      mc_seqno: account.mcSeqno,
      last_trans_lt: account.lastTransLt,
      init,
      index,
      collection: claim.collection ?? NO_COLLECTION,
      owner,
      real_owner: owner,
      sale: null,
      sale_kind: null,
      content: init ? await contentOf(collection, claim, context) : '{}',
      domain: null,
      first_lt: firstLt(account),
    }
    return { item, account }
  })
  return items.filter((item) => item !== undefined)
}
