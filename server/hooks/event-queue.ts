import type { Permits } from '../base/permits.ts'
import type { Chunk } from '../base/writer/chunk.ts'
import { withCursor } from '../live/cursor.ts'
import type { Frame } from '../live/listener.ts'
import { type Message, messageId } from './delivery.ts'
import type { Hook } from './store.ts'

export interface QueuedEvent extends Message {
  /** The cursor after the event; '' for an event that is in no block. */
  readonly cursor: string
  /** False for a revert, and for an event that is in no block. */
  readonly isPlaced: boolean
}

/** What all hooks together may hold. */
export interface QueueBudget {
  /** Bytes of the queued events of all hooks. Hooks with the same filter share these bytes in memory, but each hook counts them. */
  bytes: number
  /** The same by owner, so that the silent receivers of one do not take the room of all. */
  readonly ofOwner: Map<string, number>
  /**
   * Permits to add a large event although the bytes of all hooks, or of the owner's, are used up. A hook gives its permit back when its queue is empty and
   * the last event that it delivered had a cursor.
   */
  readonly turns: Permits
}

const MAX_EVENTS = 256
const MAX_BYTES = 1 << 20
const MAX_OWNER_BYTES = 16 << 20
const MAX_ALL_BYTES = 64 << 20
/** An empty queue always takes an event of up to this many bytes. A larger one needs room, or one of `turns`. */
const SMALL_BYTES = 16 << 10

const RESET = '{"type":"reset",'
const REVERTED = '{"type":"reverted",'

/** Writes events for hooks. `reset` is renamed to `reverted`, because a receiver has no stream that could be reset. */
export const HOOK_FRAME: Frame = {
  key: 'hook',
  wrap: (json, cursor) => Buffer.from(withCursor(json.startsWith(RESET) ? `${REVERTED}${json.slice(RESET.length)}` : json, cursor)),
}

const CURSOR = /"cursor":"([^"]*)"\}$/
/** The cursor of an event is within this many bytes of its end. */
const TAIL = 240

const cursorOf = (body: Buffer): string => CURSOR.exec(body.toString('latin1', Math.max(0, body.length - TAIL)))?.[1] ?? ''

/** Events of one hook that are not delivered yet, in order. */
export const createEventQueue = ({ id: hook, owner, cursor: from }: Pick<Hook, 'id' | 'owner' | 'cursor'>, budget: QueueBudget) => {
  const events: QueuedEvent[] = []
  let bytes = 0
  let last = from
  let wake = (): void => {}
  let makeRoom = (): void => {}
  let needsTurn = false
  let endTurn: (() => void) | undefined
  const count = (change: number): void => {
    bytes += change
    budget.bytes += change
    const own = (budget.ofOwner.get(owner) ?? 0) + change
    if (own > 0) budget.ofOwner.set(owner, own)
    else budget.ofOwner.delete(owner)
  }
  const isCrowded = (): boolean => budget.bytes >= MAX_ALL_BYTES || (budget.ofOwner.get(owner) ?? 0) >= MAX_OWNER_BYTES
  /** A queue without events has room even if isCrowded, so that each hook goes on. But a large event needs a turn then. */
  const isFull = (length = 0): boolean =>
    events.length > 0
      ? events.length >= MAX_EVENTS || bytes >= MAX_BYTES || isCrowded()
      : isCrowded() && length > SMALL_BYTES && endTurn === undefined
  const afterRemoval = (keepsTurn: boolean): void => {
    makeRoom()
    if (events.length > 0 || keepsTurn) return
    endTurn?.()
    endTurn = undefined
  }
  /**
   * Returns whether the hook can read on after the last event. States after a revert or a gap have no cursor. If the hook listens again after them, all of them
   * are sent again, with the same ids. So a replay waits for room instead.
   */
  const canReadOn = (): boolean => events.at(-1)?.cursor !== ''
  return {
    /** Adds the events of a chunk. Returns false, without adding any, if there is no room. `isLive`: false for a replay, which waits for `room`. */
    push(chunk: Chunk, isLive: boolean): boolean {
      if (isFull(chunk.length) && (isLive || canReadOn())) {
        needsTurn = isCrowded() && chunk.length > SMALL_BYTES
        return false
      }
      for (const body of chunk.pieces) {
        const cursor = cursorOf(body)
        const isPlaced = cursor !== '' && body.toString('latin1', 0, REVERTED.length) !== REVERTED
        events.push({ id: isPlaced ? messageId(hook, cursor) : messageId(hook, last, body.toString()), body, cursor, isPlaced })
        count(body.length)
        if (cursor !== '') last = cursor
      }
      wake()
      return true
    },
    /** Resolves when a replay may add the next chunk; undefined if it may now. */
    room: (): Promise<void> | undefined =>
      isFull() && !canReadOn()
        ? new Promise((resolve) => {
            makeRoom = resolve
          })
        : undefined,
    first: (): QueuedEvent | undefined => events[0],
    shift(): void {
      const event = events.shift()
      if (event) count(-event.body.length)
      // After an event without a cursor the hook would listen from the same place again, and get it again, if the next one were refused.
      afterRemoval(event?.cursor === '')
    },
    /** Removes all events. `cursor`: cursor after the last event that was delivered. */
    clear(cursor: string): void {
      events.length = 0
      count(-bytes)
      last = cursor
      afterRemoval(false)
    },
    /** If `push` has refused a large event, waits for a permit to add it. The hook then reads the event again and adds it. The queue must be empty. */
    async turn(signal: AbortSignal): Promise<void> {
      if (needsTurn) endTurn ??= await budget.turns.take(signal, owner)
      needsTurn = false
    },
    /** Resolves when there is an event, or when `wake` is called. */
    arrival: (): Promise<void> =>
      new Promise((resolve) => {
        wake = resolve
        if (events.length > 0) resolve()
      }),
    wake: (): void => wake(),
  }
}
