import { setTimeout as sleep } from 'node:timers/promises'
import { TonError } from '../../shared/errors.ts'
import { settledWithin } from '../base/abort.ts'
import type { Log } from '../base/log.ts'
import type { Permits } from '../base/permits.ts'
import { type Advance, advance, MAX_TIMEOUTS, positionOf, type Step } from './advance.ts'
import type { BroadcastDeps } from './broadcast.ts'
import { type Cursor, formatCursor, isAt, placeAfter } from './cursor.ts'
import type { Read } from './event-source.ts'
import { type MemberTexts, writeMembers } from './event-text.ts'
import { announce, announceReset, gapOf, type Listener, send } from './listener.ts'

/* Sends a listener the events since its cursor, and then lets it join the live listeners. No event is left out or sent twice. */

export interface Started {
  /** All events after this cursor are sent. */
  readonly cursor: string
  /** True if all events since the client's cursor are sent. False after a reset or a gap. */
  readonly resumed: boolean
}

export interface ReplayDeps extends Pick<BroadcastDeps, 'source' | 'read' | 'log'> {
  readonly from: Cursor
  readonly listener: Listener
  readonly permits: Pick<Permits, 'take'>
  readonly forks: Advance['forks']
  /** Resolves when the subscriber has called `begin` (Listening). No event is sent before that. */
  readonly begun: Promise<void>
  readonly between: <T>(join: (at: Cursor) => T) => Promise<T>
  readonly join: (listener: Listener) => void
  readonly started: (started: Started) => void
  readonly maxEvents: number
}

/** Maximum number of blocks in one step. If more remain, blocks without matching events are skipped. */
const AT_ONCE = 32
const JOIN_MS = 5
/** Milliseconds before the index is read again after a failure. */
const RETRY_MS = 300

/** Milliseconds for which the rest of a step stays in memory for a client that does not read: it can have a hundred megabytes. */
const PATIENCE_MS = 5_000

/** Rejects with the signal's reason. */
const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())

/**
 * Returns a function that retries a read until it succeeds or fails permanently. Each timeout costs the database seconds of work, so there is a maximum.
 * Before the start, the caller gets an error if the index is unavailable. After the start, the listener waits until the index is available again.
 */
const createPatience = (isStarted: () => boolean, log: Log, signal: AbortSignal) => {
  let isLogged = false
  const isPassing = (error: unknown, timeouts: number): error is TonError => {
    if (signal.aborted || !(error instanceof TonError)) return false
    return error.kind === 'SOURCE_TIMEOUT' ? timeouts < MAX_TIMEOUTS : isStarted() && error.kind === 'UNAVAILABLE'
  }
  return async <T>(work: (timeouts: number) => Promise<T>): Promise<T> => {
    for (let timeouts = 0; ; ) {
      try {
        return await work(timeouts)
      } catch (error) {
        if (!isPassing(error, timeouts)) throw error
        if (error.kind === 'SOURCE_TIMEOUT') timeouts++
        if (!isLogged) log.warn('live.replay_waits', { text: error.message })
        isLogged = true
        await pause(RETRY_MS, signal)
      }
    }
  }
}

export const replay = async (deps: ReplayDeps, signal: AbortSignal): Promise<void> => {
  const { listener, source, permits, forks, begun, between, maxEvents, log } = deps
  let from = deps.from
  let isStarted = false
  let count = 0
  /** Maximum number of blocks in the next step. It is 1 after a step that the client did not read in time, because the unsent rest is read again. */
  let most = AT_ONCE

  const untilDone = createPatience(() => isStarted, log, signal)
  const read: Read = (run, stop) => untilDone(() => deps.read(run, stop))

  /** Reads the next step. Releases the permit after each read, so that a replay that waits for the index does not block the others. */
  const take = (): Promise<Step> =>
    untilDone(async (timeouts) => {
      using _permit = await permits.take(signal, listener.sink.client)
      const query = { ...listener.filter, newestOnly: true }
      return await deps.read((view) => advance({ source, view, query, most, sparse: true, timeouts, forks }, from), signal)
    })
  const start = async (started: Started): Promise<void> => {
    if (isStarted) return
    isStarted = true
    deps.started(started)
    await begun
    signal.throwIfAborted()
  }
  /** Waits until the client has read enough of the queued events. */
  const roomFor = async ({ sink }: Listener): Promise<void> => {
    const room = sink.room()
    if (room) await room
    signal.throwIfAborted()
  }
  /** After a reset or a gap the client cannot know which of its states are outdated, so it gets all current states. */
  const sendStates = async (): Promise<void> => {
    const query = { ...listener.filter, newestOnly: false }
    for await (const { events, ...bookAndTokens } of source.states((run) => read(run, signal), query))
      for (const event of events) {
        send(listener, event, bookAndTokens, undefined)
        await roomFor(listener)
      }
  }
  const cursorAt = async (seqno: number): Promise<Cursor> =>
    placeAfter(seqno, await read((view) => positionOf(source, view, seqno), signal), from)

  /** Returns the position after the last sent event if the client did not read for PATIENCE_MS; undefined if all events are sent. */
  const sendBlocks = async (blocks: Step['blocks']): Promise<Cursor | undefined> => {
    for (const block of blocks) {
      const texts: MemberTexts = new WeakMap()
      for (const event of block.events) {
        await writeMembers(event, block, texts, signal)
        if (!send(listener, event, block, block.end, texts)) continue
        count++
        const room = listener.sink.room()
        const isRead = room === undefined || (await settledWithin(room, PATIENCE_MS))
        signal.throwIfAborted()
        if (!isRead) return { ...block.end, place: event.place }
      }
    }
    return undefined
  }
  /** Reads a step and sends it. Nothing of the step is in memory afterwards. Returns whether there are more. */
  const proceed = async (): Promise<boolean> => {
    const step = await take()
    if (step.reset) {
      from = placeAfter(step.reset.seqno, step.reset.at, from)
      await start({ cursor: formatCursor(from), resumed: false })
      announceReset(listener, step.reset.seqno, step.reset.at)
      await sendStates()
      return true
    }
    await start({ cursor: formatCursor(from), resumed: step.gap === undefined })
    if (step.gap) {
      announce(listener, gapOf(step.gap), undefined)
      await sendStates()
    }
    const unsent = await sendBlocks(step.blocks)
    most = unsent ? 1 : Math.min(2 * most, AT_ONCE)
    const last = step.blocks.at(-1)?.end
    from = unsent ?? (last?.seqno === step.seqno ? last : await cursorAt(step.seqno))
    const isMore = from.seqno < step.head
    const isTooMuch = count > maxEvents && isMore
    if (isTooMuch) {
      announce(listener, gapOf({ from: unsent ? from.seqno : from.seqno + 1, to: step.head }), undefined)
      from = await cursorAt(step.head)
      await sendStates()
    }
    return !isTooMuch && (isMore || unsent !== undefined)
  }

  for (;;) {
    await roomFor(listener)
    if (await proceed()) continue
    const reached = from
    const isJoined = await between((at) => {
      if (signal.aborted) return true
      // The hub is at a different block, or on a different chain. The next step continues from `reached`.
      if (at.seqno !== reached.seqno || !isAt(reached, at.hash)) return false
      listener.sentSeqno = reached.seqno
      deps.join(listener)
      return true
    })
    if (isJoined) return
    await pause(JOIN_MS, signal)
  }
}
