import type { Permits } from '../base/permits.ts'
import { oneAtATime } from '../base/promises/one-at-a-time.ts'
import { mapWithPauses, yieldToEventLoop } from '../base/yield.ts'
import type { Broadcast, BroadcastDeps } from './broadcast.ts'
import type { EventSource } from './event-source.ts'
import { type MemberTexts, writeMembers } from './event-text.ts'
import { type BookAndTokens, type LiveEvent, NO_BOOK_OR_TOKENS } from './events.ts'
import type { Filter } from './filter.ts'
import { announce, gapOf, type Listener } from './listener.ts'

/* Sends events that are in no block, in the order in which they were published. All events that wait at the same time share one read of the index. */

/** Maximum number of events that wait while others are sent. If there are more, the oldest are dropped, and a `gap` event says so. */
const MAX_RETAINED = 16_384

export interface OutsideSenderDeps extends Pick<BroadcastDeps, 'listeners' | 'read' | 'log'> {
  readonly broadcast: Pick<Broadcast, 'events' | 'to'>
  readonly source: Pick<EventSource, 'bookAndTokens'>
  readonly permits: Pick<Permits, 'take'>
}

/** A pending trace. */
export interface AliveTrace {
  /** Creates its events. This is slow, because the trace is stored in compressed form. */
  events(): readonly LiveEvent[]
  /** Returns whether the trace is unchanged and still pending. */
  isCurrent(): boolean
}

/** Returns the pending traces that a listener with this filter may want. */
export type Alive = (filter: Filter) => readonly AliveTrace[]

export const createOutsideSender = ({ listeners, broadcast, source, permits, read, log }: OutsideSenderDeps) => {
  let alive: Alive = () => []
  let waiting: LiveEvent[] = []
  let hasDropped = false

  /** The dropped events were in no block, so the gap names the block that comes next. */
  const announceDropped = async (): Promise<void> => {
    hasDropped = false
    await mapWithPauses([...listeners.early()], (listener) => {
      const next = listener.sentSeqno + 1
      if (listeners.has(listener)) announce(listener, gapOf({ from: next, to: next }), undefined)
    })
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
  const sendWaiting = oneAtATime(async () => {
    if (hasDropped) await announceDropped()
    const due = waiting
    waiting = []
    await broadcast.events(due, await bookAndTokensOf(due))
  })

  return {
    publish(events: readonly LiveEvent[]): void {
      if (listeners.isEmpty()) return
      waiting.push(...events)
      if (waiting.length > MAX_RETAINED) {
        log.warn('live.events_dropped', { events: waiting.length - MAX_RETAINED })
        waiting = waiting.slice(-MAX_RETAINED)
        hasDropped = true
      }
      sendWaiting()
    },
    /**
     * Sends the currently pending traces to a listener that has reconnected, because it may have missed them. Each trace needs a read, so it takes a permit:
     * a client can come back with hundreds of subscriptions. Rejects as the permits do.
     */
    async sendAlive(listener: Listener, signal: AbortSignal): Promise<void> {
      if (listener.filter.minFinality === 'finalized') return
      // The traces of this moment: later changes reach the listener by `publish`.
      for (const trace of alive(listener.filter)) {
        await listener.sink.room()
        using _permit = await permits.take(signal, listener.sink.client)
        await yieldToEventLoop()
        const events = trace.events()
        const bookAndTokens = await bookAndTokensOf(events)
        const texts: MemberTexts = new WeakMap()
        for (const event of events) await writeMembers(event, bookAndTokens, texts)
        // By now the listener may be closed, and the trace may be finished.
        if (!listeners.has(listener)) return
        if (trace.isCurrent()) broadcast.to(listener, events, bookAndTokens, texts)
      }
    },
    /** Sets the source of pending traces. */
    setAlive(of: Alive): void {
      alive = of
    },
  }
}
