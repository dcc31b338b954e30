import { yieldToEventLoop } from '../../../base/yield.ts'
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
import { boc, NO_BYTES, proveHeader, proveInTurns, readAllSteps, readHeader } from './prove.ts'
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

/** Reads requested parameters of a configuration. */
type ReadRequested = (config: Cell) => Generator<void, void>

/** Reads the configuration parameters selected by the mode bits, so that the proof includes them. */
function* readByMode(config: Cell, mode: number): Generator<void, void> {
  const params = [
    ...(mode & NEED.validatorSet ? [configParam(config, 35) === undefined ? 34 : 35] : []),
    ...(mode & NEED.specialContracts ? [31] : []),
    ...(mode & NEED.workchains ? [12] : []),
    ...(mode & NEED.capabilities ? [8] : []),
  ]
  yield* readParams(config, params)
}

function* readParams(config: Cell, params: readonly number[]): Generator<void, void> {
  for (const param of params) {
    const cell = configParam(config, param)
    if (cell !== undefined) yield* readAllSteps(cell)
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

const fromState = (state: Cell, seqno: number, mode: number, readRequested: ReadRequested, signal: AbortSignal): Promise<Uint8Array> =>
  proveInTurns(
    state,
    function* (root) {
      const extra = readMasterState(root)
      const { config } = extra.config
      if (mode & NEED.prevBlocks) {
        const { libraries, accounts } = readState(root)
        if (mode & NEED.libraries) void libraries?.refCount
        if (mode & NEED.accounts) void accounts.refCount
        if (mode & NEED.shardHashes && extra.shardHashes !== undefined) yield* readAllSteps(extra.shardHashes)
        yield* readByMode(config, mode | NEED.capabilities)
        readPrevBlocks(extra, seqno)
      } else yield* readByMode(config, mode)
      yield* readRequested(config)
    },
    signal,
  )

const fromKeyBlock = (root: Cell, mode: number, readRequested: ReadRequested, signal: AbortSignal): Promise<Uint8Array> =>
  proveInTurns(
    root,
    function* (virtual) {
      readHeader(virtual)
      const { config } = readMasterBlock(virtual)
      if (config === undefined) throw refuse('cannot unpack extra header of key block to extract configuration')
      yield* readByMode(config.config, mode)
      yield* readRequested(config.config)
    },
    signal,
  )

export const configAnswers = ({ store }: AnswersDeps): Answers<'getConfigAll' | 'getConfigParams'> => {
  const answer = async (
    id: BlockId,
    mode: number,
    readRequested: ReadRequested,
    signal: AbortSignal,
  ): Promise<LiteAnswer<'getConfigAll'>> => {
    if (!isMasterchain(id)) throw refuse('configuration parameters can be loaded with respect to a masterchain block only')
    if (!(mode & FROM_KEY_BLOCK)) {
      const { block, state } = await masterBlockAndState(store, id)
      const configProof = await fromState(state, id.seqno, mode, readRequested, signal)
      // Yields, because a client in the same process parses the answer.
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
    return { mode, id: keyId, stateProof: NO_BYTES, configProof: await fromKeyBlock(root, mode, readRequested, signal) }
  }
  return {
    getConfigAll: ({ id, mode }, signal) => answer(id, mode & 0xffff, readAllSteps, signal),
    getConfigParams({ id, mode, params }, signal) {
      if (params.length > 256) throw refuse('too long param list')
      const distinct = [...new Set(params)]
      return answer(id, mode & 0xffff, (config) => readParams(config, distinct), signal)
    },
  }
}
