import { augEntries } from '../../../cell/aug.ts'
import { WHOLE_STATE } from '../../../cell/budget.ts'
import { type Cell, untracked } from '../../../cell/cell.ts'
import { dictMinMax, walkDict } from '../../../cell/dict.ts'
import type { Slice } from '../../../cell/slice.ts'
import { shardEntries } from '../../../tlb/block/shard-hashes.ts'
import { overlap } from '../../../tlb/block/shard-ident.ts'
import { hashToBig } from '../../../tlb/bytes.ts'
import type { BlockId } from '../../../tlb/ids.ts'
import { loadMsgEnvelope, type MsgMetadata } from '../../../tlb/message/msg-envelope.ts'
import {
  type AccountDispatchQueue,
  loadAccountDispatchQueue,
  loadEnqueuedMsg,
  loadOutMsgQueueInfo,
  outMsgQueueAug,
} from '../../../tlb/state/out-msg-queue.ts'
import type { LiteAnswer, LiteArgs, TransactionMetadata } from '../../liteserver.ts'
import { topBlockOf } from '../../proofs/shards.ts'
import { LONG_QUEUE } from '../collate/phases/external.ts'
import { hashOf } from '../hash-keys.ts'
import { type Answers, type AnswersDeps, blockAndState, refuse, stateOf } from './find-or-refuse.ts'
import { boc, bocInTurns, NO_BYTES, prove, proveHeader } from './prove.ts'
import { readMasterState, readState } from './read-with-references.ts'

/* Reads deferred messages (OutMsgQueueExtra.dispatch_queue) like finish_getDispatchQueueInfo and finish_getDispatchQueueMessages of ton's lite-server. */

const MAX_ROWS = 64
const MAX_WITH_BYTES = 16

type Queue = LiteAnswer<'getDispatchQueueInfo'>['queues'][number]
type Message = LiteAnswer<'getDispatchQueueMessages'>['messages'][number]

/** Queues of the accounts at or after a key. Each leaf begins with its augmentation: the smallest lt in the leaf (64 bits), which is skipped. */
function* queuesFrom(state: Cell, from: bigint, inclusive: boolean): Generator<readonly [bigint, AccountDispatchQueue]> {
  const { extra } = loadOutMsgQueueInfo(readState(state).outMsgQueueInfo)
  for (const [key, leaf] of walkDict(extra?.dispatchQueue, 256, { cells: WHOLE_STATE }, { key: from, inclusive }))
    yield [key, loadAccountDispatchQueue(leaf.skip(64))]
}

/** Metadata in the answer for a message without metadata: workchain -2^31, depth -1, lt -1. */
const NO_METADATA: TransactionMetadata = {
  mode: 0,
  depth: -1,
  initiator: { workchain: -0x80000000, hash: new Uint8Array(32) },
  initiatorLt: 0xffffffffffffffffn,
}

const metadataOf = (metadata: MsgMetadata | undefined): TransactionMetadata => {
  if (metadata?.initiatorAddr.type !== 'std') return NO_METADATA
  const { depth, initiatorAddr, initiatorLt } = metadata
  return { mode: 0, depth, initiator: { workchain: initiatorAddr.workchain, hash: initiatorAddr.hash }, initiatorLt }
}

const readQueues = (state: Cell, { after, maxAccounts }: LiteArgs<'getDispatchQueueInfo'>) => {
  const queues: Queue[] = []
  for (const [key, { messages, count }] of queuesFrom(state, after ? hashToBig(after) : 0n, after === undefined)) {
    if (queues.length === Math.min(maxAccounts, MAX_ROWS)) return { queues, complete: false }
    const range = dictMinMax(messages, 64)
    if (range === undefined) throw refuse(`invalid account dispatch queue for account ${key.toString(16).padStart(64, '0')}`)
    queues.push({ account: hashOf(key), size: BigInt(count), minLt: range.min, maxLt: range.max })
  }
  return { queues, complete: true }
}

const readMessage = (key: bigint, lt: bigint, value: Slice): { readonly row: Message; readonly root: Cell } => {
  const { msg, metadata } = loadMsgEnvelope(loadEnqueuedMsg(value).outMsg)
  return { row: { account: hashOf(key), lt, hash: msg.hash(), metadata: metadataOf(metadata) }, root: untracked(msg) }
}

const readMessages = (state: Cell, args: LiteArgs<'getDispatchQueueMessages'>) => {
  const rows: Message[] = []
  const roots: Cell[] = []
  const limit = Math.min(args.maxMessages, args.withMessages ? MAX_WITH_BYTES : MAX_ROWS)
  const first = hashToBig(args.account)
  for (const [key, { messages }] of queuesFrom(state, first, true)) {
    if (args.oneAccount && key !== first) break
    const from = key === first ? { key: args.afterLt, inclusive: false } : undefined
    for (const [lt, value] of walkDict(messages, 64, { cells: WHOLE_STATE }, from)) {
      const { row, root } = readMessage(key, lt, value)
      rows.push(row)
      roots.push(root)
      if (rows.length === limit) return { rows, roots, complete: false }
    }
  }
  return { rows, roots, complete: true }
}

export const dispatchQueueAnswers = ({ store }: AnswersDeps): Answers<'getDispatchQueueInfo' | 'getDispatchQueueMessages'> => {
  const proven = async <T>(id: BlockId, wantProof: boolean | undefined, read: (state: Cell) => T) => {
    const { block, state } = await blockAndState(store, id)
    if (!wantProof) return { value: read(state), proof: NO_BYTES }
    const { proof, value } = prove(state, read)
    return { value, proof: boc([proveHeader(block.root), proof]) }
  }
  return {
    async getDispatchQueueInfo(args) {
      if (args.maxAccounts <= 0) throw refuse('invalid max_accounts')
      const { value, proof } = await proven(args.id, args.wantProof, (state) => readQueues(state, args))
      return { id: args.id, ...value, proof }
    },

    async getDispatchQueueMessages(args, signal) {
      if (args.maxMessages <= 0) throw refuse('invalid max_messages')
      const { value, proof } = await proven(args.id, args.wantProof, (state) => readMessages(state, args))
      const { rows, roots, complete } = value
      return {
        id: args.id,
        messages: rows,
        complete,
        proof,
        messagesBoc: args.withMessages && roots.length > 0 ? await bocInTurns(roots, signal) : NO_BYTES,
      }
    },
  }
}

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
    return { shards, extMsgQueueSizeLimit: LONG_QUEUE }
  },

  async getBlockOutMsgQueueSize({ id, wantProof }) {
    const { block, state } = await blockAndState(store, id)
    const { proof, value } = prove(state, (root) => queueOf(root).extra?.outQueueSize)
    if (value === undefined) throw refuse('no out_msg_queue_size in shard state')
    return { id, size: BigInt(value), proof: wantProof ? boc([proveHeader(block.root), proof]) : NO_BYTES }
  },
})
