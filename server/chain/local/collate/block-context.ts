import { createHash } from 'node:crypto'
import { loadAugE } from '../../../cell/aug.ts'
import type { ExtBlkRef } from '../../../tlb/block/ext-blk-ref.ts'
import { alignLt } from '../../../tlb/lt.ts'
import { loadOutMsgQueueInfo, loadProcessedInfo } from '../../../tlb/state/out-msg-queue.ts'
import { shardAccountsAug } from '../../../tlb/state/shard-account.ts'
import { loadShardState } from '../../../tlb/state/shard-state.ts'
import type { ChainConfig } from '../config/view.ts'
import type { ChainTip } from '../model.ts'

export const refOf = (end: ChainTip['master']): ExtBlkRef => ({
  endLt: end.endLt,
  seqno: end.id.seqno,
  rootHash: end.id.rootHash,
  fileHash: end.id.fileHash,
})

/** On a real network the seed is random. Here the seed is derived from the previous block, so that equal inputs make equal chains. */
const seedAfter = (prev: ExtBlkRef, workchain: number, now: number): Uint8Array =>
  new Uint8Array(createHash('sha256').update(`tonway ${workchain} ${now} `).update(prev.rootHash).update(prev.fileHash).digest())

/** Collects what the making of the block after `end` needs. Its start_lt is the first multiple of LT_ALIGN from `afterLt` on. */
export const openContext = (p: {
  readonly end: ChainTip['master']
  readonly master: ExtBlkRef
  readonly config: ChainConfig
  readonly now: number
  readonly afterLt: bigint
}) => {
  const { end, now } = p
  const state = loadShardState(end.state)
  const queue = loadOutMsgQueueInfo(state.outMsgQueueInfo)
  const prev = refOf(end)
  return {
    workchain: end.id.workchain,
    seqno: end.id.seqno + 1,
    globalId: state.globalId,
    /** `prev`: the previous block of the same workchain. `master`: the newest masterchain block that the new block refers to. */
    prev,
    master: p.master,
    root: end.state,
    state,
    queue,
    processed: loadProcessedInfo(queue.procInfo),
    accounts: loadAugE(state.accounts.slice(), shardAccountsAug),
    /** Configuration of the last masterchain state. A change of the configuration affects the next block. */
    config: p.config,
    now,
    startLt: alignLt(p.afterLt),
    randSeed: seedAfter(prev, end.id.workchain, now),
  }
}
export type BlockContext = Readonly<ReturnType<typeof openContext>>
