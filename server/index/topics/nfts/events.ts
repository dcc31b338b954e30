import { accountKey } from '../../../store/keys.ts'
import { type BodyAddress, loadNftTransfer, NFT_TRANSFER } from '../../../tlb/message/token-messages.ts'
import { bool, bytes, line, maybe, maybeBytes } from '../../derive/rows/text.ts'
import { isAborted, tookOrder } from '../contracts/orders.ts'
import { bocOf } from '../contracts/read.ts'
import type { BlockView, ExtensionContext } from '../topic.ts'
import type { Item } from './items.ts'

type Known = Pick<Item, 'collection' | 'owner'>

const keyOf = (address: BodyAddress): Buffer | undefined => (address === null ? undefined : accountKey(address.workchain, address.hash))
const payload = (cell: Parameters<typeof bocOf>[0] | undefined): string => maybeBytes(cell && bocOf(cell))

/** Transfer requests that items received, including failed ones. An account counts if it is an item before or after the block. */
export const nftEvents = async (
  { transactions, mcSeqno }: BlockView,
  after: readonly Item[],
  context: ExtensionContext,
): Promise<readonly string[]> => {
  const transfers = transactions.filter((placed) => tookOrder(placed, NFT_TRANSFER))
  if (transfers.length === 0) return []
  const rows = await context.rows<{ account: Buffer; collection: Buffer; owner: Buffer | null }>(
    'select account, collection, owner from nft_items where account = any($1::bytea[])',
    [transfers.map(({ account }) => account)],
  )
  const name = (key: Buffer): string => key.toString('latin1')
  // The current owner of each item, updated from transaction to transaction.
  const known = new Map<string, Known>()
  for (const item of after) known.set(name(item.key), { collection: item.collection, owner: undefined })
  for (const { account, collection, owner } of rows)
    known.set(name(account), { collection: collection.length > 0 ? collection : undefined, owner: owner ?? undefined })

  return transfers.flatMap(({ account, tx, hash, traceId }) => {
    const item = known.get(name(account))
    const order = item && loadNftTransfer(tx.inMsg!.body)
    if (!item || !order) return []
    const aborted = isAborted(tx)
    const { info } = tx.inMsg!
    // An item accepts a transfer only from its owner, so the sender of a successful one is the owner.
    const source = info.type === 'internal' ? info.src : undefined
    const sender = source?.type === 'std' ? accountKey(source.workchain, source.hash) : undefined
    const owner = aborted ? item.owner : (sender ?? item.owner)
    const newOwner = keyOf(order.newOwner)
    if (!aborted) known.set(name(account), { ...item, owner: newOwner })
    return line([
      bytes(account),
      String(tx.lt),
      String(mcSeqno),
      bytes(hash),
      bytes(traceId),
      String(tx.now),
      bool(aborted),
      String(order.queryId),
      bytes(item.collection ?? Buffer.alloc(0)),
      maybeBytes(owner),
      maybeBytes(newOwner),
      maybeBytes(keyOf(order.responseDestination)),
      payload(order.customPayload),
      maybe(order.forwardAmount),
      payload(order.forwardPayload),
    ])
  })
}
