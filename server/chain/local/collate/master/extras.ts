import { augRootExtra, augSet } from '../../../../cell/aug.ts'
import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { storeMcBlockExtra } from '../../../../tlb/block/mc-block-extra.ts'
import { shardFeesAug, shardFeesKey, storeShardFeeCreated } from '../../../../tlb/block/shard-fees.ts'
import { addCurrency, type CurrencyCollection } from '../../../../tlb/currency.ts'
import { WHOLE_SHARD } from '../../../../tlb/ids.ts'
import { storeMcStateExtra } from '../../../../tlb/state/mc-state-extra.ts'
import type { ChainTip, MadeBlock } from '../../model.ts'
import type { Validator } from '../../validator.ts'
import type { BlockContext } from '../block-context.ts'
import { configAfter } from './config-change.ts'
import { advanceSessions, describeShard, shardHashesWith, withPrevBlock } from './extra-members.ts'
import type { MasterView } from './master-view.ts'
import type { MasterMoney } from './money.ts'

export interface MasterResults {
  readonly tip: ChainTip
  readonly master: MasterView
  readonly shard: MadeBlock
  readonly money: MasterMoney
  readonly injected: CurrencyCollection
  readonly accounts: Cell | undefined
  readonly recoverMsg: Cell | undefined
  readonly mintMsg: Cell | undefined
}

export interface MasterExtras {
  readonly keyBlock: boolean
  /** min_ref_mc_seqno of the shard block. */
  readonly minRefMcSeqno: number
  readonly stateExtra: Cell
  readonly blockExtra: Cell
}

/** Makes McStateExtra and McBlockExtra (Collator::create_mc_state_extra, create_mc_block_extra). */
export const masterExtras = (context: BlockContext, results: MasterResults, validator: Validator): MasterExtras => {
  const { tip, master, shard, money } = results
  const { extra, config } = master
  const after = configAfter(extra, config, results.accounts)
  const keyBlock = after.changed || context.seqno === 1
  const sessions = advanceSessions(master, after.view, { keyBlock, now: context.now, prevNow: tip.master.utime, validator })
  const fee = { fees: money.importedFees, create: money.shardCreated }
  const descr = describeShard(shard, { regMcSeqno: context.seqno, catchainSeqno: sessions.shardCatchainSeqno, ...fee })
  const shardHashes = shardHashesWith(extra.shardHashes, descr)
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
