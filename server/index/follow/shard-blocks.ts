import { byteText } from '../../base/memory/byte-text.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import { type BlockId, blockText } from '../../tlb/ids.ts'
import { CorruptBlockError } from './corrupt-block.ts'
import type { ShardTop } from './tops.ts'

/* Maps use root hashes as keys: strings of 32 one-byte characters. */

/** Maximum number and bytes of shard blocks between two masterchain blocks. If there are more, they do not lead back to an indexed block. */
const MAX_BLOCKS = 10_000
const MAX_BYTES = 128 << 20

/**
 * Returns the shard blocks that a masterchain block commits. `tops`: its newest block of each shard. `previous`: the newest blocks at the masterchain block
 * before. Reads from `tops` back to `previous`, level by level; the blocks of a level are read in parallel. Each block comes after its previous blocks.
 */
export const shardBlocks = async (
  tops: readonly ShardTop[],
  previous: readonly ShardTop[],
  read: (id: BlockId) => Promise<SourceBlock>,
): Promise<readonly SourceBlock[]> => {
  const previousNames = new Set(previous.map(({ rootHash }) => byteText(rootHash, 'latin1')))
  const found = new Map<string, SourceBlock>()
  let level: readonly BlockId[] = tops
  let bytes = 0
  while (level.length > 0) {
    const fresh = new Map<string, BlockId>()
    for (const id of level) {
      const name = byteText(id.rootHash, 'latin1')
      if (id.seqno > 0 && !previousNames.has(name) && !found.has(name)) fresh.set(name, id)
    }
    const tooMany = () => new CorruptBlockError(`the blocks before ${blockText(level[0]!)} do not lead to an indexed block`)
    if (found.size + fresh.size > MAX_BLOCKS) throw tooMany()
    const names = [...fresh.keys()]
    const readOne = async (id: BlockId): Promise<SourceBlock> => {
      const block = await read(id)
      bytes += block.size
      if (bytes > MAX_BYTES) throw tooMany()
      return block
    }
    const blocks = await Promise.all([...fresh.values()].map(readOne))
    for (const [i, block] of blocks.entries()) found.set(names[i]!, block)
    level = blocks.flatMap(({ prev }) => prev)
  }
  // A block has a higher seqno than its previous blocks, also after a split or a merge.
  return [...found.values()].sort((a, b) => a.id.seqno - b.id.seqno)
}
