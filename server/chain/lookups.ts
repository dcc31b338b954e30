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
  const firstThatReaches = async (asked: ShortBlockId, by: LookupArgs['by'], of: BlockId, signal: AbortSignal): Promise<BlockId> => {
    try {
      return await provenId(asked, by, of, signal)
    } catch (error) {
      if (!(error instanceof TonError) || error.kind !== 'CHAIN') throw error
      return await firstId(asked, by, of, signal).catch((fault: unknown) => {
        throw fault instanceof TonError && fault.kind === 'CHAIN' ? error : fault
      })
    }
  }

  const lookupBlock: Lookups['lookupBlock'] = async (asked, by, signal) => {
    const at = head()
    const value = 'seqno' in by ? `s${asked.seqno}` : 'lt' in by ? `l${by.lt}` : `u${by.utime}`
    const key = `${at.epoch}:${asked.workchain}:${asked.shard === 0n ? 0n : leafShard(asked.shard)}:${value}`
    const known = found.get(key)
    if (known !== undefined) return known
    const id = await ('seqno' in by ? provenId : firstThatReaches)(asked, by, at.id, signal)
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
