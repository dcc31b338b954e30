import { mapWithPauses } from '../../../base/yield.ts'
import { accountKey, nameOf } from '../../../store/row-keys.ts'
import { nftItems, type nftTransfers } from '../../../store/schema/nfts.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import { loadNftTransfer, NFT_TRANSFER } from '../../../tlb/message/token-messages.ts'
import { isAborted, keyOfBodyAddress, receivedRequest, requestColumns } from '../contracts/received-requests.ts'
import { maybeBocOf } from '../contracts/stack-values.ts'
import type { BlockView, TopicContext } from '../topic.ts'
import type { Item } from './items.ts'

type ItemState = Pick<Item, 'collection' | 'owner'>

/** Returns the transfer requests that items received, including failed ones. An account counts as an item if it is one before or after the block. */
export const nftEvents = async (
  { transactions, mcSeqno }: BlockView,
  after: readonly Item[],
  context: TopicContext,
): Promise<readonly WriteRow<typeof nftTransfers>[]> => {
  const transfers = transactions.filter((placed) => receivedRequest(placed, NFT_TRANSFER))
  if (transfers.length === 0) return []
  const stored = await context.accountRows(
    nftItems,
    transfers.map(({ account }) => account),
  )
  // `owner` is updated from transaction to transaction.
  const items = new Map<string, ItemState>()
  for (const { account, collection } of after) items.set(nameOf(account), { collection, owner: null })
  for (const [key, [row]] of stored) items.set(key, row!)

  // The payloads of one message can have thousands of cells.
  const rows = await mapWithPauses(transfers, (placed) => {
    const { account, tx } = placed
    const item = items.get(nameOf(account))
    const request = item && loadNftTransfer(tx.inMsg!.body)
    if (!item || !request) return []
    const aborted = isAborted(tx)
    const { info } = tx.inMsg!
    // An item accepts a transfer only from its owner, so the sender of a successful transfer is the owner.
    const source = info.type === 'internal' ? info.src : undefined
    const sender = source?.type === 'std' ? accountKey(source.workchain, source.hash) : undefined
    const owner = aborted ? item.owner : (sender ?? item.owner)
    const newOwner = keyOfBodyAddress(request.newOwner)
    if (!aborted) items.set(nameOf(account), { ...item, owner: newOwner })
    return {
      ...requestColumns(placed, mcSeqno),
      aborted,
      query_id: request.queryId,
      collection: item.collection,
      old_owner: owner,
      new_owner: newOwner,
      response_destination: keyOfBodyAddress(request.responseDestination),
      custom_payload: maybeBocOf(request.customPayload),
      forward_amount: request.forwardAmount,
      forward_payload: maybeBocOf(request.forwardPayload),
    }
  })
  return rows.flat()
}
