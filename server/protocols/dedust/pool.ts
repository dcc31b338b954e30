import { loadAddress } from '../../actions/read.ts'
import type { Address } from '../../actions/trace.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { rawAddress } from '../../tlb/raw-address.ts'
import type { Asset } from '../jettons/assets.ts'

/* Pools of DeDust. A pool is recognized by the hash of its code: anyone can deploy a contract that answers the same get-methods. */

/** native$0000 = Asset; jetton$0001 workchain_id:int8 address:uint256 = Asset; (DeDust) */
export const loadDedustAsset = (s: Slice): Asset => {
  if (s.loadUint(4) === 0) return null
  const workchain = s.loadInt(8)
  return rawAddress(workchain, s.loadBytes(32))
}

/** The two assets of a pool; null is Gram. */
export type PoolAssets = readonly [Address | null, Address | null]

/** Code hashes (hex) of the pools of the first version, volatile and stable. */
export const DEDUST_POOL_CODES: ReadonlySet<string> = new Set([
  '1275095b6da3911292406f4f4386f9e780099b854c6dee9ee2895ddce70927c1',
  '778f0d3fe6482c50888970df5e787f40f3a4ab282170c035a5920877058c99d3',
  'c0f9d14fbc8e14f0d72cba2214165eee35836ab174130912baf9dbfa43ead562',
])

/** Code hashes (hex) of the pools of the second version. */
export const DEDUST_V2_POOL_CODES: ReadonlySet<string> = new Set([
  '3997a5c1ee8923e93cf3a6a98ea3ef9482c64dd8aea2ba8365689e14d99c760d',
  '5851780d2386e989b9ab956da7cec5c69a667b9e525f628dcba5eb02c1ee0367',
])

/** The factory that deploys all pools of the first version. */
const FACTORY = '0:5F0564FB5F604783DB57031CE1CF668A88D4D4D6DA6DE4DB222B4B920D6FD800'

/**
 * The assets of a pool of the first version, from its data; undefined if the data is not that of a pool of the factory.
 * pool#_ params:^[ factory:MsgAddress version:uint8 is_stable:Bool asset0:Asset asset1:Asset ] ... = Data;
 */
export const dedustPoolAssets = (data: Cell): PoolAssets | undefined => {
  try {
    const s = data.slice().loadRef().slice()
    if (loadAddress(s) !== FACTORY) return undefined
    s.skip(8 + 1)
    return [loadDedustAsset(s), loadDedustAsset(s)]
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}
