import type { Budget } from '../../cell/budget.ts'
import { leafShard, shardContains } from '../../tlb/block/shard-ident.ts'
import { type BlockId, blockFullText, blockText, MASTERCHAIN, type ShortBlockId, sameBlock } from '../../tlb/ids.ts'
import type { LiteAnswer, LookupArgs } from '../liteserver.ts'
import { must, ProofError, proving } from './error.ts'
import { checkHeader, type ProvenBlock, prevBlocksOf } from './header.ts'
import { checkOldBlock } from './old-blocks.ts'
import { proofBudget } from './roots.ts'
import { checkShardLinks } from './shard-links.ts'
import { checkSeparateState } from './state.ts'

const WHAT = 'block lookup'

/** @internal Checks what a header alone can prove about a lookup: the shard, and the seqno, or that the block reaches the requested lt or time. */
export const checkLookup = (header: ProvenBlock, requested: ShortBlockId, by: LookupArgs['by']): void =>
  proving(WHAT, () => {
    const { id, info } = header
    must(
      id.workchain === requested.workchain && shardContains(id.shard, leafShard(requested.shard)),
      WHAT,
      () => `${blockText(id)} is of another shard than ${blockText(requested)}`,
    )
    if ('seqno' in by) must(id.seqno === requested.seqno, WHAT, () => `seqno ${id.seqno} instead of ${requested.seqno}`)
    else if ('lt' in by) must(info.endLt >= by.lt, WHAT, () => `the block ends at lt ${info.endLt}, before ${by.lt}`)
    else must(info.genUtime >= by.utime, WHAT, () => `the block is of ${info.genUtime}, before ${by.utime}`)
  })

/**
 * Checks an answer of lookupBlockWithProof against a trusted masterchain block. The found block must be committed by the trusted block or by an earlier
 * masterchain block. For a lookup by lt or time, the header of the previous block proves that no earlier block reaches the value.
 */
export const checkLookupWithProof = (
  answer: LiteAnswer<'lookupBlockWithProof'>,
  requested: ShortBlockId,
  by: LookupArgs['by'],
  trusted: BlockId,
): ProvenBlock =>
  proving(WHAT, () => {
    const budget = proofBudget()
    const header = checkHeader(answer.header, answer.id, budget)
    checkLookup(header, requested, by)
    if (!sameBlock(answer.mcBlockId, trusted)) {
      must(answer.mcBlockId.workchain === MASTERCHAIN, WHAT, 'the committing block is not of the masterchain')
      const state = checkSeparateState(answer.clientMcStateProof, answer.mcBlockProof, trusted, WHAT, budget)
      checkOldBlock(state, answer.mcBlockId)
    }
    if (answer.id.workchain === MASTERCHAIN)
      must(sameBlock(answer.id, answer.mcBlockId), WHAT, 'another masterchain block than the one proven')
    else checkShardLinks(answer.mcBlockId, answer.shardLinks, answer.id, budget)
    if (!('seqno' in by)) checkFirst(header, answer.prevHeader, requested, by, budget)
    return header
  })

export type LtOrTime = Exclude<LookupArgs['by'], { readonly seqno: true }>

export const reaches = ({ info }: ProvenBlock, by: LtOrTime): boolean => ('lt' in by ? info.endLt >= by.lt : info.genUtime >= by.utime)

const checkFirst = (header: ProvenBlock, prevHeader: Uint8Array, requested: ShortBlockId, by: LtOrTime, budget: Budget): void => {
  const prev = prevBlocksOf(header.info).find((block) => shardContains(block.shard, leafShard(requested.shard)))
  if (prev === undefined) throw new ProofError(WHAT, 'no previous block in the shard asked for')
  // The block is the first block of its shard, and the zerostate before it has no header.
  if (prev.seqno === 0) return
  must(!reaches(checkHeader(prevHeader, prev, budget), by), WHAT, () => `${blockFullText(prev)} reaches it already`)
}
