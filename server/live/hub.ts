import { TonError } from '../../shared/errors.ts'
import { createAbortController } from '../base/abort.ts'
import type { Log } from '../base/log.ts'
import { createPermits } from '../base/permits.ts'
import { inSharedTurn, mapWithPauses } from '../base/yield.ts'
import type { OnHead } from '../store/head/head-in-memory.ts'
import type { Reader } from '../store/postgres/reader.ts'
import { noBlockYet, readIndex, type View } from '../store/queries/view.ts'
import { advance, positionOf } from './advance.ts'
import { createListen, MAX_NAMES } from './begin-listening.ts'
import { createBroadcast } from './broadcast.ts'
import { type Cursor, placeAfter, WHOLE } from './cursor.ts'
import type { EventSource, Read } from './event-source.ts'
import { createForks } from './forks.ts'
import { announce, gapOf } from './listener.ts'
import { createListeners } from './listeners.ts'
import { createOutsideSender } from './send-outside-blocks.ts'
import { createWake } from './wake.ts'

/*
 * The hub of events of one network; each process has one for each network. While there are listeners, it follows the published head of the index. It reads
 * each block once for all listeners, and serializes each event once for all listeners that get the same bytes.
 */

export interface HubDeps {
  readonly reader: Reader
  readonly source: EventSource
  readonly onHead: OnHead
  readonly log: Log
  /** Maximum number of events of a replay. A longer replay ends with a `gap` event. Tests set it. */
  readonly maxEvents?: number
  /** Maximum number of addresses and hashes of all streams. Tests set it. */
  readonly maxNames?: number
}

const AT_ONCE = 16
/** Replays: maximum number that read the index at a time, maximum number that wait for a read, and their maximum wait (ms). */
const REPLAYS = { atOnce: 4, waiting: 10_000, patience: 60_000, text: 'too many readers resume at once; try again' }
const MAX_EVENTS = 100_000
const RETRY_MS = 300

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

const headOf = async (source: EventSource, view: View): Promise<Cursor> => {
  const at = await positionOf(source, view, view.head)
  if (at === undefined) throw noBlockYet()
  return { ...at, place: WHOLE }
}

/** Callers that wait until the hub is between two reads. `place` returns the hub's position; undefined during a read and before the first read. */
const createMeetings = (place: () => Cursor | undefined, stopping: AbortSignal) => {
  const waiting: { readonly attempt: () => void; readonly reject: (error: unknown) => void }[] = []
  return {
    /**
     * Runs `join` with the hub's position, between two reads of the hub: the live listeners have received all events up to this position. Waits while there
     * are no listeners. Rejects if the index cannot be read at all.
     */
    between: <T>(join: (at: Cursor) => T): Promise<T> =>
      new Promise((resolve, reject) => {
        const attempt = (): void => {
          const at = place()
          if (stopping.aborted) reject(stopping.reason)
          else if (at === undefined) waiting.push({ attempt, reject })
          else resolve(join(at))
        }
        attempt()
      }),
    /**
     * Runs those that wait. A `join` can add a thousand names, and thousands of callers can wait for one block, so this pauses. Until the promise resolves,
     * the hub must not read on: its position has to be the same for all of them.
     */
    async settled(): Promise<void> {
      await mapWithPauses(waiting.splice(0), ({ attempt }) => attempt())
    },
    refuse(error: unknown): void {
      for (const { reject } of waiting.splice(0)) inSharedTurn(() => reject(error))
    },
  }
}

export type Hub = ReturnType<typeof createHub>

export const createHub = ({ reader, source, onHead, log, maxEvents = MAX_EVENTS, maxNames = MAX_NAMES }: HubDeps) => {
  const stopping = createAbortController()
  const listeners = createListeners()
  const permits = createPermits(REPLAYS)
  const forks = createForks()
  const read: Read = (run, signal = stopping.signal) => readIndex(reader, signal, run)
  const broadcast = createBroadcast({ listeners, forks, source, read, log })
  const { publish, setAlive, sendAlive } = createOutsideSender({ listeners, broadcast, source, permits, read, log })
  let position: Cursor | undefined
  /** How often the step after `position` was not read in time. */
  let timeouts = 0
  let isReading = false
  let users = 0
  let following: Promise<void> | undefined

  const { between, settled, refuse } = createMeetings(() => (isReading ? undefined : position), stopping.signal)

  const step = async (): Promise<boolean> => {
    if (position === undefined) {
      position = await read((view) => headOf(source, view))
      return true
    }
    const from = position
    const query = listeners.query()
    const took = await read((view) => advance({ source, view, query, most: AT_ONCE, sparse: false, timeouts, forks }, from))
    if (took.reset) {
      // The position changes first, so that the next step does not send the reset again if the states cannot be read.
      position = placeAfter(took.reset.seqno, took.reset.at, from)
      await broadcast.revert(took.reset)
      return true
    }
    if (took.gap) await mapWithPauses([...listeners.all()], (each) => listeners.has(each) && announce(each, gapOf(took.gap!), undefined))
    for (const block of took.blocks) {
      await broadcast.block(block)
      position = block.end
    }
    return took.seqno < took.head
  }

  const follow = async (): Promise<void> => {
    const wake = createWake(onHead)
    let isFailing = false
    try {
      while (users > 0 && !stopping.signal.aborted) {
        let isMore = true
        isReading = true
        try {
          isMore = await step()
          isFailing = false
          timeouts = 0
        } catch (error) {
          if (stopping.signal.aborted) break
          if (!isFailing) log.warn('live.unavailable', { text: (error as Error).message })
          isFailing = true
          if (error instanceof TonError && error.kind === 'SOURCE_TIMEOUT') timeouts++
          await pause(RETRY_MS)
          if (position === undefined) refuse(error)
        }
        isReading = false
        await settled()
        if (!isMore) await wake.next()
      }
    } finally {
      isReading = false
      position = undefined
      wake.close()
      following = undefined
      if (users > 0 && !stopping.signal.aborted) start()
    }
  }
  const start = (): void => {
    following ??= follow()
  }

  const register = (): (() => void) => {
    users++
    start()
    return () => {
      users--
    }
  }

  const own = { listeners, permits, forks, read, between, register, sendAlive, stopping: stopping.signal }
  return {
    listen: createListen({ ...own, source, log, maxEvents, maxNames }),
    /** Returns the cursor after the newest block of the index. Rejects with UNAVAILABLE if the index cannot be read. */
    head: (): Promise<Cursor> => read((view) => headOf(source, view)),
    between,
    publish,
    setAlive,
    /** Returns whether a listener subscribes to one of these accounts (raw addresses) or hashes (base64). */
    isWatched: listeners.isWatched,
    /** Returns whether a listener wants transactions, actions or traces before they are final. */
    hasEarlyListeners: (): boolean => listeners.early().size > 0,
    count: (): number => users,
    async close(): Promise<void> {
      stopping.abort(new TonError('UNAVAILABLE', 'shutting down', { retryAfter: 1 }))
      await settled()
      await mapWithPauses([...listeners.all()], ({ sink }) => sink.fail(stopping.signal.reason))
      await following
    },
  }
}
