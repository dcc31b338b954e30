import { TonError } from '../../shared/errors.ts'
import { Lru } from '../base/memory/lru.ts'
import { leafShard } from '../tlb/block/shard-ident.ts'
import { type BlockId, MASTERCHAIN, type ShortBlockId, WHOLE_SHARD } from '../tlb/ids.ts'
import type { Blocks } from './blocks.ts'
import type { Head, LookupArgs } from './liteserver.ts'

const KEPT = 10_000

export interface Lookups {
  lookupBlock(id: ShortBlockId, by: LookupArgs['by'], signal: AbortSignal): Promise<BlockId>
  pin(at: number | BlockId | undefined, signal: AbortSignal): Promise<BlockId>
}

/**
 * Finds block ids by seqno, lt or time, each proven to belong to the chain of the head. Results are cached; the epoch in the key drops them after a
 * revert.
 */
export const createLookups = ({ provenId, firstId }: Pick<Blocks, 'provenId' | 'firstId'>, head: () => Head): Lookups => {
  const found = new Lru<string, BlockId>({ max: KEPT })

  /** A block by lt or time. Only the first block of a shard is not found by the lookup itself. */
  const firstThatReaches = async (asked: ShortBlockId, by: LookupArgs['by'], at: Head, signal: AbortSignal): Promise<BlockId> => {
    try {
      return await provenId(asked, by, at.id, signal)
    } catch (error) {
      const isFuture = 'utime' in by && by.utime > at.utime
      if ('seqno' in by || isFuture || !(error instanceof TonError) || error.kind !== 'CHAIN') throw error
      // A network may have no server left that keeps its first blocks.
      const first = await firstId(asked, by, at.id, signal).catch(() => undefined)
      signal.throwIfAborted()
      if (first === undefined) throw error
      return first
    }
  }

  const lookupBlock: Lookups['lookupBlock'] = async (asked, by, signal) => {
    const at = head()
    const value = 'seqno' in by ? `s${asked.seqno}` : 'lt' in by ? `l${by.lt}` : `u${by.utime}`
    const key = `${at.epoch}:${asked.workchain}:${asked.shard === 0n ? 0n : leafShard(asked.shard)}:${value}`
    const known = found.get(key)
    if (known !== undefined) return known
    const id = await firstThatReaches(asked, by, at, signal)
    found.set(key, id)
    return id
  }

  return {
    lookupBlock,
    async pin(at, signal) {
      if (at === undefined) return head().id
      if (typeof at !== 'number') return at
      const last = head().id
      if (at === last.seqno) return last
      return lookupBlock({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: at }, { seqno: true }, signal)
    },
  }
}
