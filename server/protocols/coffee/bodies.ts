import { rawAddress } from '../../actions/answer-texts.ts'
import { loadAddress, skipCoins } from '../../actions/read.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import type { Asset } from '../jettons/assets.ts'

/* Bodies of swap.coffee. https://github.com/swapcoffee/dex-schema */

export const SWAP_NATIVE = 0xc0ffee00
export const CREATE_POOL_NATIVE = 0xc0ffee02
export const CREATE_POOL_EXTRA = 0xc0ffee03
export const DEPOSIT_NATIVE = 0xc0ffee04
export const CREATE_VAULT = 0xc0ffee06
export const SWAP_INTERNAL = 0xc0ffee20
export const PAYOUT_INTERNAL = 0xc0ffee21
export const DEPLOY = 0xc0ffee22
export const CREATE_POOL_CREATOR = 0xc0ffee23
export const CREATE_POOL_REQUEST = 0xc0ffee25
export const CREATE_DEPOSITORY = 0xc0ffee27
export const DEPOSIT_INTERNAL = 0xc0ffee29
export const SWAP_EVENT = 0xc0ffee30
export const PAYOUT = 0xc0ffee32
export const DEPOSIT_EVENT = 0xc0ffee33
export const WITHDRAWAL_EVENT = 0xc0ffee35
export const NOTIFICATION = 0xc0ffee36
export const SERVICE_FEE = 0xc0ffeea0

/**
 * native$00 = Asset; jetton$01 chain:uint8 hash:uint256 = Asset; extra$10 id:uint32 = Asset; Throws CellError for an extra currency: it has no
 * address.
 */
export const loadCoffeeAsset = (s: Slice): Asset => {
  const tag = s.loadUint(2)
  if (tag === 0) return null
  if (tag !== 1) throw new CellError('range', 'an asset that is neither TON nor a jetton')
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

/** swap_successful_event#c0ffee30 query_id:uint64 input:Asset input_amount:Coins output_amount:Coins ... = SwapSuccessfulEvent; */
export const loadSwapEvent = (step: Step) => {
  const s = step.body().skip(64)
  const asset = loadCoffeeAsset(s)
  const amountIn = s.loadCoins()
  return { asset, amountIn, amountOut: s.loadCoins() }
}

/** deposit_liquidity_successful_event#c0ffee33 query_id:uint64 amount1:Coins amount2:Coins lp_amount:Coins ... = DepositLiquiditySuccessfulEvent; */
export const loadMinted = (step: Step): bigint => {
  const s = step.body().skip(64)
  skipCoins(s)
  skipCoins(s)
  return s.loadCoins()
}

/** payout_internal#c0ffee21 query_id:uint64 recipient:MsgAddressInt amount:Coins ... = PayoutInternal; */
export const loadPayoutInternal = (step: Step) => {
  const s = step.body().skip(64)
  const recipient = loadAddress(s)
  return { recipient, amount: s.loadCoins() }
}
