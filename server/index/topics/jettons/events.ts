import { mapWithPauses } from '../../../base/yield.ts'
import { JETTON_BURN, JETTON_TRANSFER, loadJettonBurn, loadJettonTransfer } from '../../../tlb/message/token-messages.ts'
import { isAborted, keyOfBodyAddress, receivedRequest, requestColumns } from '../contracts/received-requests.ts'
import { maybeBocOf } from '../contracts/stack-values.ts'
import type { BlockView, PlacedTransaction, TopicContext } from '../topic.ts'
import { type WalletOf, walletsBefore } from './wallets.ts'

/**
 * Returns the transfer and burn requests that jetton wallets received. An account counts as a wallet if it is one before or after the block. Failed
 * transfers are left out; failed burns are included.
 */
export const jettonEvents = async ({ transactions, mcSeqno }: BlockView, after: readonly WalletOf[], context: TopicContext) => {
  const sending = transactions.filter((placed) => receivedRequest(placed, JETTON_TRANSFER) && !isAborted(placed.tx))
  const burning = transactions.filter((placed) => receivedRequest(placed, JETTON_BURN))
  if (sending.length + burning.length === 0) return { transfers: [], burns: [] }
  const before = await walletsBefore(
    context,
    [...sending, ...burning].map(({ account }) => account),
  )
  const now = new Map(after.map((wallet) => [wallet.account.toString('latin1'), wallet]))
  const walletOf = ({ account }: PlacedTransaction): WalletOf | undefined => {
    const name = account.toString('latin1')
    return before.get(name) ?? now.get(name)
  }
  // The payloads of one message can have thousands of cells.
  const transfers = await mapWithPauses(sending, (placed) => {
    const wallet = walletOf(placed)
    const request = wallet && loadJettonTransfer(placed.tx.inMsg!.body)
    if (!wallet || !request) return []
    return {
      ...requestColumns(placed, mcSeqno),
      query_id: request.queryId,
      amount: request.amount,
      source: wallet.owner,
      destination: keyOfBodyAddress(request.destination),
      jetton: wallet.jetton,
      response_destination: keyOfBodyAddress(request.responseDestination),
      custom_payload: maybeBocOf(request.customPayload),
      forward_ton_amount: request.forwardTonAmount,
      forward_payload: maybeBocOf(request.forwardPayload),
    }
  })
  const burns = await mapWithPauses(burning, (placed) => {
    const wallet = walletOf(placed)
    const request = wallet && loadJettonBurn(placed.tx.inMsg!.body)
    if (!wallet || !request) return []
    return {
      ...requestColumns(placed, mcSeqno),
      aborted: isAborted(placed.tx),
      query_id: request.queryId,
      amount: request.amount,
      owner: wallet.owner,
      jetton: wallet.jetton,
      response_destination: keyOfBodyAddress(request.responseDestination),
      custom_payload: maybeBocOf(request.customPayload),
    }
  })
  return { transfers: transfers.flat(), burns: burns.flat() }
}
