import { LRUCache } from 'lru-cache'
import type { BlockId } from '../../../tlb/ids.ts'
import type { StoredBlock } from '../model.ts'

/** Cache of parsed blocks with a limit in bytes. The least recently used block is dropped first. The newest block is never dropped. */
export interface BlockCache {
  get(id: BlockId): StoredBlock | undefined
  add(block: StoredBlock): void
  clear(): void
}

/** Estimated memory of a parsed block, bytes. Measured: an idle block of 1.2 KB takes 7.6 KB. */
const weightOf = ({ boc }: StoredBlock): number => 3 * boc.length + 4_096

const keyOf = (id: BlockId): string => `${id.workchain}:${id.seqno}`

export const createBlockCache = (maxBytes: number): BlockCache => {
  // The cache would refuse a block that is larger than its limit, so a block's size is capped at the limit.
  const blocks = new LRUCache<string, StoredBlock>({ maxSize: maxBytes, sizeCalculation: (block) => Math.min(weightOf(block), maxBytes) })
  return {
    get: (id) => blocks.get(keyOf(id)),
    add: (block) => void blocks.set(keyOf(block.id), block),
    clear: () => blocks.clear(),
  }
}
