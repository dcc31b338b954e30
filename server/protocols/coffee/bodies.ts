import { loadAddress, skipCoins } from '../../actions/read.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { rawAddress } from '../../tlb/raw-address.ts'
import type { Asset } from '../jettons/assets.ts'
import { opcode } from './messages.ts'

/* Bodies of swap.coffee. https://github.com/swapcoffee/dex-schema */

export const SWAP_NATIVE = opcode('internal coffee_swap')
export const CREATE_POOL_NATIVE = opcode('internal coffee_create_pool')
export const CREATE_POOL_EXTRA = opcode('internal coffee_create_pool_extra')
export const DEPOSIT_NATIVE = opcode('internal coffee_deposit_liquidity')
export const CREATE_VAULT = opcode('internal coffee_create_vault')
export const SWAP_INTERNAL = opcode('internal coffee_swap_internal')
export const PAYOUT_INTERNAL = opcode('internal coffee_payout_internal')
export const DEPLOY = opcode('internal coffee_deploy')
export const CREATE_POOL_CREATOR = opcode('internal coffee_create_pool_creator_request')
export const CREATE_POOL_REQUEST = opcode('internal coffee_create_pool_request')
export const CREATE_DEPOSITORY = opcode('internal coffee_create_liquidity_depository_request')
export const DEPOSIT_INTERNAL = opcode('internal coffee_deposit_liquidity_internal')
export const SWAP_EVENT = opcode('external coffee_swap_succeeded')
export const PAYOUT = opcode('internal coffee_payout')
export const DEPOSIT_EVENT = opcode('external coffee_deposit_liquidity_succeeded')
export const WITHDRAWAL_EVENT = opcode('external coffee_withdraw_liquidity_succeeded')
export const NOTIFICATION = opcode('internal coffee_notification')
export const SERVICE_FEE = 0xc0ffeea0

/**
 * native$00 = Asset; jetton$01 chain:uint8 hash:uint256 = Asset; extra$10 id:uint32 = Asset; Throws CellError for an extra currency: it has no
 * address.
 */
export const loadCoffeeAsset = (s: Slice): Asset => {
  const tag = s.loadUint(2)
  if (tag === 0) return null
  if (tag !== 1) throw new CellError('range', 'an asset that is neither Gram nor a jetton')
  const workchain = s.loadInt(8)
  return rawAddress(workchain, s.loadBytes(32))
}

/** The two assets of a pool, in its order. */
export type PoolAssets = readonly [Asset, Asset]

/** pool_params first:Asset second:Asset amm:uint3 amm_settings:(Maybe ^Cell) = PoolParams; */
export const loadPoolParams = (s: Slice): PoolAssets => {
  const assets: PoolAssets = [loadCoffeeAsset(s), loadCoffeeAsset(s)]
  s.skip(3).loadMaybeRef()
  return assets
}

/** pool_creation_params public:(recipient:MsgAddressInt ...) private:(...) = PoolCreationParams; */
export const loadCreationRecipient = (s: Slice): Address | null => loadAddress(s)

/** swap_successful_event query_id:uint64 input:Asset input_amount:Coins output_amount:Coins ... = SwapSuccessfulEvent; */
export const loadSwapEvent = (step: Step) => {
  const s = step.rest().skip(64)
  const asset = loadCoffeeAsset(s)
  const amountIn = s.loadCoins()
  return { asset, amountIn, amountOut: s.loadCoins() }
}

/** deposit_liquidity_successful_event query_id:uint64 amount1:Coins amount2:Coins lp_amount:Coins ... = DepositLiquiditySuccessfulEvent; */
export const loadMinted = (step: Step): bigint => {
  const s = step.rest().skip(64)
  skipCoins(s)
  skipCoins(s)
  return s.loadCoins()
}

/** payout_internal query_id:uint64 recipient:MsgAddressInt amount:Coins ... = PayoutInternal; */
export const loadPayoutInternal = (step: Step) => {
  const s = step.rest().skip(64)
  const recipient = loadAddress(s)
  return { recipient, amount: s.loadCoins() }
}
