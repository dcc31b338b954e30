import { inOwnTurn, yieldToEventLoop } from '../../../base/yield.ts'
import type { Cell } from '../../../cell/cell.ts'
import { configParam, loadParam } from '../../../tlb/config/config-dictionary.ts'
import { globalVersion } from '../../../tlb/config/general.ts'
import { type BlockId, blockFullText, isMasterchain } from '../../../tlb/ids.ts'
import type { McStateExtra } from '../../../tlb/state/mc-state-extra.ts'
import type { LiteAnswer } from '../../liteserver.ts'
import { PREV_BLOCKS_SINCE, prevSeqnos } from '../../prev-blocks.ts'
import { FROM_KEY_BLOCK } from '../../proofs/config.ts'
import { oldBlockIn } from '../../proofs/old-blocks.ts'
import {
  type Answers,
  type AnswersDeps,
  blockOf,
  isInMasterchain,
  masterBlockAndState,
  masterIdAt,
  notInDb,
  refuse,
} from './find-or-refuse.ts'
import { boc, NO_BYTES, prove, proveHeader, readAll, readHeader } from './prove.ts'
import { readMasterBlock, readMasterState, readState } from './read-with-references.ts'

/** Mode bits of getConfigAll and getConfigParams: additional parts of the proof besides the requested parameters (block::Config and block::ConfigInfo). */
const NEED = {
  libraries: 2,
  shardHashes: 8,
  validatorSet: 16,
  specialContracts: 32,
  accounts: 64,
  prevBlocks: 128,
  workchains: 256,
  capabilities: 512,
} as const

/** Reads the configuration parameters selected by the mode bits, so that the proof includes them. */
const readByMode = (config: Cell, mode: number): void => {
  const params = [
    ...(mode & NEED.validatorSet ? [configParam(config, 35) === undefined ? 34 : 35] : []),
    ...(mode & NEED.specialContracts ? [31] : []),
    ...(mode & NEED.workchains ? [12] : []),
    ...(mode & NEED.capabilities ? [8] : []),
  ]
  readParams(config, params)
}

const readParams = (config: Cell, params: readonly number[]): void => {
  for (const param of params) {
    const cell = configParam(config, param)
    if (cell !== undefined) readAll(cell)
  }
}

/**
 * Reads the blocks of PREVBLOCKSINFO: the last 15 blocks, and 16 blocks at multiples of 100. The last key block is part of McStateExtra itself, so it needs
 * no read.
 */
const readPrevBlocks = (extra: McStateExtra, seqno: number): void => {
  const { last, steps } = prevSeqnos(seqno)
  const hasSteps = (loadParam(extra.config.config, 8, globalVersion)?.version ?? 0) >= PREV_BLOCKS_SINCE.steps
  // Entry 0 is the zerostate, which clients compare with the zerostate in their config.
  for (const at of [0, ...last, ...(hasSteps ? steps : [])]) if (at < seqno) oldBlockIn(extra.prevBlocks, at)
}

const fromState = (state: Cell, seqno: number, mode: number, readRequested: (config: Cell) => void): Cell => {
  const { proof } = prove(state, (root) => {
    const extra = readMasterState(root)
    const { config } = extra.config
    if (mode & NEED.prevBlocks) {
      const { libraries, accounts } = readState(root)
      if (mode & NEED.libraries) void libraries?.refCount
      if (mode & NEED.accounts) void accounts.refCount
      if (mode & NEED.shardHashes && extra.shardHashes !== undefined) readAll(extra.shardHashes)
      readByMode(config, mode | NEED.capabilities)
      readPrevBlocks(extra, seqno)
    } else readByMode(config, mode)
    readRequested(config)
  })
  return proof
}

const fromKeyBlock = (root: Cell, mode: number, readRequested: (config: Cell) => void): Cell => {
  const { proof } = prove(root, (virtual) => {
    readHeader(virtual)
    const { config } = readMasterBlock(virtual)
    if (config === undefined) throw refuse('cannot unpack extra header of key block to extract configuration')
    readByMode(config.config, mode)
    readRequested(config.config)
  })
  return proof
}

export const configAnswers = ({ store }: AnswersDeps): Answers<'getConfigAll' | 'getConfigParams'> => {
  const answer = async (id: BlockId, mode: number, readRequested: (config: Cell) => void): Promise<LiteAnswer<'getConfigAll'>> => {
    if (!isMasterchain(id)) throw refuse('configuration parameters can be loaded with respect to a masterchain block only')
    if (!(mode & FROM_KEY_BLOCK)) {
      const { block, state } = await masterBlockAndState(store, id)
      const proof = await inOwnTurn(() => fromState(state, id.seqno, mode, readRequested))
      // A configuration can have 65,536 cells. Reading, serializing and parsing them again each get a separate event-loop turn.
      await yieldToEventLoop()
      const configProof = boc(proof)
      await yieldToEventLoop()
      return { mode, id, stateProof: boc(proveHeader(block.root)), configProof }
    }
    if (!(await isInMasterchain(store, id))) {
      const head = blockFullText(store.head().id)
      throw refuse(`requested masterchain block ${blockFullText(id)} is unknown from the perspective of reference block ${head}`)
    }
    const keyId = await masterIdAt(store, await store.keyBlockBefore(id.seqno))
    if (keyId === undefined) throw notInDb(store, id)
    const { root } = await blockOf(store, keyId, `cannot load block ${blockFullText(keyId)} : `)
    const proof = await inOwnTurn(() => fromKeyBlock(root, mode, readRequested))
    await yieldToEventLoop()
    return { mode, id: keyId, stateProof: NO_BYTES, configProof: boc(proof) }
  }
  return {
    getConfigAll: ({ id, mode }) => answer(id, mode & 0xffff, readAll),
    getConfigParams({ id, mode, params }) {
      if (params.length > 256) throw refuse('too long param list')
      const distinct = [...new Set(params)]
      return answer(id, mode & 0xffff, (config) => readParams(config, distinct))
    },
  }
}
