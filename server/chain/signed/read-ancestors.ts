import { overlap } from '../../tlb/block/shard-ident.ts'
import { toHex } from '../../tlb/bytes.ts'
import { type BlockId, blockText, sameBlock } from '../../tlb/ids.ts'
import type { SourceBlock } from '../blocks.ts'
import { must } from '../proofs/error.ts'

/* Follows prev_ref from a shard block that a server lists as signed, back to blocks that the masterchain commits. */

/** Maximum number of blocks from a listed block back to the masterchain, equal to the limit of the C++ node. */
const MAX_BLOCKS = 20

/** Thrown for a block that an honest server may list, although its previous blocks do not lead back to the masterchain within MAX_BLOCKS blocks. */
export class NotFollowedError extends Error {
  override readonly name = 'NotFollowedError'
}

export const blockKey = ({ rootHash, fileHash }: BlockId): string => toHex(rootHash) + toHex(fileHash)

/** Of the top shard blocks whose shard overlaps this block's shard, the block with the highest seqno; undefined if there is none. */
export const topBeside = (tops: readonly BlockId[], id: BlockId): BlockId | undefined =>
  tops
    .filter((top) => overlap(top, id))
    .reduce<BlockId | undefined>((best, top) => (best === undefined || top.seqno > best.seqno ? top : best), undefined)

const checkParent = (child: SourceBlock, parent: SourceBlock): void => {
  const between = (): string => `${blockText(child.id)} does not follow ${blockText(parent.id)}, which it names`
  must(parent.info.endLt <= child.info.startLt, 'signed block', between)
  must(parent.info.genUtime <= child.info.genUtime, 'signed block', between)
  must(parent.info.beforeSplit === child.info.afterSplit, 'signed block', between)
  must(parent.globalId === child.globalId, 'signed block', between)
}

/**
 * Reads the blocks after the `tops` up to block `id`, each after its previous blocks. `fetch` checks hashes and headers. Throws ProofError for blocks that
 * cannot follow each other, and NotFollowedError if the blocks do not lead back to `tops`.
 */
export const readBack = async (
  id: BlockId,
  tops: readonly BlockId[],
  fetch: (id: BlockId) => Promise<SourceBlock>,
): Promise<readonly SourceBlock[]> => {
  const found = new Map<string, SourceBlock>()
  const visit = async (at: BlockId): Promise<SourceBlock | undefined> => {
    if (tops.some((top) => sameBlock(top, at))) return undefined
    const read = found.get(blockKey(at))
    if (read !== undefined) return read
    const top = topBeside(tops, at)
    if (top === undefined || at.seqno <= top.seqno)
      throw new NotFollowedError(`${blockText(id)} does not lead to a block that the masterchain names`)
    if (found.size === MAX_BLOCKS) throw new NotFollowedError(`over ${MAX_BLOCKS} blocks lie between ${blockText(id)} and the masterchain`)
    const block = await fetch(at)
    found.set(blockKey(at), block)
    for (const prev of block.prev) {
      const parent = await visit(prev)
      if (parent !== undefined) checkParent(block, parent)
    }
    return block
  }
  await visit(id)
  return [...found.values()].sort((a, b) => a.id.seqno - b.id.seqno)
}
