import type { ShardDescr } from '../../server/tlb/block/shard-descr.ts'

/** The record of a shard whose last block is `seqno`. */
export const shardDescr = (seqno: number, inlineFees: boolean): ShardDescr => ({
  seqno,
  regMcSeqno: 2,
  startLt: 3n,
  endLt: 4n,
  rootHash: new Uint8Array(32).fill(5),
  fileHash: new Uint8Array(32).fill(6),
  beforeSplit: false,
  beforeMerge: true,
  wantSplit: false,
  wantMerge: true,
  nxCcUpdated: false,
  flags: 0,
  nextCatchainSeqno: 7,
  nextValidatorShard: 1n << 63n,
  minRefMcSeqno: 8,
  genUtime: 9,
  splitMergeAt: seqno % 3 === 0 ? { type: 'none' } : { type: seqno % 3 === 1 ? 'split' : 'merge', utime: 10, interval: 11 },
  feesCollected: { grams: 12n },
  fundsCreated: { grams: 13n, other: new Map([[14, 15n]]) },
  inlineFees,
})
