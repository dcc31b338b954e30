import { createHash } from 'node:crypto'
import { sameBytes } from '../../tlb/bytes.ts'
import { type BlockId, blockFullText, sameBlock } from '../../tlb/ids.ts'
import type { LiteAnswer, LiteArgs, LiteFunction, ZeroStateId } from '../liteserver.ts'
import { must } from '../proofs/error.ts'

/*
 * Checks that need only the query and the answer: the zerostate of the network, and the hashes of blocks. They run for all queries, even if the caller
 * checks nothing.
 */

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest()

const mustBeOf = (what: string, answer: BlockId, requested: BlockId): void =>
  must(sameBlock(answer, requested), what, () => `an answer for ${blockFullText(answer)} instead of ${blockFullText(requested)}`)

/** Throws ProofError if an answer comes from another network. */
export const checkNetwork = <F extends LiteFunction>(fn: F, answer: LiteAnswer<F>, zeroState: ZeroStateId): LiteAnswer<F> => {
  if (fn === 'getMasterchainInfo' || fn === 'getMasterchainInfoExt') {
    const { init } = answer as LiteAnswer<'getMasterchainInfo'>
    must(sameBytes(init.rootHash, zeroState.rootHash) && sameBytes(init.fileHash, zeroState.fileHash), 'network', 'it serves another one')
  }
  return answer
}

/** Throws ProofError if a block or zerostate does not have the file hash of its id. */
export const checkEvident = <F extends LiteFunction>(fn: F, args: LiteArgs<F>, answer: LiteAnswer<F>): LiteAnswer<F> => {
  if (fn === 'getBlock') {
    const { id } = args as LiteArgs<'getBlock'>
    const block = answer as LiteAnswer<'getBlock'>
    mustBeOf('block', block.id, id)
    must(sameBytes(sha256(block.data), id.fileHash), 'block', 'another file hash')
  }
  if (fn === 'getState') {
    const { id } = args as LiteArgs<'getState'>
    const state = answer as LiteAnswer<'getState'>
    mustBeOf('state', state.id, id)
    // A zerostate's id contains the file hash of the state. Every other id contains the file hash of the block.
    if (id.seqno === 0) must(sameBytes(sha256(state.data), id.fileHash), 'state', 'another file hash')
  }
  return answer
}
