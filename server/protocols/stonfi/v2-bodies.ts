import { loadAddress, skipAddress, skipCoins } from '../../actions/read.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { opcode } from './messages.ts'

/* Bodies of Ston.fi, version 2. https://docs.ston.fi */

export const SWAP_V2 = opcode('internal stonfi_swap_v2')
export const PAY_TO_V2 = opcode('internal stonfi_pay_to_v2')
const CROSS_PROVIDE = 0x69cf1a5b

/** Largest number of pools that a swap can name. */
const MOST_POOLS = 16

/**
 * dex_payload#_ transferred_op:uint32 token_wallet1:MsgAddress refund_address:MsgAddress excesses_address:MsgAddress tx_deadline:uint64 ^SwapBody;
 * swap_body#_ min_out:Coins receiver:MsgAddress fwd_gas:Coins custom_payload:(Maybe ^Cell) ...;
 * stonfi_swap_v2 query_id:uint64 from_user:MsgAddress left_amount:Coins right_amount:Coins ^DexPayload = InternalMsgBody;
 */
export const loadSwapV2 = (step: Step) => {
  const s = step.rest().skip(64)
  skipAddress(s)
  skipCoins(s)
  skipCoins(s)
  const payload = s.loadRef().slice().skip(32)
  const wallet = loadAddress(payload)
  skipAddress(payload)
  skipAddress(payload)
  const body = payload.skip(64).loadRef().slice()
  skipCoins(body)
  skipAddress(body)
  skipCoins(body)
  return { wallet, next: body.loadMaybeRef() }
}

/** Wallets of all pools on a swap's route: its own first, then those that its custom payload names. */
export const walletsOfRoute = ({ wallet, next }: { wallet: Address | null; next: Cell | undefined }): (Address | null)[] => {
  const wallets = [wallet]
  for (let cell = next; cell !== undefined && wallets.length < MOST_POOLS; ) {
    const s = cell.slice()
    const op = s.loadUint(32)
    if (op !== SWAP_V2 && op !== CROSS_PROVIDE) break
    wallets.push(loadAddress(s))
    if (s.remainingRefs === 0) break
    const body = s.loadRef().slice()
    skipCoins(body)
    skipCoins(body)
    cell = body.remainingRefs > 0 ? body.loadMaybeRef() : undefined
  }
  return wallets
}

/** The payment of a pool. One of the two amounts is zero after a swap. */
export interface PayTo {
  readonly exitCode: number
  readonly amount: bigint
  readonly wallet: Address | null
}

/**
 * stonfi_pay_to_v2 query_id:uint64 to_address:MsgAddress excesses_address:MsgAddress original_caller:MsgAddress exit_code:uint32
 *   custom_payload:(Maybe ^Cell) ^[ fwd_ton_amount:Coins amount0_out:Coins token0_address:MsgAddress amount1_out:Coins
 *   token1_address:MsgAddress ] = InternalMsgBody;
 */
export const loadPayTo = (step: Step): PayTo => {
  const s = step.rest().skip(64)
  for (let i = 0; i < 3; i++) loadAddress(s)
  const exitCode = s.loadUint(32)
  s.loadMaybeRef()
  const more = s.loadRef().slice()
  skipCoins(more)
  const amount0 = more.loadCoins()
  const wallet0 = loadAddress(more)
  const amount1 = more.loadCoins()
  const wallet1 = loadAddress(more)
  return amount1 > amount0 ? { exitCode, amount: amount1, wallet: wallet1 } : { exitCode, amount: amount0, wallet: wallet0 }
}
