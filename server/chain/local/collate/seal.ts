import { createHash } from 'node:crypto'
import { type Pause, runSteps } from '../../../base/yield.ts'
import { storeAugE } from '../../../cell/aug.ts'
import { bocSteps } from '../../../cell/boc.ts'
import { beginCell } from '../../../cell/builder.ts'
import type { Cell } from '../../../cell/cell.ts'
import { updateSteps } from '../../../cell/merkle.ts'
import { storeBlock, storeBlockExtra } from '../../../tlb/block/block.ts'
import { type BlockInfo, storeBlockInfo } from '../../../tlb/block/block-info.ts'
import { storeValueFlow } from '../../../tlb/block/value-flow.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../../tlb/ids.ts'
import { shardAccountsAug } from '../../../tlb/state/shard-account.ts'
import { storeShardState } from '../../../tlb/state/shard-state.ts'
import type { MadeBlock } from '../model.ts'
import type { BlockContext } from './block-context.ts'
import type { BlockResults } from './block-results.ts'
import { historyAfter, type LimitStatus } from './limits.ts'

export interface Seal {
  readonly endLt: bigint
  readonly limits: LimitStatus
  readonly minRefMcSeqno: number
  readonly prevKeyBlockSeqno: number
  readonly keyBlock: boolean
  readonly validatorListHashShort: number
  readonly catchainSeqno: number
  readonly createdBy: Uint8Array
  readonly libraries: Cell | undefined
  /** Masterchain only. */
  readonly stateExtra?: Cell
  readonly blockExtra?: Cell
}

/** Capability bit 8: blocks contain gen_software. */
const REPORT_VERSION = 8n

/**
 * McStateExtra and the cells that it references directly. The Merkle update includes these cells in its old state, because TON's collator reads all of them
 * and some block parsers (pytoniq) expect them there. Otherwise they would be pruned if no cell below them is part of the new state, as in block 2.
 */
const stateExtraCells = (extra: Cell | undefined): Cell[] =>
  extra === undefined ? [] : [extra, ...Array.from({ length: extra.refCount }, (_, i) => extra.ref(i))]

export const sealBlock = async (context: BlockContext, results: BlockResults, seal: Seal, pause: Pause): Promise<MadeBlock> => {
  const { state } = context
  const master = context.workchain === MASTERCHAIN
  const load = historyAfter(state, seal.limits, results.queueSize)
  const accounts = beginCell()
  storeAugE(accounts, shardAccountsAug, results.accounts)
  const { fees, recovered } = { fees: results.flow.feesCollected, recovered: results.flow.recovered }
  const newState = storeShardState({
    globalId: context.globalId,
    workchain: context.workchain,
    shard: WHOLE_SHARD,
    seqno: context.seqno,
    vertSeqno: 0,
    genUtime: context.now,
    genLt: seal.endLt,
    minRefMcSeqno: seal.minRefMcSeqno,
    outMsgQueueInfo: results.queueInfo,
    beforeSplit: false,
    accounts: accounts.end(),
    overloadHistory: load.overloadHistory,
    underloadHistory: load.underloadHistory,
    totalBalance: results.flow.toNextBlk,
    totalValidatorFees: { grams: state.totalValidatorFees.grams + fees.grams - recovered.grams },
    libraries: seal.libraries,
    masterRef: master ? undefined : context.master,
    custom: seal.stateExtra,
  })
  const { config } = context
  const info: BlockInfo = {
    version: 0,
    notMaster: !master,
    afterMerge: false,
    beforeSplit: false,
    afterSplit: false,
    wantSplit: load.wantSplit,
    wantMerge: load.wantMerge,
    keyBlock: seal.keyBlock,
    vertSeqnoIncr: false,
    flags: config.capabilities & REPORT_VERSION ? 1 : 0,
    seqno: context.seqno,
    vertSeqno: 0,
    workchain: context.workchain,
    shard: WHOLE_SHARD,
    genUtime: context.now,
    startLt: context.startLt,
    endLt: seal.endLt,
    genValidatorListHashShort: seal.validatorListHashShort,
    genCatchainSeqno: seal.catchainSeqno,
    minRefMcSeqno: seal.minRefMcSeqno,
    prevKeyBlockSeqno: seal.prevKeyBlockSeqno,
    genSoftware: config.capabilities & REPORT_VERSION ? { version: config.globalVersion, capabilities: config.capabilities } : undefined,
    masterRef: master ? undefined : context.master,
    prevVert: undefined,
    prev: [context.prev],
  }
  const { burned } = results.flow
  await pause()
  const stateUpdate = await runSteps(updateSteps(context.root, newState, stateExtraCells(state.custom)))
  await pause()
  const root = storeBlock({
    globalId: context.globalId,
    info: storeBlockInfo(info),
    // TON writes the older constructor if nothing is burned.
    valueFlow: storeValueFlow({ ...results.flow, burned: burned.grams === 0n && burned.other === undefined ? undefined : burned }),
    stateUpdate,
    extra: storeBlockExtra({
      inMsgDescr: results.inMsgDescr,
      outMsgDescr: results.outMsgDescr,
      accountBlocks: results.accountBlocks,
      randSeed: context.randSeed,
      createdBy: seal.createdBy,
      custom: seal.blockExtra,
    }),
  })
  await pause()
  const boc = await runSteps(bocSteps([root]))
  const id: BlockId = {
    workchain: context.workchain,
    shard: WHOLE_SHARD,
    seqno: context.seqno,
    rootHash: root.hash(),
    fileHash: new Uint8Array(createHash('sha256').update(boc).digest()),
  }
  return { id, boc, root, info, state: newState }
}
