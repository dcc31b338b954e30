import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { attempt } from '../../cell/error.ts'
import { rawAddress } from '../../tlb/raw-address.ts'
import type { Asset } from '../exchanges/swap.ts'
import { load } from './messages.ts'

/* Pools of DeDust. A pool is recognized by the hash of its code, because anyone can deploy a contract that answers the same get-methods. */

type DedustAsset = ReturnType<typeof load<'event dedust_swap'>>['asset_in']

/** An asset of DeDust; null is Gram. */
export const assetOf = (asset: DedustAsset): Asset =>
  asset['@type'] === 'native' ? null : rawAddress(asset.workchain_id, asset.address.data)

export type PoolAssets = readonly [Address | null, Address | null]

/** Code hashes (hex) of the pools of the first version, volatile and stable. */
export const DEDUST_POOL_CODES: ReadonlySet<string> = new Set([
  '1275095b6da3911292406f4f4386f9e780099b854c6dee9ee2895ddce70927c1',
  '778f0d3fe6482c50888970df5e787f40f3a4ab282170c035a5920877058c99d3',
  'c0f9d14fbc8e14f0d72cba2214165eee35836ab174130912baf9dbfa43ead562',
])

export const DEDUST_V2_POOL_CODES: ReadonlySet<string> = new Set([
  '3997a5c1ee8923e93cf3a6a98ea3ef9482c64dd8aea2ba8365689e14d99c760d',
  '5851780d2386e989b9ab956da7cec5c69a667b9e525f628dcba5eb02c1ee0367',
])

const FACTORY = '0:5F0564FB5F604783DB57031CE1CF668A88D4D4D6DA6DE4DB222B4B920D6FD800'

/** The assets of a pool of the first version, from its data; undefined if the data is not that of a pool of the factory. */
export const dedustPoolAssets = (data: Cell): PoolAssets | undefined =>
  attempt(() => {
    const pool = load('type DedustPoolData', data)
    return pool.factory === FACTORY ? [assetOf(pool.asset0), assetOf(pool.asset1)] : undefined
  })
