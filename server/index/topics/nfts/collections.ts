import { inParallel } from '../../../base/in-parallel.ts'
import type { nftCollections } from '../../../store/schema/nfts.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import { tokenContent } from '../contracts/content.ts'
import { address, cell, int, stackOf } from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'

type CollectionRow = WriteRow<typeof nftCollections>

/** Rows of NFT collections. Content that cannot be read is stored as an empty object. */
export const evaluateCollections = async (accounts: readonly AccountView[], context: TopicContext): Promise<readonly CollectionRow[]> => {
  if (accounts.length === 0) return []
  await context.states(accounts)
  const first = await context.firstLts(accounts)
  const rows = await inParallel([...accounts.entries()], ([i, account]) => evaluate(account, first[i]!, context))
  return rows.filter((row) => row !== undefined)
}

// get_collection_data: next_item_index:int content:cell owner:slice
const evaluate = async (account: AccountView, firstLt: bigint, context: TopicContext): Promise<CollectionRow | undefined> => {
  const stack = stackOf(await context.run(account, 'get_collection_data'), 3)
  const next = int(stack?.[0])
  const content = cell(stack?.[1])
  const owner = address(stack?.[2])
  if (next === undefined || !content || owner === undefined) return undefined
  return {
    account: account.key,
    mc_seqno: account.mcSeqno,
    next_item_index: next,
    owner,
    content: JSON.stringify(tokenContent(content) ?? {}),
    first_lt: firstLt,
  }
}
