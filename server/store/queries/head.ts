import { TonError } from '../../../shared/errors.ts'
import { isSamePlace, PLACE, placeOfRow } from '../head/place.ts'
import type { Ask, KnownHead, Reader } from '../postgres/pool.ts'
import { comparePlaces } from '../replicas/floor.ts'
import type { IndexPlace } from '../schema/head.ts'

/** The data source of one answer: one snapshot of the database, and the newest block that may be read. */
export interface View {
  /** Builds statements. */
  readonly sql: Reader['sql']
  /** Runs one statement within the snapshot. Statements that are not awaited in between are sent together. */
  readonly rows: Ask
  /** The newest published masterchain block, and the first one whose history is kept. */
  readonly head: number
  readonly first: number
  /** Unix seconds of the head. It decides whether something (such as an auction) is over. */
  readonly utime: number
  /** Grows with every revert of the chain, and with every new index. */
  readonly epoch: number
  /** Whether friendly addresses are written with the test-only flag. */
  readonly testOnly: boolean
  /** The same as one value. */
  readonly place: IndexPlace
  /** Whether the database is a Citus cluster: it cannot join rows that are not on the same shard. */
  readonly isDistributed: boolean
  readonly signal: AbortSignal
  /** What was read at this head and may be used again until the next head (see remembered). */
  readonly memory: Map<string, unknown>
  /** Runs `put` once it is certain that the snapshot has this head. Write to `memory` only in `put`. */
  readonly keep: (put: () => void) => void
}

/** Largest number of entries of one kind that are remembered at a head. */
const MOST_REMEMBERED = 20_000

/** What is remembered of one kind at the head of a view, by a name. */
export const remembered = <V>({ memory }: View, kind: string): Map<string, V> => {
  const known = memory.get(kind) as Map<string, V> | undefined
  if (known !== undefined && known.size < MOST_REMEMBERED) return known
  const made = new Map<string, V>()
  memory.set(kind, made)
  return made
}

/** The error of a read while the index has no block. */
export const noBlockYet = (): TonError => new TonError('UNAVAILABLE', 'the index has no block yet', { retryAfter: 1 })

const placeOf = async (rows: Ask): Promise<IndexPlace> => {
  const [row] = await rows(PLACE)
  if (!row) throw noBlockYet()
  return placeOfRow(row)
}

/** Asks for the head alone. Rejects as readIndex does. */
export const askPlace = async (reader: Reader, signal: AbortSignal): Promise<IndexPlace> => {
  const place = await placeOf((query) => reader.rows(query, signal))
  reader.admit?.({ epoch: place.epoch, seqno: place.head })
  return place
}

type Seen = NonNullable<KnownHead['seen']>

/** Milliseconds for which a head is supposed. Blocks come every second or so, and a read that is made in vain costs more than a round trip. */
const SUPPOSE_MS = 200

/** The head that the next snapshot most likely sees; undefined if the last one is too long ago. */
const supposedOf = ({ seen, at = 0 }: KnownHead): Seen | undefined => (performance.now() - at < SUPPOSE_MS ? seen : undefined)

/** Records what a snapshot has seen, and returns it with what is remembered of that head. */
const learn = (known: KnownHead, place: IndexPlace): Seen => {
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

/** The head was another one than was supposed. */
class MovedError extends Error {}

/**
 * Runs reads within one snapshot, up to the published head. Throws UNAVAILABLE while nothing is indexed.
 *
 * The head is most often the one that its writer told last, or that the snapshot just before saw. So the first statements of `read` go together with the
 * one that asks for the head: an answer takes one round trip less. If the head is another one, what was read is thrown away and all is read again, in the same snapshot if nothing failed
 * in it. `finish` makes the answer of what was read; it runs once, after the head is known. `head`: what is supposed, by default what was told or seen last;
 * `asked`: nothing is read before the head is known, for those who come because it has moved and do not know to which one.
 */
export const readIndex = async <Found, T = Found>(
  reader: Reader,
  signal: AbortSignal,
  read: (view: View) => Promise<Found>,
  finish?: (found: Found, view: View) => Promise<T> | T,
  head: 'supposed' | 'asked' | IndexPlace = 'supposed',
): Promise<T> => {
  const viewOf = ({ place, memory }: Seen, rows: Ask, keep: View['keep']): View => ({
    head: place.head,
    first: place.first,
    utime: place.utime,
    epoch: place.epoch,
    testOnly: place.network === 'testnet',
    isDistributed: place.isDistributed,
    place,
    sql: reader.sql,
    rows,
    signal,
    memory,
    keep,
  })
  const finished = async (found: Found, view: View): Promise<T> => (finish ? await finish(found, view) : (found as unknown as T))
  const seenBy = async (rows: Ask, known: KnownHead): Promise<Seen> => {
    const place = await placeOf(rows)
    reader.admit?.({ epoch: place.epoch, seqno: place.head })
    return learn(known, place)
  }

  /** Reads with the head that is supposed. `moved`: it is another one, and the snapshot can be read again. Throws MovedError if it cannot. */
  const early = async (supposed: Seen, rows: Ask, known: KnownHead): Promise<{ readonly answer: T } | { readonly moved: Seen }> => {
    const asked = seenBy(rows, known)
    asked.catch(() => {})
    let isOver = false
    /** Whether the last statement succeeded. After one that failed all others fail, so it tells of each. */
    let last: Promise<boolean> | undefined
    const kept: (() => void)[] = []
    const ask: Ask = (query, planned) => {
      // A read that has become useless sends nothing more.
      if (isOver) return Promise.reject(new MovedError())
      const answer = rows(query, planned)
      last = answer.then(
        () => true,
        () => false,
      )
      return answer
    }
    const view = viewOf(supposed, ask, (put) => void kept.push(put))
    const reading = (async () => read(view))()
    reading.catch(() => {})
    const seen = await asked
    if (isSamePlace(seen.place, supposed.place)) {
      const found = await reading
      for (const put of kept) put()
      return { answer: await finished(found, view) }
    }
    isOver = true
    if ((await last) === false) throw new MovedError()
    return { moved: seen }
  }

  const run = (isEarly: boolean): Promise<T> =>
    reader.snapshot(async (rows, known = {}) => {
      const told = typeof head === 'object' ? head : reader.head?.now()
      const supposed = isEarly ? (told ? learn(known, told) : supposedOf(known)) : undefined
      const first = supposed && (await early(supposed, rows, known))
      if (first !== undefined && 'answer' in first) return first.answer
      const view = viewOf(first?.moved ?? (await seenBy(rows, known)), rows, (put) => put())
      return await finished(await read(view), view)
    }, signal)
  try {
    return await run(head !== 'asked')
  } catch (error) {
    if (!(error instanceof MovedError)) throw error
    return await run(false)
  }
}
