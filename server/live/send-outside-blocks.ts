import type { Log } from '../base/log.ts'
import { yieldToEventLoop } from '../base/yield.ts'
import type { Broadcast } from './broadcast.ts'
import type { EventSource, Read } from './event-source.ts'
import { type BookAndTokens, type LiveEvent, NO_BOOK_OR_TOKENS } from './events.ts'
import type { Filter } from './filter.ts'
import type { Listener } from './listener.ts'
import type { Listeners } from './listeners.ts'

/* Sends events that are in no block, in the order in which they were published. Events that wait at the same time share one read of the index. */

/** Maximum events that wait. If there are more, the oldest are sent without their address book. */
const MOST_WAITING = 4_096

export interface OutsideSenderDeps {
  readonly listeners: Listeners
  readonly broadcast: Pick<Broadcast, 'events' | 'to'>
  readonly source: Pick<EventSource, 'bookAndTokens'>
  readonly read: Read
  readonly log: Log
}

/** How many traces are read or sent to one listener before other work gets a turn. */
const AT_ONCE = 8

/** A trace that is in no block now. */
export interface AliveTrace {
  /** Its events. Making them takes time. */
  events(): readonly LiveEvent[]
  /** Whether the trace has not changed since. */
  isCurrent(): boolean
}

/** Traces that a listener may want and that are in no block now. */
export type Alive = (filter: Filter) => readonly AliveTrace[]

export interface OutsideSender {
  publish(events: readonly LiveEvent[]): void
  /** Sends a listener that came back the traces that are pending now: it may have missed them. */
  tellAlive(listener: Listener): Promise<void>
  /** Sets the source of pending traces. */
  setAlive(alive: Alive): void
}

export const createOutsideSender = ({ listeners, broadcast, source, read, log }: OutsideSenderDeps): OutsideSender => {
  let alive: Alive = () => []
  let waiting: LiveEvent[] = []
  /** Events that are waiting for their address book. They are older than `waiting`. */
  let taken: LiveEvent[] = []
  let isTelling = false

  const bookAndTokensOf = async (events: readonly LiveEvent[]): Promise<BookAndTokens> => {
    const wanted = listeners.wanted()
    if (!wanted.book && !wanted.metadata) return NO_BOOK_OR_TOKENS
    try {
      return await read((view) => source.bookAndTokens(view, events, wanted))
    } catch (error) {
      log.warn('live.address_book_unavailable', { text: (error as Error).message })
      return NO_BOOK_OR_TOKENS
    }
  }
  const tellAll = async (): Promise<void> => {
    isTelling = true
    try {
      while (waiting.length > 0) {
        taken = waiting
        waiting = []
        const bookAndTokens = await bookAndTokensOf(taken)
        broadcast.events(taken, bookAndTokens)
        taken = []
      }
    } finally {
      isTelling = false
    }
  }

  return {
    publish(events) {
      if (listeners.isEmpty()) return
      waiting.push(...events)
      if (waiting.length > MOST_WAITING) {
        const due = [...taken, ...waiting]
        taken = []
        waiting = []
        broadcast.events(due)
      } else if (!isTelling) void tellAll()
    },
    async tellAlive(listener) {
      if (listener.filter.minFinality === 'finalized') return
      const read: { readonly trace: AliveTrace; readonly events: readonly LiveEvent[] }[] = []
      for (const trace of alive(listener.filter)) {
        if (read.length % AT_ONCE === 0) await yieldToEventLoop()
        read.push({ trace, events: trace.events() })
      }
      if (read.length === 0) return
      const bookAndTokens = await bookAndTokensOf(read.flatMap(({ events }) => events))
      for (const [i, { trace, events }] of read.entries()) {
        if (i % AT_ONCE === 0) await yieldToEventLoop()
        // The listener may have left, and some traces may be over by now.
        if (!listeners.has(listener)) return
        if (trace.isCurrent()) broadcast.to(listener, events, bookAndTokens)
      }
    },
    setAlive(source) {
      alive = source
    },
  }
}
