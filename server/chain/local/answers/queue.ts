import { augEntries } from '../../../cell/aug.ts'
import { WHOLE_STATE } from '../../../cell/budget.ts'
import type { Cell } from '../../../cell/cell.ts'
import { shardEntries } from '../../../tlb/block/shard-hashes.ts'
import { overlap } from '../../../tlb/block/shard-ident.ts'
import { loadOutMsgQueueInfo, outMsgQueueAug } from '../../../tlb/state/out-msg-queue.ts'
import { topBlockOf } from '../../proofs/shards.ts'
import { type Answers, type AnswersDeps, blockAndState, isValidFull, refuse, stateOf } from './find-or-refuse.ts'
import { boc, NO_BYTES, prove, proveHeader } from './prove.ts'
import { readMasterState, readState } from './read-with-references.ts'

/** Queue length above which TON's collator postpones external messages (SKIP_EXTERNALS_QUEUE_SIZE). */
const EXTERNALS_LIMIT = 8000

const queueOf = (state: Cell) => loadOutMsgQueueInfo(readState(state).outMsgQueueInfo)

/** Number of messages in the outbound queue. If the state has no out_msg_queue_size, the messages are counted. */
const queueSize = (state: Cell): number => {
  const { outQueue, extra } = queueOf(state)
  if (extra?.outQueueSize !== undefined) return extra.outQueueSize
  let size = 0
  for (const _ of augEntries(outMsgQueueAug, outQueue, { cells: WHOLE_STATE })) size += 1
  return size
}

export const queueAnswers = ({ store }: AnswersDeps): Answers<'getOutMsgQueueSizes' | 'getBlockOutMsgQueueSize'> => ({
  async getOutMsgQueueSizes({ shard }) {
    const head = store.head().id
    const master = await stateOf(store, head)
    const ids = [head, ...[...shardEntries(readMasterState(master).shardHashes)].map(topBlockOf)]
    const inShard = ids.filter((id) => shard === undefined || overlap(id, shard))
    const shards = await Promise.all(inShard.map(async (id) => ({ id, size: queueSize(await stateOf(store, id)) })))
    return { shards, extMsgQueueSizeLimit: EXTERNALS_LIMIT }
  },

  async getBlockOutMsgQueueSize({ id, wantProof }) {
    if (!isValidFull(id)) throw refuse('invalid BlockIdExt')
    const { block, state } = await blockAndState(store, id)
    const { proof, value } = prove(state, (root) => queueOf(root).extra?.outQueueSize)
    if (value === undefined) throw refuse('no out_msg_queue_size in shard state')
    return { id, size: BigInt(value), proof: wantProof ? boc([proveHeader(block.root), proof]) : NO_BYTES }
  },
})
