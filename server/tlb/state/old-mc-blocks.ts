import type { AugSpec } from '../../cell/aug.ts'
import type { Builder } from '../../cell/builder.ts'
import type { Slice } from '../../cell/slice.ts'
import { type ExtBlkRef, loadExtBlkRef, storeExtBlkRef } from '../block/ext-blk-ref.ts'

/*
 * _ key:Bool max_end_lt:uint64 = KeyMaxLt;
 * _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef;
 * _ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo;      (key: seqno)
 */

export interface KeyMaxLt {
  readonly key: boolean
  readonly maxEndLt: bigint
}
export interface KeyExtBlkRef {
  readonly key: boolean
  readonly blkRef: ExtBlkRef
}

export const loadKeyExtBlkRef = (s: Slice): KeyExtBlkRef => ({ key: s.loadBit(), blkRef: loadExtBlkRef(s) })
export const storeKeyExtBlkRef = (b: Builder, ref: KeyExtBlkRef): Builder => storeExtBlkRef(b.storeBit(ref.key), ref.blkRef)

/** OldMcBlocksInfo. The extra of a node says whether there is a key block below it, and has the largest end_lt below it. */
export const oldMcBlocksAug: AugSpec<KeyMaxLt> = {
  n: 32,
  loadExtra: (s) => ({ key: s.loadBit(), maxEndLt: s.loadUintBig(64) }),
  storeExtra: (b, extra) => {
    b.storeBit(extra.key).storeUint(extra.maxEndLt, 64)
  },
  combine: (l, r) =>
    l.maxEndLt < r.maxEndLt ? { key: l.key || r.key, maxEndLt: r.maxEndLt } : { key: l.key || r.key, maxEndLt: l.maxEndLt },
  leafExtra: (value) => {
    const { key, blkRef } = loadKeyExtBlkRef(value)
    return { key, maxEndLt: blkRef.endLt }
  },
  empty: { key: false, maxEndLt: 0n },
}
