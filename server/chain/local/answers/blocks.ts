import { createHash } from 'node:crypto'
import { yieldToEventLoop } from '../../../base/yield.ts'
import { type Cell, CellError } from '../../../cell/cell.ts'
import { loadBlock, loadBlockExtra } from '../../../tlb/block/block.ts'
import { leafShard } from '../../../tlb/block/shard-ident.ts'
import { type BlockId, sameBlock } from '../../../tlb/ids.ts'
import type { LookupArgs } from '../../liteserver.ts'
import type { BlockStore } from '../model.ts'
import { type Answers, type AnswersDeps, blockOf, isValidFull, notFound, notInDb, refuse, stateOf } from './find-or-refuse.ts'
import { boc, bocInTurns, prove, readAll, readHeader } from './prove.ts'
import { readMasterBlock } from './read-with-references.ts'

/** Number of bytes of a block above which reading it takes some milliseconds. */
const LARGE = 128 << 10

/** Mode bits of getBlockHeader: additional parts of the proof besides the header. */
const HEADER = { stateUpdate: 1, valueFlow: 2, extra: 16, shardHashes: 32, prevSignatures: 64 } as const

const headerProof = (root: Cell, mode: number): Uint8Array => {
  const { proof } = prove(root, (virtual) => {
    readHeader(virtual)
    const block = loadBlock(virtual)
    if (mode & HEADER.valueFlow) readAll(block.valueFlow)
    if (!(mode & HEADER.extra)) return
    if (loadBlockExtra(block.extra).custom === undefined) return
    const extra = readMasterBlock(virtual)
    if (mode & HEADER.shardHashes && extra.shardHashes !== undefined) readAll(extra.shardHashes)
    if (mode & HEADER.prevSignatures && extra.prevBlkSignatures !== undefined) readAll(extra.prevBlkSignatures)
  })
  return boc(proof)
}

/** Finds a block by seqno, lt or time in the shard that contains the requested prefix. Throws LiteServerError if there is no such block. */
export const lookup = async (store: BlockStore, { id, by }: LookupArgs): Promise<BlockId> => {
  const shard = leafShard(id.shard)
  if ('seqno' in by) {
    const found = id.seqno > 0 ? await store.idBySeqno(id.workchain, id.seqno, shard) : undefined
    if (found === undefined) throw notFound(store, id, 'seqno', id.seqno)
    return found
  }
  const found = 'lt' in by ? await store.idByLt(id.workchain, by.lt, shard) : await store.idByUtime(id.workchain, by.utime, shard)
  // A zerostate is not a block, so a lookup starts at block 1.
  const first = found?.seqno === 0 ? await store.idBySeqno(id.workchain, 1, shard) : found
  if (first === undefined) throw 'lt' in by ? notFound(store, id, 'lt', by.lt) : notFound(store, id, 'utime', by.utime)
  return first
}

/** Maximum seqno for getState, as in TON's lite-server. */
const MAX_WHOLE_STATE = 1000
/** Maximum cells of a state that getState returns. More would take some hundred milliseconds to serialize. */
const MAX_STATE_CELLS = 100_000

const TOO_LARGE = 'cannot request total state: possibly too large'

export const blockAnswers = ({ store }: AnswersDeps): Answers<'getBlock' | 'getState' | 'getBlockHeader' | 'lookupBlock'> => ({
  async getBlock({ id }) {
    const { boc: data } = await blockOf(store, id)
    // Yields, because a client in the same process parses a large block synchronously.
    if (data.length > LARGE) await yieldToEventLoop()
    return { id, data }
  },

  async getState({ id }, signal) {
    if (!isValidFull(id)) throw refuse('invalid BlockIdExt')
    if (id.seqno > MAX_WHOLE_STATE) throw refuse(TOO_LARGE)
    if (id.seqno === 0) {
      const zero = store.zeroIds.find((each) => sameBlock(each, id))
      if (zero === undefined) throw notInDb(store, id)
      return { id, rootHash: id.rootHash, fileHash: id.fileHash, data: store.zeroStateBoc(id.workchain) }
    }
    const state = await stateOf(store, id)
    const data = await bocInTurns(state, signal, MAX_STATE_CELLS).catch((error: unknown) => {
      throw error instanceof CellError ? refuse(TOO_LARGE) : error
    })
    return { id, rootHash: state.hash(), fileHash: createHash('sha256').update(data).digest(), data }
  },

  async getBlockHeader({ id, mode }) {
    return { id, mode, headerProof: headerProof((await blockOf(store, id)).root, mode) }
  },

  async lookupBlock(args) {
    if (args.id.shard === 0n) throw refuse('invalid BlockId')
    const id = await lookup(store, args)
    return { id, mode: 0, headerProof: headerProof((await blockOf(store, id)).root, 0) }
  },
})
