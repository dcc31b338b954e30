import { accountKey } from '../../../store/keys.ts'
import { type BodyAddress, JETTON_BURN, JETTON_TRANSFER, loadJettonBurn, loadJettonTransfer } from '../../../tlb/message/token-messages.ts'
import { bool, bytes, line, maybe, maybeBytes } from '../../derive/rows/text.ts'
import { isAborted, tookOrder } from '../contracts/orders.ts'
import { bocOf } from '../contracts/read.ts'
import type { BlockView, ExtensionContext, PlacedTransaction } from '../topic.ts'
import { type WalletOf, walletsBefore } from './wallets.ts'

/** Column for an account; null for addr_none. */
const party = (address: BodyAddress): string => maybeBytes(address === null ? undefined : accountKey(address.workchain, address.hash))
const payload = (cell: Parameters<typeof bocOf>[0] | undefined): string => maybeBytes(cell && bocOf(cell))

/**
 * Transfer and burn requests that jetton wallets received. An account counts if it is a wallet before or after the block. Failed transfers are left
 * out; failed burns are not.
 */
export const jettonEvents = async (
  { transactions, mcSeqno }: BlockView,
  after: readonly WalletOf[],
  context: ExtensionContext,
): Promise<{ readonly jetton_transfers: readonly string[]; readonly jetton_burns: readonly string[] }> => {
  const transfers = transactions.filter((placed) => tookOrder(placed, JETTON_TRANSFER) && !isAborted(placed.tx))
  const burns = transactions.filter((placed) => tookOrder(placed, JETTON_BURN))
  if (transfers.length + burns.length === 0) return { jetton_transfers: [], jetton_burns: [] }
  const before = await walletsBefore(
    context,
    [...transfers, ...burns].map(({ account }) => account),
  )
  const now = new Map(after.map((wallet) => [wallet.key.toString('latin1'), wallet]))
  const walletOf = ({ account }: PlacedTransaction): WalletOf | undefined => {
    const name = account.toString('latin1')
    return before.get(name) ?? now.get(name)
  }
  const place = ({ account, tx, hash, traceId }: PlacedTransaction): string[] => [
    bytes(account),
    String(tx.lt),
    String(mcSeqno),
    bytes(hash),
    bytes(traceId),
    String(tx.now),
  ]
  return {
    jetton_transfers: transfers.flatMap((placed) => {
      const wallet = walletOf(placed)
      const order = wallet && loadJettonTransfer(placed.tx.inMsg!.body)
      if (!wallet || !order) return []
      return line([
        ...place(placed),
        String(order.queryId),
        String(order.amount),
        bytes(wallet.owner),
        party(order.destination),
        bytes(wallet.jetton),
        party(order.responseDestination),
        payload(order.customPayload),
        maybe(order.forwardTonAmount),
        payload(order.forwardPayload),
      ])
    }),
    jetton_burns: burns.flatMap((placed) => {
      const wallet = walletOf(placed)
      const order = wallet && loadJettonBurn(placed.tx.inMsg!.body)
      if (!wallet || !order) return []
      return line([
        ...place(placed),
        bool(isAborted(placed.tx)),
        String(order.queryId),
        String(order.amount),
        bytes(wallet.owner),
        bytes(wallet.jetton),
        party(order.responseDestination),
        payload(order.customPayload),
      ])
    }),
  }
}
