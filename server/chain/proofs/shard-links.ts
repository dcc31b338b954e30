import { type BlockId, blockFullText, MASTERCHAIN, sameBlock } from '../../tlb/ids.ts'
import type { ShardLink } from '../liteserver.ts'
import { must, proving } from './error.ts'
import { checkHeader, checkRootHash, prevBlocksOf } from './header.ts'
import { proofBudget, proofRoot } from './roots.ts'
import { masterBlockExtraOf, shardIn } from './shards.ts'

const WHAT = 'shard block links'

/** Maximum number of links that ton's lite-server makes. Chains of shard blocks between two masterchain blocks are not longer. */
export const MAX_SHARD_LINKS = 8

/**
 * Checks the links from a masterchain block to a shard block. The first proof contains the top block in ShardHashes. Each further proof contains a block
 * header that names the next block as its previous block.
 */
export const checkShardLinks = (masterBlock: BlockId, links: readonly ShardLink[], target: BlockId, budget = proofBudget()): void =>
  proving(WHAT, () => {
    must(masterBlock.workchain === MASTERCHAIN, WHAT, 'not from a masterchain block')
    must(links.length <= MAX_SHARD_LINKS, WHAT, () => `${links.length} links`)
    let at = masterBlock
    for (const { id, proof } of links) {
      const next =
        at.workchain === MASTERCHAIN
          ? [shardIn(masterBlockExtraOf(checkRootHash(proofRoot(proof, WHAT, budget), at)).shardHashes, id.workchain, id.shard, true)?.id]
          : prevBlocksOf(checkHeader(proof, at, budget).info)
      const found = next.some((block) => block !== undefined && sameBlock(block, id))
      must(found, WHAT, () => `${blockFullText(at)} does not lead to ${blockFullText(id)}`)
      at = id
    }
    must(sameBlock(at, target), WHAT, () => `the links end in ${blockFullText(at)}, not in ${blockFullText(target)}`)
  })
