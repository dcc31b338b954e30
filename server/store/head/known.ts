import type { KnownHead, KnownShards, Loose } from '../postgres/pool.ts'
import { comparePlaces } from '../replicas/floor.ts'
import type { IndexPlace } from '../schema/head.ts'
import { isSamePlace } from './place.ts'
import type { SettledPlace } from './untorn.ts'

/* What the snapshots of a server have seen of the index, for those that come after them. */

export type Seen = NonNullable<KnownHead['seen']>

/** Milliseconds for which a head is supposed. Blocks come every second or so, and a read that is made in vain costs more than a round trip. */
const SUPPOSE_MS = 200

/** What a snapshot has seen, and what was being written then. */
export interface SeenAt {
  readonly seen: Seen
  readonly isSettled: boolean
  readonly changes: string
  readonly actions: string | null
  /** Where the shards were, if a check has told. */
  readonly shards?: KnownShards | undefined
}

/** The head that the next snapshot most likely sees; undefined if the last one is too long ago. */
export const supposedOf = ({ seen, at = 0 }: KnownHead): Seen | undefined => (performance.now() - at < SUPPOSE_MS ? seen : undefined)

/** Records what a snapshot has seen, and returns it with what is remembered of that head. */
export const learn = (known: KnownHead, place: IndexPlace): Seen => {
  if (known.seen !== undefined && isSamePlace(known.seen.place, place)) {
    known.at = performance.now()
    return known.seen
  }
  const seen: Seen = { place, memory: new Map() }
  const { place: before } = supposedOf(known) ?? {}
  // A snapshot that began before another one may end after it.
  const isOlder =
    before !== undefined && comparePlaces({ epoch: place.epoch, seqno: place.head }, { epoch: before.epoch, seqno: before.head }) < 0
  if (!isOlder) Object.assign(known, { seen, at: performance.now(), checked: undefined } satisfies KnownHead)
  return seen
}

export const settledOf = ({ seen, isSettled, changes, actions }: SeenAt): SettledPlace => ({
  place: seen.place,
  isSettled,
  changes,
  actions,
})

/** Milliseconds for which it is believed where the shards are (untorn.ts). */
const SHARDS_MS = 1_000

/** Whether the nodes are read where the shards were a moment ago. */
export const areShardsKnown = (shards: KnownShards | undefined, { spread }: Loose): boolean =>
  shards !== undefined && shards.version === spread?.version && performance.now() - shards.since < SHARDS_MS

/** Records that the check after a read found the same as was there before it. `shards`: where they were, if that is known. */
export const learnChecked = (known: KnownHead, { seen, changes, actions }: SeenAt, shards: KnownShards | undefined): void => {
  if (known.seen !== seen) return
  known.at = performance.now()
  known.checked = { changes, actions, shards }
}

/** What is there before a read of a cluster, if the check after another read has told. */
export const checkedAt = ({ seen, checked }: KnownHead, supposed: Seen, loose: Loose | undefined): SeenAt | undefined =>
  loose?.spread && checked && seen === supposed ? { seen, isSettled: true, ...checked } : undefined
