import { augSet } from '../../../../cell/aug.ts'
import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import type { ExtBlkRef } from '../../../../tlb/block/ext-blk-ref.ts'
import type { ShardDescr } from '../../../../tlb/block/shard-descr.ts'
import { shardEntries, storeShardEntries } from '../../../../tlb/block/shard-hashes.ts'
import type { CurrencyCollection } from '../../../../tlb/currency.ts'
import { WHOLE_SHARD } from '../../../../tlb/ids.ts'
import type { McStateExtra, ValidatorInfo } from '../../../../tlb/state/mc-state-extra.ts'
import { oldMcBlocksAug, storeKeyExtBlkRef } from '../../../../tlb/state/old-mc-blocks.ts'
import type { ChainConfig } from '../../config/view.ts'
import type { MadeBlock } from '../../model.ts'
import type { Validator } from '../../validator.ts'
import type { MasterView } from './master-view.ts'

/*
 * The members of McStateExtra and McBlockExtra that each masterchain block changes: validator sessions, ShardDescr, ShardHashes, OldMcBlocksInfo. extras.ts
 * combines them.
 */

/**
 * Validator sessions after a masterchain block. Each catchain_seqno increases at every key block, and when the time passes a multiple of the session's
 * lifetime (Collator::create_mc_state_extra).
 */
export const advanceSessions = (
  master: MasterView,
  config: Pick<ChainConfig, 'masterSessionLifetime' | 'shardSessionLifetime'>,
  p: { readonly keyBlock: boolean; readonly now: number; readonly prevNow: number; readonly validator: Validator },
): { readonly validatorInfo: ValidatorInfo; readonly shardCatchainSeqno: number } => {
  const passed = (lifetime: number): boolean => Math.floor(p.now / lifetime) > Math.floor(p.prevNow / lifetime)
  const nextMaster = p.keyBlock || passed(config.masterSessionLifetime)
  const nextShard = p.keyBlock || passed(config.shardSessionLifetime)
  return {
    validatorInfo: {
      // This hash identifies the set and not a session, so TON computes it with catchain_seqno 0.
      validatorListHashShort: p.validator.setHash(0),
      catchainSeqno: master.extra.validatorInfo.catchainSeqno + (nextMaster ? 1 : 0),
      nxCcUpdated: nextMaster && nextShard,
    },
    shardCatchainSeqno: master.shardCatchainSeqno + (nextShard ? 1 : 0),
  }
}

/** The ShardDescr of a block of workchain 0 (McShardHash::from_block). */
export const describeShard = (
  { id, info }: MadeBlock,
  p: {
    readonly regMcSeqno: number
    readonly catchainSeqno: number
    readonly fees: CurrencyCollection
    readonly create: CurrencyCollection
  },
): ShardDescr => ({
  seqno: id.seqno,
  regMcSeqno: p.regMcSeqno,
  startLt: info.startLt,
  endLt: info.endLt,
  rootHash: id.rootHash,
  fileHash: id.fileHash,
  beforeSplit: false,
  beforeMerge: false,
  wantSplit: info.wantSplit,
  wantMerge: info.wantMerge,
  nxCcUpdated: false,
  flags: 0,
  nextCatchainSeqno: p.catchainSeqno,
  nextValidatorShard: WHOLE_SHARD,
  minRefMcSeqno: info.minRefMcSeqno,
  genUtime: info.genUtime,
  splitMergeAt: { type: 'none' },
  feesCollected: p.fees,
  fundsCreated: p.create,
})

export const shardHashesWith = (root: Cell | undefined, descr: ShardDescr): Cell | undefined => {
  const others = [...shardEntries(root)].filter((entry) => entry.workchain !== 0)
  return storeShardEntries([...others, { workchain: 0, shard: WHOLE_SHARD, descr }])
}

/** OldMcBlocksInfo with the previous block added. For block 1 the previous block is the zerostate. */
export const withPrevBlock = (extra: McStateExtra, blkRef: ExtBlkRef): Cell =>
  augSet(oldMcBlocksAug, extra.prevBlocks, BigInt(blkRef.seqno), storeKeyExtBlkRef(beginCell(), { key: extra.afterKeyBlock, blkRef }))
