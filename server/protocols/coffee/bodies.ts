import type { Step } from '../../actions/step.ts'
import { CellError } from '../../cell/cell.ts'
import { rawAddressOf } from '../../tlb/raw-address.ts'
import type { Asset } from '../jettons/assets.ts'
import { load, opcode } from './messages.ts'

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

type CoffeeAsset = ReturnType<typeof load<'external coffee_swap_succeeded'>>['input']

/** Converts an asset. Throws CellError for an extra currency, because it has no address. */
export const assetOf = (asset: CoffeeAsset): Asset => {
  if (asset['@type'] === 'native') return null
  if (asset['@type'] === 'extra') throw new CellError('range', 'an asset that is neither Gram nor a jetton')
  return rawAddressOf((asset.chain << 24) >> 24, asset.hash)
}

/** The two assets of a pool, in the pool's order. */
export type PoolAssets = readonly [Asset, Asset]

export const assetsOf = ({ first, second }: { readonly first: CoffeeAsset; readonly second: CoffeeAsset }): PoolAssets => [
  assetOf(first),
  assetOf(second),
]

export const loadMinted = (step: Step): bigint => load('external coffee_deposit_liquidity_succeeded', step.body).lp_amount
