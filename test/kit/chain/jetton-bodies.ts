import { type Address, beginCell, type Cell } from '@ton/core'

/* Bodies of messages to jetton wallets. Amounts are in units of the jetton, `forward` is in nanograms. */

export interface TransferBody {
  readonly amount: bigint
  /** The owner who receives the units. */
  readonly to: Address
  /** Who gets the coins that are left. */
  readonly response: Address | null
  readonly queryId?: number
  readonly forward?: bigint
  readonly payload?: Cell | undefined
}

/**
 * transfer#0f8a7ea5 query_id:uint64 amount:Coins destination:MsgAddress response_destination:MsgAddress custom_payload:(Maybe ^Cell) forward_ton_amount:Coins
 * forward_payload:(Either Cell ^Cell)
 */
export const transferBody = ({ amount, to, response, queryId = 0, forward = 0n, payload }: TransferBody): Cell =>
  beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(queryId, 64)
    .storeCoins(amount)
    .storeAddress(to)
    .storeAddress(response)
    .storeBit(0)
    .storeCoins(forward)
    .storeMaybeRef(payload)
    .endCell()

/** burn#595f07bc query_id:uint64 amount:Coins response_destination:MsgAddress custom_payload:(Maybe ^Cell) */
export const burnBody = (amount: bigint, response: Address, queryId = 0): Cell =>
  beginCell().storeUint(0x595f07bc, 32).storeUint(queryId, 64).storeCoins(amount).storeAddress(response).storeBit(0).endCell()
