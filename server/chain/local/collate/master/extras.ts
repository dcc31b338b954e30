import { augRootExtra, augSet } from '../../../../cell/aug.ts'
import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import type { ExtBlkRef } from '../../../../tlb/block/ext-blk-ref.ts'
import { shardFeesAug, shardFeesKey, storeMcBlockExtra, storeShardFeeCreated } from '../../../../tlb/block/mc-block-extra.ts'
import type { ShardDescr } from '../../../../tlb/block/shard-descr.ts'
import { shardEntries, storeShardEntries } from '../../../../tlb/block/shard-hashes.ts'
import { addCurrency, type CurrencyCollection } from '../../../../tlb/currency.ts'
import { WHOLE_SHARD } from '../../../../tlb/ids.ts'
import { type McStateExtra, storeMcStateExtra, type ValidatorInfo } from '../../../../tlb/state/mc-state-extra.ts'
import { oldMcBlocksAug, storeKeyExtBlkRef } from '../../../../tlb/state/old-mc-blocks.ts'
import type { ChainConfig } from '../../config/view.ts'
import type { ChainTip, MadeBlock } from '../../model.ts'
import type { Validator } from '../../validator.ts'
import type { BlockContext } from '../block-context.ts'
import { configAfter } from './config-change.ts'
import type { MasterView } from './master-view.ts'
import type { MasterMoney } from './money.ts'

/* McStateExtra and McBlockExtra of a masterchain block: validator sessions, ShardDescr, ShardHashes, OldMcBlocksInfo. */

interface MasterResults {
  readonly tip: ChainTip
  readonly master: MasterView
  readonly shard: MadeBlock
  readonly money: MasterMoney
  readonly injected: CurrencyCollection
  readonly accounts: Cell | undefined
  readonly recoverMsg: Cell | undefined
  readonly mintMsg: Cell | undefined
}

/** Makes McStateExtra and McBlockExtra (Collator::create_mc_state_extra, create_mc_block_extra). `minRefMcSeqno`: of the shard block. */
export const masterExtras = (context: BlockContext, results: MasterResults, validator: Validator) => {
  const { tip, master, shard, money } = results
  const { extra, config } = master
  const after = configAfter(extra, config, results.accounts)
  const keyBlock = after.changed || context.seqno === 1
  const sessions = advanceSessions(master, after.view, { keyBlock, now: context.now, prevNow: tip.master.utime, validator })
  const fee = { fees: money.importedFees, create: money.shardCreated }
  const descr = describeShard(shard, { regMcSeqno: context.seqno, catchainSeqno: sessions.shardCatchainSeqno, ...fee })
  const otherShards = [...shardEntries(extra.shardHashes)].filter(({ workchain }) => workchain !== 0)
  const shardHashes = storeShardEntries([...otherShards, { workchain: 0, shard: WHOLE_SHARD, descr }])
  const shardFees = augSet(shardFeesAug, undefined, shardFeesKey(0, WHOLE_SHARD), storeShardFeeCreated(beginCell(), fee))
  const stateExtra = storeMcStateExtra({
    shardHashes,
    config: after.params,
    validatorInfo: sessions.validatorInfo,
    prevBlocks: withPrevBlock(extra, master.ref),
    afterKeyBlock: keyBlock,
    lastKeyBlock: master.keyBlock,
    globalBalance: [money.created, money.mintedExtra, results.injected, augRootExtra(shardFeesAug, shardFees).create].reduce(
      addCurrency,
      extra.globalBalance,
    ),
  })
  const blockExtra = storeMcBlockExtra({
    shardHashes,
    shardFees,
    prevBlkSignatures: undefined,
    recoverCreateMsg: results.recoverMsg,
    mintMsg: results.mintMsg,
    config: keyBlock ? after.params : undefined,
  })
  return { keyBlock, minRefMcSeqno: descr.minRefMcSeqno, stateExtra, blockExtra }
}

/**
 * @internal Validator sessions after a masterchain block. Each catchain_seqno increases at every key block, and when the time passes a multiple of the session's
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

/** @internal The ShardDescr of a block of workchain 0 (McShardHash::from_block). */
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

/** @internal OldMcBlocksInfo with the previous block added. For block 1 the previous block is the zerostate. */
export const withPrevBlock = (extra: McStateExtra, blkRef: ExtBlkRef): Cell =>
  augSet(oldMcBlocksAug, extra.prevBlocks, BigInt(blkRef.seqno), storeKeyExtBlkRef(beginCell(), { key: extra.afterKeyBlock, blkRef }))
