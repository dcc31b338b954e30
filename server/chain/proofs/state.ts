import type { Cell } from '../../cell/cell.ts'
import { sameBytes, toHex } from '../../tlb/bytes.ts'
import { type BlockId, blockFullText, blockText, sameBlock } from '../../tlb/ids.ts'
import { loadOutMsgQueueInfo } from '../../tlb/state/out-msg-queue.ts'
import { loadShardState } from '../../tlb/state/shard-state.ts'
import type { LiteAnswer } from '../liteserver.ts'
import { must, proving } from './error.ts'
import { checkBlockRoot, checkHeader, type ProvenBlock, stateHashOf } from './header.ts'
import { proofBudget, proofRoot, twoProofRoots } from './roots.ts'

/* Proves a state from a block: one proof of the header with the hash of the new state, and one proof inside that state. */

export type ProvenState = ReturnType<typeof checkStateRoot>

/** Checks that a complete or virtual state root is the state after a proven block. */
export const checkStateRoot = (root: Cell, header: ProvenBlock, what: string) =>
  proving(what, () => {
    const [expected, found] = [stateHashOf(header), root.hash(0)]
    must(sameBytes(expected, found), what, () => `state hash ${toHex(found)}, but the block declares ${toHex(expected)}`)
    const state = loadShardState(root)
    const { id, info } = header
    must(
      state.workchain === id.workchain && state.shard === id.shard && state.seqno === id.seqno,
      what,
      () => `the state is of ${blockText(state)}, not of ${blockText(id)}`,
    )
    must(state.genUtime === info.genUtime && state.genLt === info.endLt, what, 'the state has another time than its block')
    return { header, state, root }
  })

/** Checks a BoC of two Merkle proofs: block -> state, then state -> the requested value. `blockRoot`: may use a cache for the check of the first proof. */
export const checkTwoRootState = (proof: Uint8Array, id: BlockId, what: string, blockRoot = checkBlockRoot): ProvenState => {
  const [block, state] = twoProofRoots(proof, what)
  return checkStateRoot(state, blockRoot(block, id), what)
}

/** Like checkTwoRootState, for answers that contain the two proofs in two BoCs. */
export const checkSeparateState = (block: Uint8Array, state: Uint8Array, id: BlockId, what: string, budget = proofBudget()): ProvenState =>
  checkStateRoot(proofRoot(state, what, budget), checkHeader(block, id, budget), what)

const QUEUE_SIZE = 'outbound queue size'

/** Checks an answer of getBlockOutMsgQueueSize made with `wantProof`. Returns the number of messages in the outbound queue after the block. */
export const checkQueueSize = (answer: LiteAnswer<'getBlockOutMsgQueueSize'>, block: BlockId): number =>
  proving(QUEUE_SIZE, () => {
    must(sameBlock(answer.id, block), QUEUE_SIZE, () => `an answer for ${blockFullText(answer.id)} instead of ${blockFullText(block)}`)
    const { state } = checkTwoRootState(answer.proof, block, QUEUE_SIZE)
    const size = loadOutMsgQueueInfo(state.outMsgQueueInfo).extra?.outQueueSize
    must(size !== undefined && BigInt(size) === answer.size, QUEUE_SIZE, () => `${answer.size}, but the state says ${size}`)
    return size
  })
