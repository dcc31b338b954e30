import type { Log } from '../base/log.ts'
import { createPauses, mapWithPauses, type Pause } from '../base/yield.ts'
import type { Step } from './advance.ts'
import type { EventSource, Read } from './event-source.ts'
import { type MemberTexts, writeMembers } from './event-text.ts'
import { type BlockEvents, type BookAndTokens, type LiveEvent, NO_BOOK_OR_TOKENS } from './events.ts'
import { show } from './filter.ts'
import type { Forks, Undone } from './forks.ts'
import { announceReset, createSender, type Listener, send, takesStates } from './listener.ts'
import type { Listeners } from './listeners.ts'

export interface BroadcastDeps {
  readonly listeners: Listeners
  readonly forks: Forks
  readonly source: EventSource
  readonly read: Read
  readonly log: Log
}

const MAX_ENDED = 20_000

/**
 * Remembers which traces were sent as finalized. Events of pending traces do not come with blocks, and must not be sent after the finalized trace. `block`:
 * finalized for listeners with the scope `block` only. `trace`: finalized for all listeners.
 */
const createEnded = () => {
  const ended = new Map<string, 'block' | 'trace'>()
  return {
    add({ traceHash, body, finality }: LiveEvent): void {
      if (traceHash === undefined || finality !== 'finalized') return
      const before = ended.get(traceHash)
      ended.delete(traceHash)
      ended.set(traceHash, before === 'trace' || !('scope' in body && body.scope === 'block') ? 'trace' : 'block')
      if (ended.size > MAX_ENDED) ended.delete(ended.keys().next().value!)
    },
    forget: (traceHash: string): boolean => ended.delete(traceHash),
    isFor(traceHash: string | undefined, { filter }: Listener): boolean {
      const scope = ended.get(traceHash ?? '')
      return scope === 'trace' || (scope === 'block' && filter.scope === 'block')
    },
  }
}

/** Groups events that go to the same listeners: all `block` events together first, then each other event alone. */
const sentTogether = (events: readonly LiveEvent[]): readonly (readonly LiveEvent[])[] => {
  const blocks = events.filter(({ body }) => body.type === 'block')
  const others = events.filter(({ body }) => body.type !== 'block').map((event) => [event])
  return blocks.length === 0 ? others : [blocks, ...others]
}

export type Broadcast = ReturnType<typeof createBroadcast>

/** Sends events to the live listeners: those without a running replay. */
export const createBroadcast = ({ listeners, forks, source, read, log }: BroadcastDeps) => {
  const ended = createEnded()
  /**
   * Sends an event to each listener that may want it. Yields to the event loop in between, because an event can have megabytes, and is serialized once for
   * each distinct filter and frame.
   */
  const sendEach = async (
    event: LiveEvent,
    sendOne: (listener: Listener) => void,
    bookAndTokens: BookAndTokens,
    texts: MemberTexts,
    pause: Pause,
  ): Promise<void> => {
    let isWritten = false
    for (const group of listeners.of(event)) {
      // A group may be empty, and an event have thousands of them.
      await pause()
      if (group.length > 0 && !isWritten) {
        await writeMembers(event, bookAndTokens, texts)
        isWritten = true
      }
      for (const listener of group) {
        const paused = pause()
        if (paused !== undefined) await paused
        if (listeners.has(listener)) sendOne(listener)
      }
    }
  }
  /** Sends `trace_invalidated` to those listeners that do not understand `reset` and have received an event of the trace. */
  const invalidate = async (events: readonly LiveEvent[], pause: Pause): Promise<void> => {
    const invalidated = new Set<Listener>()
    for (const event of events) {
      const sendInvalid = createSender([{ ...event, body: { type: 'trace_invalidated' } }], NO_BOOK_OR_TOKENS, undefined)
      const sendOnce = (listener: Listener): void => {
        if (listener.sink.takesResets || invalidated.has(listener)) return
        if (show(event, listener.filter, NO_BOOK_OR_TOKENS) === undefined) return
        invalidated.add(listener)
        listener.open.set(event.traceHash!, 'confirmed')
        sendInvalid(listener)
      }
      await sendEach(event, sendOnce, NO_BOOK_OR_TOKENS, new WeakMap(), pause)
    }
    ended.forget(events[0]!.traceHash!)
  }
  /** Sends events that are in no block. Resolves when all are sent. */
  const events = async (all: readonly LiveEvent[], bookAndTokens = NO_BOOK_OR_TOKENS): Promise<void> => {
    const pause = createPauses()
    const texts: MemberTexts = new WeakMap()
    for (const event of all) {
      const sendOne = createSender([event], bookAndTokens, undefined, texts)
      const sendUnended = (listener: Listener): void => {
        if (event.finality === 'finalized' || !ended.isFor(event.traceHash, listener)) sendOne(listener)
      }
      await sendEach(event, sendUnended, bookAndTokens, texts, pause)
    }
  }
  const to = (listener: Listener, all: readonly LiveEvent[], bookAndTokens: BookAndTokens, texts: MemberTexts): void => {
    for (const event of all) if (!ended.isFor(event.traceHash, listener)) send(listener, event, bookAndTokens, undefined, texts)
  }
  /** Sends a reset, and what is undone. There may be thousands of listeners, and thousands of traces for each. */
  const undo = async (traces: Undone['traces'], { seqno, at }: NonNullable<Step['reset']>): Promise<void> => {
    await mapWithPauses([...listeners.all()], (listener) => {
      listener.sentSeqno = Math.min(listener.sentSeqno, seqno)
      announceReset(listener, seqno, at)
    })
    const pause = createPauses()
    for (const trace of traces) await invalidate(trace, pause)
  }
  let undoing: Promise<void> | undefined
  return {
    /** As `events`, but after what is being undone: a trace may be pending again. */
    events: (all: readonly LiveEvent[], bookAndTokens?: BookAndTokens): Promise<void> => {
      const go = (): Promise<void> => events(all, bookAndTokens)
      return undoing === undefined ? go() : undoing.then(go, go)
    },
    to,
    /** Sends the events of a block. Call this in the order of blocks, for one block after the other. Resolves when all events are sent. */
    async block(block: BlockEvents): Promise<void> {
      const pause = createPauses()
      const texts: MemberTexts = new WeakMap()
      for (const events of sentTogether(block.events)) {
        for (const event of events) ended.add(event)
        const sendOne = createSender(events, block, block.end, texts)
        const sendNew = (listener: Listener): void => {
          if (listener.sentSeqno < block.end.seqno) sendOne(listener)
        }
        await sendEach(events[0]!, sendNew, block, texts, pause)
      }
      forks.sent(block)
    },
    /** Sends a reset, `trace_invalidated` for the traces of reverted blocks, and then the current states of all accounts that listeners subscribe to. */
    async revert({ seqno, at }: NonNullable<Step['reset']>): Promise<void> {
      log.info('live.reset', { seqno })
      const undone = forks.reverted(seqno)
      undoing = undo(undone.traces, { seqno, at }).finally(() => {
        undoing = undefined
      })
      await undoing
      try {
        for await (const states of source.states(read, listeners.query(), undone.states)) await events(states.events, states)
      } catch (error) {
        // Ends the listeners that need the states. They reconnect with cursors before the revert, and get the reset again, with the states.
        await mapWithPauses([...listeners.all()], (each) => {
          const { filter, sink } = each
          if (listeners.has(each) && sink.takesResets && takesStates(filter)) sink.fail(error)
        })
        throw error
      }
    },
  }
}
