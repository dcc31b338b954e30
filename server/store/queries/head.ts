import { TonError } from '../../../shared/errors.ts'
import { type Begun, ChangedError, ChangingError, createPatience, refuseChanged } from '../head/changing.ts'
import { learn, type Seen, supposedOf } from '../head/known.ts'
import { isSamePlace, PLACE, placeOfRow } from '../head/place.ts'
import type { Ask, KnownHead, Reader } from '../postgres/pool.ts'
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
  /** Call it if more is read while the answer is sent: it cannot be read again then. */
  readonly hold: () => void
  /** Call it before large values of a known length are read. Throws if the answer may not have so many. */
  readonly expectBytes: (bytes: number) => void
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

const askRow = async (rows: Ask): Promise<Begun & { readonly isChanging: boolean }> => {
  const [row] = await rows(PLACE)
  if (!row) throw noBlockYet()
  return { place: placeOfRow(row), changes: row.changes, isChanging: row.isChanging }
}

/** Asks for the head alone. Rejects as readIndex does. */
export const askPlace = async (reader: Reader, signal: AbortSignal): Promise<IndexPlace> => {
  const { place } = await askRow((query) => reader.rows(query, signal))
  reader.admit?.({ epoch: place.epoch, seqno: place.head })
  return place
}

/** What a read does once it is certain that it saw one moment, and whether it goes on while its answer is sent. */
const createHeld = () => {
  const puts: (() => void)[] = []
  let isHeld = false
  return {
    keep: (put: () => void): void => void puts.push(put),
    hold(): void {
      isHeld = true
    },
    put(): void {
      for (const put of puts) put()
    },
    isHeld: () => isHeld,
  }
}
type Held = ReturnType<typeof createHeld>

interface ViewOptions {
  readonly seen: Seen
  readonly rows: Ask
  readonly held: Held
  readonly reader: Reader
  readonly signal: AbortSignal
}

const createView = ({ seen: { place, memory }, rows, held, reader, signal }: ViewOptions): View => ({
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
  keep: held.keep,
  hold: held.hold,
  expectBytes() {},
})

/** What a snapshot saw when a read began. */
interface SeenAt {
  readonly seen: Seen
  readonly changes: string
}

/** What was read, before its answer is made. */
interface ReadAt<Found> {
  readonly found: Found
  readonly view: View
  readonly held: Held
  readonly at: SeenAt
}

/** The head was another one than was supposed. */
class MovedError extends Error {}

/** Tries a read until it has a head that is not merely supposed, and no change of a cluster came in between. */
const untilWhole = async <T>(signal: AbortSignal, supposes: boolean, run: (isEarly: boolean) => Promise<T>): Promise<T> => {
  const changing = createPatience(signal)
  let isEarly = supposes
  let hasChanged = false
  for (;;) {
    try {
      return await run(isEarly)
    } catch (error) {
      if (error instanceof MovedError && isEarly) isEarly = false
      else if (error instanceof ChangingError) await changing.wait()
      else if (!(error instanceof ChangedError)) throw error
      else if (hasChanged) throw new TonError('UNAVAILABLE', 'the index was changed twice while the answer was read', { retryAfter: 1 })
      else hasChanged = true
    }
  }
}

/**
 * Runs reads within one snapshot, up to the published head. Throws UNAVAILABLE while nothing is indexed.
 *
 * The head is most often the one that its writer told last, or that the snapshot just before saw. So the first statements of `read` go together with the
 * one that asks for the head: an answer takes one round trip less. If the head is another one, what was read is thrown away and all is read again, in the same snapshot if nothing failed
 * in it. `finish` makes the answer of what was read; it runs once, after the head is known. `head`: what is supposed, by default what was told or seen last;
 * `asked`: nothing is read before the head is known, for those who come because it has moved and do not know to which one. `isShort`: a few rows are found by their
 * key, so the snapshot may be shared (shared-snapshots.ts).
 *
 * A Citus cluster has no snapshot of all its nodes. There rows above the head are on some nodes, and no query takes them; and if the chain was reverted or history removed
 * meanwhile, all is read again (changing.ts).
 */
export const readIndex = async <Found, T = Found>(
  reader: Reader,
  signal: AbortSignal,
  read: (view: View) => Promise<Found>,
  finish?: (found: Found, view: View) => Promise<T> | T,
  head: 'supposed' | 'asked' | IndexPlace = 'supposed',
  isShort = false,
): Promise<T> => {
  const viewOf = (seen: Seen, rows: Ask, held: Held): View => createView({ seen, rows, held, reader, signal })
  const finished = async (found: Found, view: View): Promise<T> => (finish ? await finish(found, view) : (found as unknown as T))
  const seenBy = async (rows: Ask, known: KnownHead): Promise<SeenAt> => {
    const { place, changes, isChanging } = await askRow(rows)
    reader.admit?.({ epoch: place.epoch, seqno: place.head })
    if (place.isDistributed && isChanging) throw new ChangingError()
    return { seen: learn(known, place), changes }
  }

  /** Reads with the head that is supposed. `moved`: it is another one, and the snapshot can be read again. Throws MovedError if it cannot. */
  const early = async (supposed: Seen, rows: Ask, known: KnownHead): Promise<ReadAt<Found> | { readonly moved: SeenAt }> => {
    const asked = seenBy(rows, known)
    asked.catch(() => {})
    let isOver = false
    /** Whether the last statement succeeded. After one that failed all others fail, so it tells of each. */
    let last: Promise<boolean> | undefined
    const held = createHeld()
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
    const view = viewOf(supposed, ask, held)
    const reading = (async () => read(view))()
    reading.catch(() => {})
    const at = await asked
    if (isSamePlace(at.seen.place, supposed.place)) return { found: await reading, view, held, at }
    isOver = true
    if ((await last) === false) throw new MovedError()
    return { moved: at }
  }

  const readAt = async (rows: Ask, known: KnownHead, isEarly: boolean): Promise<ReadAt<Found>> => {
    const told = typeof head === 'object' ? head : reader.head?.now()
    const supposed = isEarly ? (told ? learn(known, told) : supposedOf(known)) : undefined
    const first = supposed && (await early(supposed, rows, known))
    if (first !== undefined && 'found' in first) return first
    const at = first?.moved ?? (await seenBy(rows, known))
    const held = createHeld()
    const view = viewOf(at.seen, rows, held)
    return { found: await read(view), view, held, at }
  }

  const finishedAt = ({ found, view, held }: ReadAt<Found>): Promise<T> => {
    held.put()
    return finished(found, view)
  }

  const run = async (isEarly: boolean): Promise<T> => {
    const done = await reader.snapshot(
      async (rows, known = {}): Promise<{ readonly answer: T } | ReadAt<Found>> => {
        const found = await readAt(rows, known, isEarly)
        return found.view.isDistributed && !found.held.isHeld() ? found : { answer: await finishedAt(found) }
      },
      signal,
      isShort,
    )
    if ('answer' in done) return done.answer
    const { seen, changes } = done.at
    await refuseChanged({ place: seen.place, changes }, (query) => reader.rows(query, signal))
    return await finishedAt(done)
  }
  return await untilWhole(signal, head !== 'asked', run)
}
