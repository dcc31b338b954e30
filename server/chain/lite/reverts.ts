import { type BlockId, blockText, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../../tlb/ids.ts'
import { LiteServerError } from '../liteserver.ts'
import { ProofError } from '../proofs/error.ts'
import { checkLookupWithProof } from '../proofs/lookup.ts'
import type { Member } from './member.ts'

/*
 * Checks whether a server's chain still contains a block that the server reported before. On a chain that can be reverted, a new head need not follow the
 * last head.
 */

/** Returns true if the server proves that a block is in the chain of a head. */
export const isInChain = async (member: Member, block: BlockId, head: BlockId, signal: AbortSignal): Promise<boolean> => {
  if (block.seqno === head.seqno) return sameBlock(block, head)
  if (block.seqno > head.seqno) return false
  const sameSeqno = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: block.seqno }
  try {
    const answer = await member.query('lookupBlockWithProof', { id: sameSeqno, by: { seqno: true }, mcBlockId: head }, signal)
    return sameBlock(checkLookupWithProof(answer, sameSeqno, { seqno: true }, head).id, block)
  } catch (error) {
    // The server no longer has `head`: its chain was reverted after it had reported this head. The caller queries the new head later.
    if (error instanceof LiteServerError) throw new LiteServerError(error.code, `${blockText(head)} is gone: ${error.message}`)
    throw error instanceof ProofError
      ? error
      : new Error(`the server did not prove whether ${blockText(block)} is in its chain`, { cause: error })
  }
}
