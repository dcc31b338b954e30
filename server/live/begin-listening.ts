import { TonError } from '../../shared/errors.ts'
import { joinAbort, untilAborted } from '../base/abort.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../base/limits/concurrency-limit.ts'
import { createInflow, type Inflow } from '../base/limits/inflow.ts'
import { createDeferred } from '../base/promises/deferred.ts'
import type { Chunk } from '../base/writer/chunk.ts'
import { inOwnTurn } from '../base/yield.ts'
import { type Cursor, formatCursor } from './cursor.ts'
import type { Filter } from './filter.ts'
import { createListener, type Listener, type Sink } from './listener.ts'
import type { Listeners } from './listeners.ts'
import { type ReplayDeps, replay, type Started } from './replay.ts'

/* Starts a listener: at the hub's current position, or with a replay from the listener's cursor. */

export type Listening = ReturnType<ReturnType<typeof createListen>>

export interface ListenDeps extends Pick<ReplayDeps, 'permits' | 'source' | 'forks' | 'read' | 'between' | 'maxEvents' | 'log'> {
  readonly listeners: Listeners
  /** Counts a listener, and returns a function that ends the counting. The hub follows the index while it has any listener. */
  readonly register: () => () => void
  /** Sends the pending traces to a listener that has reconnected. */
  readonly sendAlive: (listener: Listener, signal: AbortSignal) => Promise<void>
  readonly stopping: AbortSignal
  /** Maximum number of addresses and hashes of all listeners but webhooks; each listener counts as OF_LISTENER more. */
  readonly maxNames: number
}

/** These errors are made once, because an error records where it was made, which takes long. */
const LEFT = new TonError('INVALID_REQUEST', 'the subscription was ended before it began')

/** Maximum number of addresses and hashes of all listeners of clients. Each takes half a kilobyte, and ten thousand streams may each have a thousand. */
export const MAX_NAMES = 1_000_000
/** A listener takes as much as so many names, and ten thousand sockets may each have a hundred subscriptions without names. */
const OF_LISTENER = 12
const CROWDED = new TonError('UNAVAILABLE', 'all streams together have too many subscriptions or addresses; try again', { retryAfter: 5 })

const namesOf = ({ accounts, hashes }: Filter): number => OF_LISTENER + accounts.size + hashes.size

/** Maximum bytes of all chunks that are queued until the responses to their subscriptions are sent, and bytes that each counts besides its content. */
const MAX_WAITING = { bytes: 64 << 20, ofChunk: 64 }
const CUT_OFF = new TonError('UNAVAILABLE', 'the answer to the subscription is not read')
const GONE = (): void => {}

/** Queues the chunks for a sink until `release` is called, so that the response to a subscription comes before its events. After `drop` none is sent. */
const createPausable = (sink: Sink, inflow: Inflow) => {
  const waiting: Chunk[] = []
  let bytes = 0
  let pass = (chunk: Chunk): void => {
    waiting.push(chunk)
    bytes += chunk.length + MAX_WAITING.ofChunk
    hold(bytes)
  }
  const end = (next: Sink['push']): void => {
    if (pass !== GONE) pass = next
    hold(0)
    for (const chunk of waiting.splice(0)) pass(chunk)
  }
  const hold = inflow.open(() => {
    end(GONE)
    // One event can cut off hundreds.
    void inOwnTurn(() => sink.fail(CUT_OFF))
  })
  return { sink: { ...sink, push: (chunk: Chunk) => pass(chunk) }, release: () => end(sink.push), drop: () => end(GONE) }
}

const enterReplay = (places: ConcurrencyLimit, { client, replays }: Sink): (() => void) => {
  if (client === undefined) return () => {}
  const entered = places.acquire(client, replays)
  if (typeof entered === 'function') return entered
  throw new TonError('RATE_LIMITED', `resume limit reached: ${entered} subscriptions resume at present, max ${replays}`, {
    retryAfter: 1,
  })
}

export const createListen = ({ listeners, register, between, stopping, maxNames, log, ...deps }: ListenDeps) => {
  const replays = createConcurrencyLimit()
  const inflow = createInflow(MAX_WAITING.bytes)
  let names = 0
  const countNames = ({ isHook }: Sink, more: number): void => {
    if (isHook) return
    if (more > 0 && names + more > maxNames) throw CROWDED
    names += more
  }
  /**
   * `since`: the cursor after which events are sent again. Without a cursor only new events are sent. If `client` is aborted before the listener has a
   * position, the listener is closed. Throws UNAVAILABLE if all listeners together have too many names.
   */
  return (filter: Filter, sink: Sink, since?: Cursor, client: AbortSignal = stopping) => {
    countNames(sink, namesOf(filter))
    const leaving = joinAbort(stopping)
    const { signal } = leaving
    const pausable = createPausable(sink, inflow)
    const listener = createListener(filter, pausable.sink)
    const unregister = register()
    let isOpen = true
    const { promise: begun, resolve: letThrough } = createDeferred()
    const join = (at: Cursor): Started => {
      listener.sentSeqno = at.seqno
      listener.cursor = formatCursor(at)
      if (isOpen) listeners.add(listener)
      return { cursor: listener.cursor, resumed: true }
    }
    const rejoin = (back: typeof listener): void => {
      listeners.add(back)
      deps.sendAlive(back, signal).catch((error: unknown) => isOpen && sink.fail(error))
    }
    const startReplay = (from: Cursor): Promise<Started> =>
      new Promise((resolve, reject) => {
        let isStarted = false
        const start = (at: Started): void => {
          isStarted = true
          resolve(at)
        }
        const leaveReplays = enterReplay(replays, sink)
        replay({ ...deps, from, listener, begun, between, join: rejoin, started: start, log }, signal)
          .catch((error: unknown) => {
            reject(error)
            if (!isStarted || !isOpen) return
            // After the start nobody awaits the promise, so the sink gets the error: the client has to reconnect.
            log.warn('live.replay_failed', { text: (error as Error).message })
            sink.fail(error)
          })
          .finally(leaveReplays)
      })
    const close = (): void => {
      if (!isOpen) return
      isOpen = false
      pausable.drop()
      unregister()
      countNames(sink, -namesOf(listener.filter))
      listeners.remove(listener)
      leaving.release()
      leaving.abort(LEFT)
    }
    const started = untilAborted(untilAborted(since === undefined ? between(join) : startReplay(since), signal), client)
    started.catch(close)
    return {
      /**
       * Resolves when the listener has a position. With a cursor, that is when its replay begins. No event is sent before `begin` is called. Rejects with
       * UNAVAILABLE if the index cannot be read, with RATE_LIMITED if the client has too many replays, and when the listener is closed. Then it is closed.
       */
      started,
      /** Sends the queued events. Later events are not queued. */
      begin(): void {
        pausable.release()
        letThrough()
      },
      /** Returns whether the listener has received all events up to the hub's position. False during a replay. */
      isLive: (): boolean => listeners.has(listener),
      /** Throws UNAVAILABLE as `listen` does. */
      change(next: Filter): void {
        if (!isOpen) return
        countNames(sink, namesOf(next) - namesOf(listener.filter))
        const isLive = listeners.remove(listener)
        listener.filter = next
        if (isLive) listeners.add(listener)
      },
      close,
    }
  }
}
