import { type Builder, beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { dictFromEntries } from '../../../server/cell/dict.ts'
import type { Counters, CreatorStats } from '../../../server/tlb/state/block-create-stats.ts'
import type { AccountDispatchQueue } from '../../../server/tlb/state/out-msg-queue.ts'
import type { SimpleLib } from '../../../server/tlb/state/state-init.ts'

/* Writes parts of states that the service only reads. The TL-B is with the readers, in server/tlb/state. */

const storeCounters = (b: Builder, c: Counters): Builder =>
  b.storeUint(c.lastUpdated, 32).storeUint(c.total, 64).storeUint(c.cnt2048, 64).storeUint(c.cnt65536, 64)

const storeCreatorStats = (b: Builder, stats: CreatorStats): Builder =>
  storeCounters(storeCounters(b.storeUint(4, 4), stats.mcBlocks), stats.shardBlocks)

/** CreatorStats as a dictionary value. */
export const creatorStatsCell = (stats: CreatorStats): Cell => storeCreatorStats(beginCell(), stats).end()

export const storeAccountDispatchQueue = (b: Builder, queue: AccountDispatchQueue): Builder =>
  b.storeMaybeRef(queue.messages).storeUint(queue.count, 48)

/** Root of Hashmap 256 SimpleLib; undefined if there are no libraries. */
export const storeLibraries = (libraries: readonly (readonly [bigint, SimpleLib])[]): Cell | undefined =>
  dictFromEntries(
    256,
    libraries.map(([hash, library]) => [hash, beginCell().storeBit(library.public).storeRef(library.root)] as const),
  )
