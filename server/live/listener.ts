import { type Chunk, chunkOf } from '../base/outlet/outlet.ts'
import { type Cursor, formatCursor } from './cursor.ts'
import type { Beside, EventType, Finality, LiveEvent, Wanted } from './events.ts'
import { FINALITIES } from './events.ts'
import { type Filter, show } from './filter.ts'

/** How a transport writes one event. Chunks are shared between listeners whose frames have the same key. */
export interface Frame {
  readonly key: string
  /** `json`: an object. `cursor`: the place after the event, '' for an event that is in no block. */
  wrap(json: string, cursor: string): string
}

/** Where a listener's events go. */
export interface Sink {
  readonly frame: Frame
  /** Whose replays wait in one line; undefined for the process itself. */
  readonly client: string | undefined
  /** Most replays of the client at a time; -1: any number. */
  readonly replays: number
  push(chunk: Chunk): void
  /** Resolves when a replay may go on; undefined if it may at once. */
  room(): Promise<void> | undefined
  /** The events cannot be read any more: the reader has to come back with its last cursor. */
  fail(error: unknown): void
  /** Whether the listener understands `reset` and `gap`. Others are told what became invalid. */
  readonly takesResets: boolean
}

/** Largest number of non-final traces that are remembered for a listener. The oldest are forgotten first. */
const MOST_OPEN = 10_000

/** One listener of the hub. */
export interface Listener {
  filter: Filter
  readonly sink: Sink
  /** The last masterchain block that was told, or is told by a replay. */
  told: number
  /** The cursor of the last event in a block that was told; '' before the first. */
  cursor: string
  /** Highest finality told of each trace that is not finalized, by hash. */
  readonly open: Map<string, Finality>
}

export const createListener = (filter: Filter, sink: Sink): Listener => ({ filter, sink, told: 0, cursor: '', open: new Map() })

/** The texts of one event, by the listeners' views and frames. */
export type Texts = Map<string, Chunk>

const textOf = (make: () => object, frame: Frame, cursor: string): Chunk => chunkOf(frame.wrap(JSON.stringify(make()), cursor), cursor)

/** Whether finality allows this event for the listener; remembers what was told. */
const allows = ({ open }: Listener, { finality, traceHash, body }: LiveEvent): boolean => {
  if (traceHash === undefined) return true
  const before = open.get(traceHash)
  if (body.type === 'trace_invalidated') return open.delete(traceHash)
  if (finality === 'finalized') open.delete(traceHash)
  else if (before !== undefined && FINALITIES.indexOf(finality) < FINALITIES.indexOf(before)) return false
  else {
    open.delete(traceHash)
    open.set(traceHash, finality)
    if (open.size > MOST_OPEN) open.delete(open.keys().next().value!)
  }
  return true
}

/** Tells one event if it passes the filter. `at`: the block of the event; undefined if it is in none. Returns whether it was told. */
export const tell = (listener: Listener, event: LiveEvent, beside: Beside, at: Cursor | undefined, texts: Texts): boolean => {
  const { filter, sink } = listener
  const shown = show(event, filter, beside)
  if (shown === undefined || !allows(listener, event)) return false
  const key = `${shown.key}|${sink.frame.key}`
  const cursor = at === undefined ? '' : formatCursor({ ...at, place: event.place })
  const chunk = texts.get(key) ?? textOf(shown.make, sink.frame, cursor)
  texts.set(key, chunk)
  if (cursor !== '') listener.cursor = cursor
  sink.push(chunk)
  return true
}

/** The `gap` event of blocks that are not told, both ends included. */
export const gapOf = ({ from, to }: { readonly from: number; readonly to: number }): object => ({
  type: 'gap',
  from_seqno: from,
  to_seqno: to,
})

/** Tells a reset or a gap, if the listener understands them. */
export const announce = (listener: Listener, notice: object, at: Cursor | undefined): void => {
  const cursor = at === undefined ? '' : formatCursor(at)
  if (cursor !== '') listener.cursor = cursor
  if (listener.sink.takesResets) listener.sink.push(textOf(() => notice, listener.sink.frame, cursor))
}

/**
 * Tells that everything above `seqno` is reverted. If the present states follow, the reset has no cursor: a reader that is lost before it has all of them
 * returns with an older cursor, and gets the reset again.
 */
export const announceReset = (listener: Listener, seqno: number, at: Cursor | undefined): void => {
  const { types } = listener.filter
  const isBeforeStates = types.has('account_state_change') || types.has('jettons_change')
  announce(listener, { type: 'reset', seqno }, isBeforeStates ? undefined : at)
}

/** What all of these filters want together. */
export const wantedOf = (filters: Iterable<Filter>, newestOnly: boolean): Wanted => {
  const types = new Set<EventType>()
  const accounts = new Set<string>()
  const hashes = new Set<string>()
  let book = false
  let metadata = false
  for (const filter of filters) {
    for (const type of filter.types) types.add(type)
    for (const account of filter.accounts) accounts.add(account)
    for (const hash of filter.hashes) hashes.add(hash)
    book ||= filter.book
    metadata ||= filter.metadata
  }
  return { types, accounts, hashes, book, metadata, newestOnly }
}
