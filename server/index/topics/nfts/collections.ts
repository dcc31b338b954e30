import type { nftCollections } from '../../../store/schema/nfts.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import { tokenContent } from '../contracts/content.ts'
import { evaluateEach } from '../contracts/detect.ts'
import { address, cell, int, readAnswer } from '../contracts/stack-values.ts'
import type { AccountView, TopicContext } from '../topic.ts'

type CollectionRow = WriteRow<typeof nftCollections>

/** Rows of NFT collections. Content that cannot be read is stored as an empty object. */
export const evaluateCollections = async (accounts: readonly AccountView[], context: TopicContext): Promise<readonly CollectionRow[]> => {
  const firstLt = await context.firstLts(accounts)
  // get_collection_data: next_item_index:int content:cell owner:slice
  return evaluateEach(accounts, context, async (account): Promise<CollectionRow | undefined> => {
    const read = readAnswer(await context.run(account, 'get_collection_data'), int, cell, address)
    if (read === undefined) return undefined
    const [next, content, owner] = read
    return {
      account: account.key,
      mc_seqno: account.mcSeqno,
      next_item_index: next,
      owner,
      content: tokenContent(content) ?? '{}',
      first_lt: firstLt(account),
    }
  })
}
