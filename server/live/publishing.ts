import type { Log } from '../base/log.ts'
import { type Beside, type LiveEvent, NOTHING_BESIDE } from './events.ts'
import type { Filter } from './filter.ts'
import type { Listener } from './listener.ts'
import type { Listeners } from './listeners.ts'
import type { EventSource, Read } from './port.ts'
import type { Telling } from './telling.ts'

/* Events that are in no block are told in the order in which they were published. Those that wait at the same time share one read of the index. */

/** Events that wait; the oldest ones are told without their address book when more come. */
const MOST_WAITING = 4_096

export interface PublishingDeps {
  readonly listeners: Listeners
  readonly telling: Pick<Telling, 'events' | 'to'>
  readonly source: Pick<EventSource, 'beside'>
  readonly read: Read
  readonly log: Log
}

/** Traces that a listener may want and that are in no block now. */
export type Alive = (filter: Filter) => readonly LiveEvent[]

export interface Publishing {
  publish(events: readonly LiveEvent[]): void
  /** Tells a listener who has come back what is alive now: it may have missed it. */
  tellAlive(listener: Listener): Promise<void>
  /** Names the source of what is alive. */
  setAlive(alive: Alive): void
}

export const createPublishing = ({ listeners, telling, source, read, log }: PublishingDeps): Publishing => {
  let alive: Alive = () => []
  let waiting: LiveEvent[] = []
  let isTelling = false

  const besideOf = async (events: readonly LiveEvent[]): Promise<Beside> => {
    const wanted = listeners.wanted()
    if (!wanted.book && !wanted.metadata) return NOTHING_BESIDE
    try {
      return await read((view) => source.beside(view, events, wanted))
    } catch (error) {
      log.warn('live.beside_unavailable', { text: (error as Error).message })
      return NOTHING_BESIDE
    }
  }
  const tellAll = async (): Promise<void> => {
    isTelling = true
    try {
      while (waiting.length > 0) {
        const events = waiting
        waiting = []
        const beside = await besideOf(events)
        telling.events(events, beside)
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
        telling.events(waiting)
        waiting = []
      } else if (!isTelling) void tellAll()
    },
    async tellAlive(listener) {
      if (listener.filter.minFinality === 'finalized') return
      const before = alive(listener.filter)
      if (before.length === 0) return
      const beside = await besideOf(before)
      // Some of it may be over by now.
      telling.to(listener, alive(listener.filter), beside)
    },
    setAlive(source) {
      alive = source
    },
  }
}
