import type { Chunk } from '../base/writer/chunk.ts'
import { withCursor } from '../live/cursor.ts'
import type { Frame } from '../live/listener.ts'
import { type Message, messageId } from './delivery.ts'

/** An event that waits for its delivery. */
interface QueuedEvent extends Message {
  /** The place after the event; '' for an event that is in no block. */
  readonly cursor: string
}

/** Bytes of the queues of all hooks. Hooks with the same filter share them, but each counts them. */
export interface QueueBudget {
  bytes: number
}

/** The events of one hook that were read and are not delivered yet, in order. */
export interface EventQueue {
  /** False if there is no room: nothing of the chunk was taken. */
  push(chunk: Chunk): boolean
  first(): QueuedEvent | undefined
  /** Removes the first one. */
  shift(): void
  /** Forgets all. `cursor`: the place of the last event that was delivered. */
  clear(cursor: string): void
  /** Resolves when there is an event, or when `wake` is called. */
  arrival(): Promise<void>
  wake(): void
}

const MAX_EVENTS = 256
const MAX_BYTES = 1 << 20
const MAX_ALL_BYTES = 64 << 20

const RESET = '{"type":"reset",'
const REVERTED = '{"type":"reverted",'

/** Events as hooks get them: one JSON object a line. A revert is called as what it is, because a receiver has no stream that could be reset. */
export const HOOK_FRAME: Frame = {
  key: 'hook',
  wrap: (json, cursor) => Buffer.from(`${withCursor(json.startsWith(RESET) ? `${REVERTED}${json.slice(RESET.length)}` : json, cursor)}\n`),
}

const LINE_FEED = 10
const CURSOR = /"cursor":"([^"]*)"\}$/
/** Bytes in which the cursor of an event stands, at its end. */
const TAIL = 240

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start)
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

const cursorOf = (body: Buffer): string => CURSOR.exec(body.toString('latin1', Math.max(0, body.length - TAIL)))?.[1] ?? ''

export const createEventQueue = (hook: string, budget: QueueBudget, from: string): EventQueue => {
  const events: QueuedEvent[] = []
  let bytes = 0
  /** Cursor of the last event that has one. */
  let last = from
  let wake = (): void => {}
  const count = (change: number): void => {
    bytes += change
    budget.bytes += change
  }
  const isFull = (): boolean => events.length >= MAX_EVENTS || bytes >= MAX_BYTES || budget.bytes >= MAX_ALL_BYTES
  return {
    push(chunk) {
      // Events without a cursor come after a revert or a gap, and again if the hook listens again from the place before them. So the next place is always taken.
      const isAfterPlace = events.at(-1)?.cursor !== ''
      if (events.length > 0 && isAfterPlace && chunk.cursor !== '' && isFull()) return false
      for (const body of linesOf(chunk.bytes)) {
        const cursor = cursorOf(body)
        const isPlaced = cursor !== '' && body.toString('latin1', 0, REVERTED.length) !== REVERTED
        events.push({ id: isPlaced ? messageId(hook, cursor) : messageId(hook, last, body.toString()), body, cursor })
        count(body.length)
        if (cursor !== '') last = cursor
      }
      wake()
      return true
    },
    first: () => events[0],
    shift() {
      const event = events.shift()
      if (event) count(-event.body.length)
    },
    clear(cursor) {
      events.length = 0
      count(-bytes)
      last = cursor
    },
    arrival: () =>
      new Promise((resolve) => {
        wake = resolve
        if (events.length > 0) resolve()
      }),
    wake: () => wake(),
  }
}
