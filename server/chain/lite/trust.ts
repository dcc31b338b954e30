import { runSteps } from '../../base/yield.ts'
import { type BlockId, blockFullText, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../../tlb/ids.ts'
import { must, ProofError } from '../proofs/error.ts'
import { checkHeader } from '../proofs/header.ts'
import { checkBlockProof, createSigners } from '../proofs/links.ts'
import type { Member } from './member.ts'

/** How a head is checked. `full`: by the chain of key blocks and validator signatures. `head`: without signatures, because the server is trusted. */
export type Trust = 'full' | 'head'

export interface HeadTrustDeps {
  readonly trust: Trust
  readonly init: BlockId
  /** A key block that was proven in an earlier run. */
  readonly anchor?: BlockId | undefined
  readonly onKeyBlock?: ((block: BlockId) => void) | undefined
}

/** Maximum number of answers for one proof chain, each of up to 16 links: enough for a hundred years of key blocks. */
const MAX_ANSWERS = 4_096

export const createHeadTrust = ({ trust, init, anchor: saved, onKeyBlock }: HeadTrustDeps) => {
  const signers = createSigners()
  let anchor = saved !== undefined && saved.seqno > init.seqno ? saved : init

  const follow = async (member: Member, id: BlockId, signal: AbortSignal): Promise<void> => {
    let at = anchor
    for (let i = 0; !sameBlock(at, id); i += 1) {
      must(i < MAX_ANSWERS, 'block link', 'the chain does not end')
      const answer = await member.query('getBlockProof', { from: at, target: id }, signal)
      const proven = await runSteps(checkBlockProof(answer, at, id, signers), signal)
      must(proven.length > 0 && answer.to.seqno > at.seqno, 'block link', 'the chain leads nowhere')
      const key = proven.findLast((block) => block?.info.keyBlock)?.id
      if (key !== undefined && key.seqno > anchor.seqno) {
        anchor = key
        onKeyBlock?.(key)
      }
      at = answer.to
    }
  }

  return {
    anchor: (): BlockId => anchor,
    /** Forgets the proven key blocks, so that the next proof begins at the first trusted block. */
    reset(): void {
      anchor = init
    },
    /** Checks a block that a server reports as its head. Returns the block's time (unix seconds). Throws ProofError, or the error of a query. */
    async check(member: Member, id: BlockId, signal: AbortSignal): Promise<number> {
      must(id.workchain === MASTERCHAIN && id.shard === WHOLE_SHARD, 'head', () => `${blockFullText(id)} is not a block of the masterchain`)
      if (trust === 'full') await follow(member, id, signal)
      if (id.seqno === 0) throw new ProofError('head', 'there is no block yet')
      const header = await member.query('getBlockHeader', { id, mode: 0 }, signal)
      must(sameBlock(header.id, id), 'head', 'the header of another block')
      return checkHeader(header.headerProof, id).info.genUtime
    },
  }
}
export type HeadTrust = ReturnType<typeof createHeadTrust>
