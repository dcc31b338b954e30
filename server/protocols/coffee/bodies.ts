import type { Step } from '../../actions/step.ts'
import { CellError } from '../../cell/cell.ts'
import { rawAddressOf } from '../../tlb/raw-address.ts'
import type { Asset } from '../exchanges/swap.ts'
import { load, opcode } from './messages.ts'

/* Bodies of swap.coffee. https://github.com/swapcoffee/dex-schema */

export const PAYOUT_INTERNAL = opcode('internal coffee_payout_internal')
export const DEPLOY = opcode('internal coffee_deploy')
export const PAYOUT = opcode('internal coffee_payout')
export const DEPOSIT_EVENT = opcode('external coffee_deposit_liquidity_succeeded')
export const NOTIFICATION = opcode('internal coffee_notification')

type CoffeeAsset = ReturnType<typeof load<'external coffee_swap_succeeded'>>['input']

/** Converts an asset. Throws CellError for an extra currency, because it has no address. */
export const assetOf = (asset: CoffeeAsset): Asset => {
  if (asset['@type'] === 'native') return null
  if (asset['@type'] === 'extra') throw new CellError('range', 'an asset that is neither Gram nor a jetton')
  return rawAddressOf((asset.chain << 24) >> 24, asset.hash)
}

/** The two assets of a pool, in the pool's order. */
export const assetsOf = ({ first, second }: Record<'first' | 'second', CoffeeAsset>): readonly [Asset, Asset] => [
  assetOf(first),
  assetOf(second),
]

export const loadMinted = (step: Step): bigint => load('external coffee_deposit_liquidity_succeeded', step.body).lp_amount
