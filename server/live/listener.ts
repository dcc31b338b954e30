import { type Chunk, createChunk } from '../base/writer/chunk.ts'
import { type Cursor, formatCursor } from './cursor.ts'
import { eventText, type MemberTexts } from './event-text.ts'
import type { BookAndTokens, Finality, LiveEvent } from './events.ts'
import { FINALITIES } from './events.ts'
import { type Filter, type Shown, show } from './filter.ts'

/** Format in which a transport writes one event. Listeners whose frames have the same key share chunks. */
export interface Frame {
  readonly key: string
  /** Returns the bytes to send. `json`: the event as a JSON object. `cursor`: the cursor after the event; '' for an event that is in no block. */
  wrap(json: string, cursor: string): Buffer
}

export interface Sink {
  readonly frame: Frame
  /** Client name by which replays are queued and limited; undefined for the process itself. */
  readonly client: string | undefined
  /** Maximum number of concurrent replays of the client; -1: no limit. */
  readonly replays: number
  /** True for a webhook. There is a bound for all webhooks, so their addresses do not count among those of streams. */
  readonly isHook?: true
  push(chunk: Chunk): void
  /** Backpressure: resolves when a replay may send more events; undefined if it may send them now. */
  room(): Promise<void> | undefined
  /** Ends the events with an error. The client has to reconnect with its last cursor. */
  fail(error: unknown): void
  /** True if the client understands `reset` and `gap`. Any other client gets `trace_invalidated` instead. */
  readonly takesResets: boolean
}

/** Maximum number of non-final traces that are remembered for a listener. The oldest are forgotten first. */
const MAX_OPEN = 10_000
/** Maximum bytes that stay for further listeners while an event is sent: it can have 16 MiB, and another text for each of thousands of filters. */
const MAX_SHARED = 64 << 20

export interface Listener {
  filter: Filter
  readonly sink: Sink
  /** Its number in the order in which listeners went live; undefined before. */
  joined: number | undefined
  /** The last masterchain block whose events were sent, or are being sent by a replay. */
  sentSeqno: number
  /** Cursor of the last sent event that is in a block; '' before the first. */
  cursor: string
  /** Traces that were sent and are not finalized: the last sent finality by the hash of the trace. */
  readonly open: Map<string, Finality>
}

export const createListener = (filter: Filter, sink: Sink): Listener => ({
  filter,
  sink,
  joined: undefined,
  sentSeqno: 0,
  cursor: '',
  open: new Map(),
})

/**
 * Returns whether the listener gets an event of a trace, and records the event as sent. Refuses an event whose finality is lower than that of an earlier
 * event of the trace, and `trace_invalidated` unless the trace was sent and is not finalized.
 */
const allows = ({ open }: Listener, { finality, traceHash, body }: LiveEvent): boolean => {
  if (traceHash === undefined) return true
  const before = open.get(traceHash)
  if (body.type === 'trace_invalidated') return open.delete(traceHash)
  if (finality === 'finalized') open.delete(traceHash)
  else if (before !== undefined && FINALITIES.indexOf(finality) < FINALITIES.indexOf(before)) return false
  else {
    open.delete(traceHash)
    open.set(traceHash, finality)
    if (open.size > MAX_OPEN) open.delete(open.keys().next().value!)
  }
  return true
}

/**
 * Returns a function that sends the events to a listener as one chunk. The function returns false if the listener's filter or the finality rule rejects
 * them. Chunks that several listeners share are made once. `at`: the block of the events; undefined if they are in no block. If there are several events,
 * none may belong to a trace, because the finality rule rejects all events together. `texts`: texts of members that are written already.
 */
export const createSender = (
  events: readonly LiveEvent[],
  bookAndTokens: BookAndTokens,
  at: Cursor | undefined,
  texts: MemberTexts = new WeakMap(),
): ((listener: Listener) => boolean) => {
  const chunks = new Map<string, Chunk>()
  const contents = new Map<string, string>()
  let bytes = 0
  const hold = (more: number): void => {
    bytes += more
    if (bytes <= MAX_SHARED) return
    chunks.clear()
    contents.clear()
    bytes = more
  }
  /** The JSON is the same in all frames: each subscription of a WebSocket has a frame of its own. */
  const contentOf = (key: string, make: Shown['make']): string => {
    const text = contents.get(key) ?? eventText(make(), texts)
    if (!contents.has(key)) hold(text.length)
    contents.set(key, text)
    return text
  }
  const cursors = events.map(({ place }) => (at === undefined ? '' : formatCursor({ ...at, place })))
  return (listener) => {
    const { filter, sink } = listener
    const parts = events.flatMap((event, i) => {
      const shown = show(event, filter, bookAndTokens)
      return shown === undefined ? [] : [{ key: `${i} ${shown.key}`, make: shown.make, cursor: cursors[i]! }]
    })
    if (parts.length === 0 || !events.every((event) => allows(listener, event))) return false
    const key = [sink.frame.key, ...parts.map((part) => part.key)].join(' ')
    let chunk = chunks.get(key)
    if (chunk === undefined) {
      const frames = parts.map((part) => sink.frame.wrap(contentOf(part.key, part.make), part.cursor))
      chunk = createChunk(frames, 'events', parts.at(-1)!.cursor)
      hold(chunk.length)
      chunks.set(key, chunk)
    }
    if (chunk.cursor !== '') listener.cursor = chunk.cursor
    sink.push(chunk)
    return true
  }
}

export const send = (
  listener: Listener,
  event: LiveEvent,
  bookAndTokens: BookAndTokens,
  at: Cursor | undefined,
  texts?: MemberTexts,
): boolean => createSender([event], bookAndTokens, at, texts)(listener)

/** The `gap` event for blocks whose events are not sent, both ends included. */
export const gapOf = ({ from, to }: { readonly from: number; readonly to: number }): object => ({
  type: 'gap',
  from_seqno: from,
  to_seqno: to,
})

/** Sends a reset or a gap, if the listener understands them. */
export const announce = (listener: Listener, notice: object, at: Cursor | undefined): void => {
  const cursor = at === undefined ? '' : formatCursor(at)
  if (cursor !== '') listener.cursor = cursor
  const { takesResets, frame, push } = listener.sink
  if (takesResets) push(createChunk([frame.wrap(JSON.stringify(notice), cursor)], 'events', cursor))
}

/** Returns whether a reset for this filter is followed by the current states. */
export const takesStates = ({ types }: Filter): boolean => types.has('account_state_change') || types.has('jettons_change')

/**
 * Sends a reset: everything above `seqno` is reverted. If current states follow, the reset has no cursor: a client that loses its connection before it has
 * received all states then reconnects with its older cursor, and gets the reset again.
 */
export const announceReset = (listener: Listener, seqno: number, at: Cursor | undefined): void => {
  announce(listener, { type: 'reset', seqno }, takesStates(listener.filter) ? undefined : at)
}
