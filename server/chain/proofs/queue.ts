import { blockFullText, sameBlock } from '../../tlb/block-id.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { loadOutMsgQueueInfo } from '../../tlb/state/out-msg-queue.ts'
import type { LiteAnswer } from '../liteserver.ts'
import { must, proving } from './error.ts'
import { checkTwoRootState } from './state.ts'

const WHAT = 'outbound queue size'

/** Checks an answer of getBlockOutMsgQueueSize made with `wantProof`: messages in the outbound queue after a block. */
export const checkQueueSize = (answer: LiteAnswer<'getBlockOutMsgQueueSize'>, block: BlockId): number =>
  proving(WHAT, () => {
    must(sameBlock(answer.id, block), WHAT, () => `an answer for ${blockFullText(answer.id)} instead of ${blockFullText(block)}`)
    const { state } = checkTwoRootState(answer.proof, block, WHAT)
    const size = loadOutMsgQueueInfo(state.outMsgQueueInfo).extra?.outQueueSize
    must(size !== undefined && BigInt(size) === answer.size, WHAT, () => `${answer.size}, but the state says ${size}`)
    return size
  })
