import type { BlockId } from '../../../tlb/ids.ts'
import type { StoredBlock } from '../model.ts'

/** Cache of parsed blocks with a limit in bytes. The oldest block is dropped first. */
export interface BlockCache {
  get(id: BlockId): StoredBlock | undefined
  add(block: StoredBlock): void
  clear(): void
}

/** Estimated memory of a parsed block, bytes. Measured: an idle block of 1.2 KB takes 7.6 KB. */
const weightOf = ({ boc }: StoredBlock): number => 3 * boc.length + 4_096

const keyOf = (id: BlockId): string => `${id.workchain}:${id.seqno}`

export const createBlockCache = (maxBytes: number): BlockCache => {
  const blocks = new Map<string, StoredBlock>()
  let bytes = 0
  return {
    get: (id) => blocks.get(keyOf(id)),
    add: (block) => {
      const key = keyOf(block.id)
      const known = blocks.get(key)
      bytes += weightOf(block) - (known ? weightOf(known) : 0)
      blocks.set(key, block)
      for (const [oldest, first] of blocks) {
        if (bytes <= maxBytes || blocks.size === 1) break
        blocks.delete(oldest)
        bytes -= weightOf(first)
      }
    },
    clear: () => {
      blocks.clear()
      bytes = 0
    },
  }
}
