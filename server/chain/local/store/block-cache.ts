import type { BlockId } from '../../ids.ts'
import type { StoredBlock } from '../model.ts'

/** Parsed blocks at hand, bounded by the bytes of their BoCs; the oldest goes first. */
export interface BlockCache {
  get(id: BlockId): StoredBlock | undefined
  add(block: StoredBlock): void
  clear(): void
}

const keyOf = (id: BlockId): string => `${id.workchain}:${id.seqno}`

export const createBlockCache = (maxBytes: number): BlockCache => {
  const blocks = new Map<string, StoredBlock>()
  let bytes = 0
  return {
    get: (id) => blocks.get(keyOf(id)),
    add: (block) => {
      const key = keyOf(block.id)
      bytes += block.boc.length - (blocks.get(key)?.boc.length ?? 0)
      blocks.set(key, block)
      for (const [oldest, { boc }] of blocks) {
        if (bytes <= maxBytes || blocks.size === 1) break
        blocks.delete(oldest)
        bytes -= boc.length
      }
    },
    clear: () => {
      blocks.clear()
      bytes = 0
    },
  }
}
