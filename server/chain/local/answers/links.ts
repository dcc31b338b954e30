import type { Cell } from '../../../cell/cell.ts'
import { loadBlock } from '../../../tlb/block/block.ts'
import { loadBlockInfo } from '../../../tlb/block/block-info.ts'
import { configParam } from '../../../tlb/config/config-dictionary.ts'
import { type BlockId, blockFullText, isMasterchain, sameBlock } from '../../../tlb/ids.ts'
import { type BlockLink, FROM_LATER } from '../../liteserver.ts'
import { oldBlockIn } from '../../proofs/old-blocks.ts'
import type { BlockStore } from '../model.ts'
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
import { readMasterBlock, readMasterState } from './read-with-references.ts'

const MAX_LINKS = 16

/** Reads the parameters that a client needs to check signatures. */
const readValidators = (config: Cell): void => {
  for (const param of [35, 34, 28]) {
    const cell = configParam(config, param)
    if (cell !== undefined) readAll(cell)
  }
}

/** Header proof of a link's target block, and whether that block is a key block. */
const destination = async (store: BlockStore, to: BlockId): Promise<{ readonly destProof: Uint8Array; readonly toKeyBlock: boolean }> => {
  // A zerostate has no header. TON's lite-server reports the zerostate as a key block.
  if (to.seqno === 0) return { destProof: NO_BYTES, toKeyBlock: true }
  const { root } = await blockOf(store, to)
  return { destProof: boc(proveHeader(root)), toKeyBlock: loadBlockInfo(loadBlock(root).info).keyBlock }
}

const back = async (store: BlockStore, from: BlockId, to: BlockId): Promise<BlockLink> => {
  const { block, state } = await masterBlockAndState(store, from)
  const { proof } = prove(state, (root) => {
    const { prevBlocks } = readMasterState(root)
    oldBlockIn(prevBlocks, 0)
    const old = oldBlockIn(prevBlocks, to.seqno)
    if (old === undefined || !sameBlock(old.id, to)) {
      throw refuse(`cannot prove that ${blockFullText(to)} is in the previous block set of the masterchain state of ${blockFullText(from)}`)
    }
  })
  return { type: 'back', from, to, ...(await destination(store, to)), proof: boc(proveHeader(block.root)), stateProof: boc(proof) }
}

const forward = async (store: BlockStore, from: BlockId, to: BlockId): Promise<BlockLink> => {
  const target = await blockOf(store, to)
  if (target.signatures === undefined) throw refuse(`cannot load proof for ${blockFullText(to)} : no signatures`)
  const configProof = from.seqno === 0 ? await zeroConfig(store, from) : await keyConfig(store, from)
  return { type: 'forward', from, to, ...(await destination(store, to)), configProof: boc(configProof), signatures: target.signatures }
}

const zeroConfig = async (store: BlockStore, from: BlockId): Promise<Cell> => {
  const state = await store.state(from)
  if (state === undefined) throw notInDb(store, from, 'cannot load zerostate : ')
  return prove(state, (root) => readValidators(readMasterState(root).config.config)).proof
}

const keyConfig = async (store: BlockStore, from: BlockId): Promise<Cell> => {
  const { root } = await blockOf(store, from)
  return prove(root, (virtual) => {
    readHeader(virtual)
    const { config } = readMasterBlock(virtual)
    if (config === undefined) throw refuse('cannot unpack extra header of key block to extract configuration')
    readValidators(config.config)
  }).proof
}

/** The first key block above `seqno` and up to `last`; undefined if there is none. */
const keyBlockAfter = async (store: BlockStore, seqno: number, last: number): Promise<number | undefined> => {
  if ((await store.keyBlockBefore(last)) <= seqno) return undefined
  let [low, high] = [seqno + 1, last]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await store.keyBlockBefore(middle)) > seqno) high = middle
    else low = middle + 1
  }
  return low
}

const masterAt = async (store: BlockStore, seqno: number): Promise<BlockId> => {
  const id = await masterIdAt(store, seqno)
  if (id === undefined) throw refuse(`cannot compute previous key block for ${seqno}`)
  return id
}

/**
 * The next link of a proof chain (construct_proof_chain of TON's lite-server). The chain goes back to a key block, then from key block to key block, and
 * then from the last key block to the target. `last`: seqno beyond which no link goes.
 */
const nextLink = async (store: BlockStore, at: BlockId, target: BlockId, last: number): Promise<BlockLink> => {
  if (target.seqno < at.seqno) return back(store, at, target)
  const keySeqno = await store.keyBlockBefore(at.seqno)
  if (keySeqno !== at.seqno) return back(store, at, await masterAt(store, keySeqno))
  const next = await keyBlockAfter(store, at.seqno, last)
  return forward(store, at, next === undefined ? target : await masterAt(store, next))
}

export const linkAnswers = ({ store }: AnswersDeps): Answers<'getBlockProof'> => ({
  async getBlockProof({ from, target, mode = 0 }, signal) {
    const base = store.head().id
    const to = target ?? base
    if (!isMasterchain(from)) throw refuse(`source block ${blockFullText(from)} is not a valid masterchain block id`)
    if (!isMasterchain(to)) throw refuse(`destination block ${blockFullText(to)} is not a valid masterchain block id`)
    for (const id of [from, to]) {
      if (id.seqno > base.seqno) {
        throw refuse(`client knows block ${blockFullText(id)} newer than the reference masterchain block ${blockFullText(base)}`)
      }
    }
    if (!(await isInMasterchain(store, from))) {
      throw refuse(
        `proof source masterchain block ${blockFullText(from)} is unknown from the perspective of reference block ${blockFullText(base)}`,
      )
    }
    if (!(await isInMasterchain(store, to))) {
      throw refuse(
        `proof destination masterchain block ${blockFullText(to)} is unknown from the perspective of reference block ${blockFullText(base)}`,
      )
    }
    const last = mode & FROM_LATER ? Math.max(from.seqno, to.seqno) : base.seqno
    const steps: BlockLink[] = []
    let at = from
    while (!sameBlock(at, to) && steps.length < MAX_LINKS) {
      signal.throwIfAborted()
      const link = await nextLink(store, at, to, last)
      steps.push(link)
      at = link.to
    }
    return { complete: sameBlock(at, to), from, to: at, steps }
  },
})
