import type { CompiledQuery } from 'kysely'
import { TonError } from '../../../shared/errors.ts'
import { ChangingError, createPatience, RemovedError, refuseChanged } from '../head/changing.ts'
import { areShardsKnown, checkedAt, learn, learnChecked, type Seen, type SeenAt, settledOf, supposedOf } from '../head/known.ts'
import { isSamePlace, PLACE, placeOfRow } from '../head/place.ts'
import {
  type After,
  createAfter,
  ElsewhereError,
  noteTorn,
  readsBy,
  type SettledPlace,
  spreading,
  TornError,
  untorn,
} from '../head/untorn.ts'
import type { Ask, AskShards, Compilable, KnownHead, KnownShards, Loose, ReadBy, Reader } from '../postgres/pool.ts'
import type { IndexPlace } from '../schema/head.ts'

/** The data source of one answer: one snapshot of the database, and the newest block that may be read. */
export interface View {
  /** Builds statements. */
  readonly sql: Reader['sql']
  /** Runs one statement within the snapshot. Statements that are not awaited in between are sent together. */
  readonly rows: Ask
  /**
   * Runs a statement whose rows each come from one shard, on the nodes of a Citus cluster if they can be asked themselves. The rows of one node come in the order of the
   * statement, those of all nodes in none. With the values of the distribution column only the nodes that have them are asked.
   */
  readonly shards: AskShards
  /**
   * The same as `rows` for a small statement whose rows most likely are the last that an answer needs: on a Citus cluster it waits for the other reads of the answer, and leaves
   * together with the check after them.
   */
  readonly late: <R>(query: Compilable<R> | CompiledQuery<R>) => Promise<R[]>
  /** Whether `shards` asks several nodes, so that their rows have to be merged. */
  readonly isSpread: boolean
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
  /** Call it after the reads of an answer if more is read while the answer is sent. Throws TornError where the answer has to be begun again, in a transaction. */
  readonly hold: () => void
  /** Call it before large values of a known length are read. Throws if the answer may not have so many. */
  readonly expectBytes: (bytes: number) => void
  /** Call it before what are most likely the last reads of an answer: once they are answered, what has to be checked after a read is checked. */
  readonly expectLast: () => void
  /** Call it when nothing more is read: what has to be checked after a read is checked while the answer is made. */
  readonly complete: () => void
}

/** Looses with the check that ends them. */
interface Checked {
  readonly loose: Loose
  readonly after: After
  /** Where the shards are, if nothing else is found after the read. */
  readonly shards: KnownShards | undefined
}

/** `known`: where the shards were when an earlier read was checked. */
const checkedBy = (rows: Ask, loose: Loose | undefined, known?: KnownShards): Checked | undefined => {
  if (loose === undefined) return undefined
  const { spread } = loose
  if (areShardsKnown(known, loose)) return { loose, after: createAfter(rows, false), shards: known }
  return { loose, after: createAfter(rows, spread !== undefined), shards: spread && { version: spread.version, since: performance.now() } }
}

/** Asks, and what was checked before its answer counts no more. */
const readingOn =
  (ask: AskShards, { after }: Checked): AskShards =>
  (query, planned, values) =>
    after.during(() => ask(query, planned, values))

/** Largest number of entries of one kind that are remembered at a head. */
const MOST_REMEMBERED = 20_000
/** How often a read is made again because history was removed while it ran. */
const MOST_REMOVALS = 2

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

const askSettled = async (rows: Ask): Promise<SettledPlace & { readonly isChanging: boolean }> => {
  const [row] = await rows(PLACE)
  if (!row) throw noBlockYet()
  return { place: placeOfRow(row), isSettled: row.isSettled, changes: row.changes, actions: row.actions, isChanging: row.isChanging }
}

/** Asks for the head alone. Rejects as readIndex does. */
export const askPlace = async (reader: Reader, signal: AbortSignal): Promise<IndexPlace> => {
  const { place } = await askSettled((query) => reader.rows(query, signal))
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

/** How a view asks. */
const asksOf = (asked: Ask, checked: Checked | undefined, signal: AbortSignal): Pick<View, 'rows' | 'late' | 'shards' | 'isSpread'> => {
  const rows = checked ? readingOn(asked, checked) : asked
  const spread = checked?.loose.spread
  return {
    rows,
    late: (query) => (checked ? checked.after.late(() => asked(query)) : rows(query)),
    shards: spread && checked ? readingOn(spreading(spread, signal), checked) : rows,
    isSpread: spread !== undefined,
  }
}

interface ViewOptions {
  readonly seen: Seen
  readonly rows: Ask
  readonly checked: Checked | undefined
  readonly held: Held
  readonly reader: Reader
  readonly signal: AbortSignal
}

const createView = ({ seen: { place, memory }, rows, checked, held, reader, signal }: ViewOptions): View => ({
  head: place.head,
  first: place.first,
  utime: place.utime,
  epoch: place.epoch,
  testOnly: place.network === 'testnet',
  isDistributed: place.isDistributed,
  place,
  sql: reader.sql,
  ...asksOf(rows, checked, signal),
  signal,
  memory,
  keep: held.keep,
  hold() {
    if (checked !== undefined) throw new TornError()
    held.hold()
  },
  expectBytes() {},
  expectLast: () => checked?.after.expectLast(),
  complete: () => checked?.after.begin(),
})

/** What was read, before its answer is made. */
interface ReadAt<Found> {
  readonly found: Found
  readonly view: View
  readonly held: Held
  readonly at: SeenAt
}

/** The head was another one than was supposed. */
class MovedError extends Error {}

/** How a read is tried. */
interface Try {
  /** With a head that is supposed. */
  readonly isEarly: boolean
  readonly by: ReadBy | undefined
  /** Its answer is told even if history was removed while it was read. */
  readonly mayLackRemoved: boolean
}

/** Tries a read until what it saw was of one moment. */
const untilWhole = async <T>(
  reader: Reader,
  signal: AbortSignal,
  { supposes, isShort }: { readonly supposes: boolean; readonly isShort: boolean },
  run: (how: Try) => Promise<T>,
): Promise<T> => {
  let isEarly = supposes
  let changing = createPatience(signal)
  /** How often history was removed meanwhile. A read that takes longer than the pauses of a removal would never end otherwise. */
  let removals = 0
  for (let by: ReadBy | undefined = readsBy(reader); ; ) {
    try {
      return await run({ isEarly, by: isShort && by === 'checks' ? 'together' : by, mayLackRemoved: removals === MOST_REMOVALS })
    } catch (error) {
      if (error instanceof MovedError && isEarly) isEarly = false
      else if (error instanceof TornError && by !== undefined) by = noteTorn(reader)
      else if (error instanceof ChangingError) await changing.wait()
      else if (error instanceof RemovedError) {
        removals++
        changing = createPatience(signal)
      } else throw error
    }
  }
}

/**
 * Runs reads within one snapshot, up to the published head. Throws UNAVAILABLE while nothing is indexed.
 *
 * The head is most often the one that its writer told last, or that the snapshot just before saw. So the first statements of `read` go together with the
 * one that asks for the head: an answer takes one round trip less. If the head is another one, what was read is thrown away and all is read again, in the same snapshot if nothing failed
 * in it. On a Citus cluster it is also read again if something was written meanwhile (untorn.ts). `finish` makes the answer of what was read; it runs once,
 * after the head is known. `head`: what is supposed, by default what was told or seen last;
 * `asked`: nothing is read before the head is known, for those who come because it has moved and do not know to which one. `isShort`: a few rows are found by their
 * key, so the snapshot may be shared (shared-snapshots.ts).
 */
export const readIndex = async <Found, T = Found>(
  reader: Reader,
  signal: AbortSignal,
  read: (view: View) => Promise<Found>,
  finish?: (found: Found, view: View) => Promise<T> | T,
  head: 'supposed' | 'asked' | IndexPlace = 'supposed',
  isShort = false,
): Promise<T> => {
  const viewOf = (seen: Seen, rows: Ask, checked: Checked | undefined, held: Held): View =>
    createView({ seen, rows, checked, held, reader, signal })
  const finished = async (found: Found, view: View): Promise<T> => (finish ? await finish(found, view) : (found as unknown as T))
  const seenBy = async (rows: Ask, known: KnownHead, loose: Loose | undefined): Promise<SeenAt> => {
    const { place, isSettled, changes, actions, isChanging } = await askSettled(rows)
    reader.admit?.({ epoch: place.epoch, seqno: place.head })
    if (loose === undefined && place.isDistributed && isChanging) throw new ChangingError()
    return { seen: learn(known, place), isSettled, changes, actions }
  }

  /** What was read, once it is certain that it is of one moment. */
  const untornAt = async (at: SeenAt, reading: Promise<Found>, checked: Checked | undefined, known: KnownHead): Promise<Found> => {
    if (checked === undefined) return await reading
    const found = await untorn(settledOf(at), reading, checked.after, checked.loose)
    learnChecked(known, at, checked.shards)
    return found
  }

  /** Reads at a place that the check after another read has told: it is not asked for. Throws MovedError if it is another one by now. */
  const atChecked = async (at: SeenAt, rows: Ask, known: KnownHead, loose: Loose): Promise<ReadAt<Found>> => {
    const held = createHeld()
    const checked = checkedBy(rows, loose, at.shards)
    const view = viewOf(at.seen, rows, checked, held)
    try {
      const found = await untornAt(at, (async () => read(view))(), checked, known)
      const { epoch, head: seqno } = at.seen.place
      reader.admit?.({ epoch, seqno })
      return { found, view, held, at }
    } catch (error) {
      known.checked = undefined
      throw error instanceof ElsewhereError ? new MovedError() : error
    }
  }

  /** Reads with the head that is supposed. `moved`: it is another one, and the snapshot can be read again. Throws MovedError if it cannot. */
  const early = async (
    supposed: Seen,
    rows: Ask,
    known: KnownHead,
    loose: Loose | undefined,
  ): Promise<ReadAt<Found> | { readonly moved: SeenAt }> => {
    const asked = seenBy(rows, known, loose)
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
    const checked = checkedBy(rows, loose)
    const view = viewOf(supposed, ask, checked, held)
    const reading = (async () => read(view))()
    reading.catch(() => {})
    const at = await asked
    if (isSamePlace(at.seen.place, supposed.place)) {
      return { found: await untornAt(at, reading, checked, known), view, held, at }
    }
    isOver = true
    if ((await last) === false) throw new MovedError()
    return { moved: at }
  }

  const readAt = async (rows: Ask, known: KnownHead, loose: Loose | undefined, isEarly: boolean): Promise<ReadAt<Found>> => {
    const told = typeof head === 'object' ? head : reader.head?.now()
    const supposed = isEarly ? (told ? learn(known, told) : supposedOf(known)) : undefined
    const sure = supposed && checkedAt(known, supposed, loose)
    if (sure && loose) return await atChecked(sure, rows, known, loose)
    const first = supposed && (await early(supposed, rows, known, loose))
    if (first !== undefined && 'found' in first) return first
    const at = first?.moved ?? (await seenBy(rows, known, loose))
    const held = createHeld()
    const checked = checkedBy(rows, loose)
    const view = viewOf(at.seen, rows, checked, held)
    return { found: await untornAt(at, read(view), checked, known), view, held, at }
  }

  const finishedAt = ({ found, view, held }: ReadAt<Found>): Promise<T> => {
    held.put()
    return finished(found, view)
  }

  const run = async ({ isEarly, by, mayLackRemoved }: Try): Promise<T> => {
    const done = await reader.snapshot(
      async (rows, known = {}, loose): Promise<{ readonly answer: T } | ReadAt<Found>> => {
        const found = await readAt(rows, known, loose, isEarly)
        const isWhole = loose !== undefined || !found.view.isDistributed || found.held.isHeld()
        return isWhole ? { answer: await finishedAt(found) } : found
      },
      signal,
      by,
    )
    if ('answer' in done) return done.answer
    await refuseChanged(settledOf(done.at), mayLackRemoved, (query) => reader.rows(query, signal))
    return await finishedAt(done)
  }
  return await untilWhole(reader, signal, { supposes: head !== 'asked', isShort }, run)
}
