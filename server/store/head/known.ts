import type { KnownHead } from '../postgres/pool.ts'
import { comparePlaces } from '../replicas/floor.ts'
import type { IndexPlace } from '../schema/head.ts'
import { isSamePlace } from './place.ts'

/* What the snapshots of a server have seen of the index, for those that come after them. */

export type Seen = NonNullable<KnownHead['seen']>

/** Milliseconds for which a head is supposed. Blocks come every second or so, and a read that is made in vain costs more than a round trip. */
const SUPPOSE_MS = 200

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
  if (!isOlder) Object.assign(known, { seen, at: performance.now() } satisfies KnownHead)
  return seen
}
