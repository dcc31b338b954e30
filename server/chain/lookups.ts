import { TonError } from '../../shared/errors.ts'
import { Lru } from '../base/memory/lru.ts'
import { leafShard } from '../tlb/block/shard-ident.ts'
import { type BlockId, MASTERCHAIN, type ShortBlockId, WHOLE_SHARD } from '../tlb/ids.ts'
import type { Blocks } from './blocks.ts'
import type { Head, LookupArgs } from './liteserver.ts'

const MAX_LOOKUPS = 10_000

/**
 * Finds block ids by seqno, lt or time, and checks that each block belongs to the head's chain. Results are cached. The epoch is part of the cache key, so
 * that entries are not used after a revert.
 */
export const createLookups = ({ provenId, firstId }: Pick<Blocks, 'provenId' | 'firstId'>, head: () => Head) => {
  const cache = new Lru<string, BlockId>({ max: MAX_LOOKUPS })

  /** A lookup cannot prove the first block of a shard, so that block is checked separately. */
  const firstThatReaches = async (requested: ShortBlockId, by: LookupArgs['by'], at: Head, signal: AbortSignal): Promise<BlockId> => {
    try {
      return await provenId(requested, by, at.id, signal)
    } catch (error) {
      const isFuture = 'utime' in by && by.utime > at.utime
      if ('seqno' in by || isFuture || !(error instanceof TonError) || error.kind !== 'CHAIN') throw error
      // `firstId` fails, for example, if no server stores the first blocks of the shard any more.
      const first = await firstId(requested, by, at.id, signal).catch(() => undefined)
      signal.throwIfAborted()
      if (first === undefined) throw error
      return first
    }
  }

  const lookupBlock = async (requested: ShortBlockId, by: LookupArgs['by'], signal: AbortSignal): Promise<BlockId> => {
    const at = head()
    const value = 'seqno' in by ? `s${requested.seqno}` : 'lt' in by ? `l${by.lt}` : `u${by.utime}`
    const key = `${at.epoch}:${requested.workchain}:${requested.shard === 0n ? 0n : leafShard(requested.shard)}:${value}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const id = await firstThatReaches(requested, by, at, signal)
    cache.set(key, id)
    return id
  }

  return {
    lookupBlock,
    async pin(at: number | BlockId | undefined, signal: AbortSignal): Promise<BlockId> {
      if (at === undefined) return head().id
      if (typeof at !== 'number') return at
      const last = head().id
      if (at === last.seqno) return last
      return lookupBlock({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: at }, { seqno: true }, signal)
    },
  }
}
