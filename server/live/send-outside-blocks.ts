import type { Log } from '../base/log.ts'
import { createPauses, yieldToEventLoop } from '../base/yield.ts'
import type { Broadcast } from './broadcast.ts'
import type { EventSource, Read } from './event-source.ts'
import { type BookAndTokens, type LiveEvent, NO_BOOK_OR_TOKENS } from './events.ts'
import type { Filter } from './filter.ts'
import { announce, gapOf, type Listener } from './listener.ts'
import type { Listeners } from './listeners.ts'

/* Sends events that are in no block, in the order in which they were published. All events that wait at the same time share one read of the index. */

/** Maximum number of events that wait while the address book of earlier events is read. If there are more, the earlier events are sent without it. */
const MAX_WAITING = 4_096
/** Maximum number of events that wait while others are sent. If there are more, the oldest are dropped, and a `gap` event says so. */
const MAX_RETAINED = 16_384

export interface OutsideSenderDeps {
  readonly listeners: Listeners
  readonly broadcast: Pick<Broadcast, 'events' | 'to'>
  readonly source: Pick<EventSource, 'bookAndTokens'>
  readonly read: Read
  readonly log: Log
}

/** A batch of traces for one listener ends at this number of traces, or at this number of characters of JSON. */
const MAX_TOGETHER = { traces: 100, characters: 1 << 20 }

function* someAtATime(traces: readonly AliveTrace[]): Generator<readonly AliveTrace[]> {
  let some: AliveTrace[] = []
  let characters = 0
  for (const trace of traces) {
    some.push(trace)
    characters += trace.characters
    if (some.length < MAX_TOGETHER.traces && characters < MAX_TOGETHER.characters) continue
    yield some
    some = []
    characters = 0
  }
  if (some.length > 0) yield some
}

/** A pending trace. */
export interface AliveTrace {
  /** Number of characters of its JSON. */
  readonly characters: number
  /** Creates its events. This is slow, because the trace is stored in compressed form. */
  events(): readonly LiveEvent[]
  /** Returns whether the trace is unchanged and still pending. */
  isCurrent(): boolean
}

/** Returns the pending traces that a listener with this filter may want. */
export type Alive = (filter: Filter) => readonly AliveTrace[]

export interface OutsideSender {
  publish(events: readonly LiveEvent[]): void
  /** Sends the currently pending traces to a listener that has reconnected, because it may have missed them. */
  sendAlive(listener: Listener): Promise<void>
  /** Sets the source of pending traces. */
  setAlive(alive: Alive): void
}

export const createOutsideSender = ({ listeners, broadcast, source, read, log }: OutsideSenderDeps): OutsideSender => {
  let alive: Alive = () => []
  let waiting: LiveEvent[] = []
  /** Ends the wait for the address book that is being read. */
  let sendSoon = (): void => {}
  let isTelling = false
  let hasDropped = false

  /** The dropped events were in no block, so the gap names the block that comes next. */
  const announceDropped = (): void => {
    hasDropped = false
    for (const listener of listeners.early()) {
      const next = listener.sentSeqno + 1
      announce(listener, gapOf({ from: next, to: next }), undefined)
    }
  }
  const bookAndTokensOf = async (events: readonly LiveEvent[]): Promise<BookAndTokens> => {
    const query = listeners.query()
    if (!query.book && !query.metadata) return NO_BOOK_OR_TOKENS
    try {
      return await read((view) => source.bookAndTokens(view, events, query))
    } catch (error) {
      log.warn('live.address_book_unavailable', { text: (error as Error).message })
      return NO_BOOK_OR_TOKENS
    }
  }
  const sendAll = async (): Promise<void> => {
    isTelling = true
    try {
      while (waiting.length > 0) {
        if (hasDropped) announceDropped()
        const due = waiting
        waiting = []
        const tooMany = new Promise<BookAndTokens>((resolve) => {
          sendSoon = () => resolve(NO_BOOK_OR_TOKENS)
        })
        await broadcast.events(due, await Promise.race([bookAndTokensOf(due), tooMany]))
      }
    } finally {
      isTelling = false
    }
  }

  return {
    publish(events) {
      if (listeners.isEmpty()) return
      waiting.push(...events)
      if (waiting.length > MAX_WAITING) sendSoon()
      if (waiting.length > MAX_RETAINED) {
        log.warn('live.events_dropped', { events: waiting.length - MAX_RETAINED })
        waiting = waiting.slice(-MAX_RETAINED)
        hasDropped = true
      }
      if (!isTelling) void sendAll()
    },
    async sendAlive(listener) {
      if (listener.filter.minFinality === 'finalized') return
      const all = alive(listener.filter)
      if (all.length === 0) return
      await yieldToEventLoop()
      const pause = createPauses()
      for (const traces of someAtATime(all)) {
        const read: { readonly trace: AliveTrace; readonly events: readonly LiveEvent[] }[] = []
        for (const trace of traces) {
          read.push({ trace, events: trace.events() })
          const paused = pause()
          if (paused !== undefined) await paused
        }
        const bookAndTokens = await bookAndTokensOf(read.flatMap(({ events }) => events))
        for (const { trace, events } of read) {
          // By now the listener may be closed, and some traces may be finished.
          if (!listeners.has(listener)) return
          if (trace.isCurrent()) broadcast.to(listener, events, bookAndTokens)
          const paused = pause()
          if (paused !== undefined) await paused
          const room = listener.sink.room()
          if (room !== undefined) await room
        }
      }
    },
    setAlive(source) {
      alive = source
    },
  }
}
