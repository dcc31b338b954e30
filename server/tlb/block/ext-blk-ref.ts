import type { Builder } from '../../cell/builder.ts'
import type { Slice } from '../../cell/slice.ts'
import { storeHash } from '../common.ts'

/*
 * ext_blk_ref$_ end_lt:uint64 seq_no:uint32 root_hash:bits256 file_hash:bits256 = ExtBlkRef;
 */

export interface ExtBlkRef {
  readonly endLt: bigint
  readonly seqno: number
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
}

export const loadExtBlkRef = (s: Slice): ExtBlkRef => ({
  endLt: s.loadUintBig(64),
  seqno: s.loadUint(32),
  rootHash: s.loadBytes(32),
  fileHash: s.loadBytes(32),
})

export const storeExtBlkRef = (b: Builder, ref: ExtBlkRef): Builder =>
  storeHash(storeHash(b.storeUint(ref.endLt, 64).storeUint(ref.seqno, 32), ref.rootHash), ref.fileHash)
