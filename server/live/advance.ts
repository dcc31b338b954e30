import type { View } from '../store/queries/view.ts'
import { ancestorSeqnos, ancestorsOf, type Cursor, isAt, lastCommon, type Position, WHOLE } from './cursor.ts'
import type { EventSource } from './event-source.ts'
import type { BlockEvents, EventQuery } from './events.ts'
import type { Forks } from './forks.ts'

export interface Step {
  /** The chain was reverted to the block `seqno`. `at`: the cursor after this block; undefined if the index does not have the block. */
  readonly reset?: { readonly seqno: number; readonly at: Cursor | undefined }
  /** Masterchain blocks that the index no longer has, or whose events cannot be read in time, both ends included. */
  readonly gap?: { readonly from: number; readonly to: number }
  readonly blocks: readonly BlockEvents[]
  /** The last masterchain block of this step. Blocks up to it that are not in `blocks` have no matching events. */
  readonly seqno: number
  readonly head: number
}

export interface Advance {
  readonly source: EventSource
  readonly view: View
  readonly query: EventQuery
  readonly most: number
  /** Skips blocks without matching events, so that a replay of many blocks is fast. */
  readonly sparse: boolean
  /** How often this step was not read in time. Each time less is read. */
  readonly timeouts: number
  readonly forks: Pick<Forks, 'forkPoint' | 'sentBefore'>
}

/** Number of timeouts of a step after which a block is passed without its events. The next timeout ends a replay. */
export const MAX_TIMEOUTS = 3
const NO_NAMES: ReadonlySet<never> = new Set()

/**
 * Returns what to read after some timeouts: one block, then one without address book and metadata, then one without its events. So no block can stop the
 * events of the blocks after it.
 */
const afterTimeouts = (options: Advance): Advance => {
  const { timeouts, query } = options
  if (timeouts === 0) return options
  const one = { ...options, most: 1, sparse: false }
  if (timeouts === 1) return one
  if (timeouts < MAX_TIMEOUTS) return { ...one, query: { ...query, book: false, metadata: false } }
  return { ...one, query: { ...query, types: NO_NAMES, accounts: NO_NAMES, hashes: NO_NAMES, book: false, metadata: false } }
}

/** The position of a masterchain block; undefined if it is not indexed. */
export const positionOf = async (source: EventSource, view: View, seqno: number): Promise<Position | undefined> => {
  const hashes = await source.hashes(view, [seqno, ...ancestorSeqnos(seqno)])
  const hash = hashes.get(seqno)
  return hash && { seqno, hash, ancestors: ancestorsOf(seqno, hashes) }
}

/** Returns the seqno of the last block that the index shares with the chain of a position. If they share none, the seqno before the first indexed block. */
const commonWith = async ({ source, view, forks }: Advance, position: Position): Promise<number> => {
  const { first, head } = view
  const exact = forks.forkPoint(position)
  if (exact !== undefined && exact >= first && exact <= head) return exact
  const sent = forks.sentBefore(position)
  if (sent.length > 0) {
    const present = await source.hashes(
      view,
      sent.map(({ seqno }) => seqno),
    )
    const common = sent.find((each) => isAt(each, present.get(each.seqno)))
    if (common) return common.seqno
  }
  const hashes = await source.hashes(view, ancestorSeqnos(position.seqno))
  return lastCommon(position, hashes) ?? first - 1
}

export const advance = async (given: Advance, from: Cursor): Promise<Step> => {
  const options = afterTimeouts(given)
  const { source, view, most } = options
  const { first, head } = view
  const isPassing = options.timeouts >= MAX_TIMEOUTS
  /** The first block of which events may be left. A cursor may be inside its block. */
  const next = from.place === WHOLE ? from.seqno + 1 : from.seqno
  if (next < first) {
    const rest = await blocksAfter({ ...options, first: first - 1 })
    return { gap: { from: next, to: isPassing ? rest.seqno : first - 1 }, ...rest, head }
  }
  // The next blocks are read at the same time as the hash of the cursor's block. A revert is rare, and reading the hash first would delay every event.
  const [hashes, rest] = await Promise.all([
    from.seqno < first ? new Map<number, Buffer>() : source.hashes(view, [from.seqno]),
    blocksAfter({ ...options, most: most + from.seqno + 1 - next, first: next - 1 }),
  ])
  const own = hashes.get(from.seqno)
  if (from.seqno >= first && !isAt(from, own)) {
    const seqno = await commonWith(options, from)
    const at = await positionOf(source, view, seqno)
    return { reset: { seqno, at: at && { ...at, place: WHOLE } }, blocks: [], seqno, head }
  }
  const blocks = rest.blocks.map((block) =>
    block.end.seqno === from.seqno ? { ...block, events: block.events.filter(({ place }) => place > from.place) } : block,
  )
  return { ...rest, ...(isPassing && next <= rest.seqno && { gap: { from: next, to: rest.seqno } }), blocks, head }
}

interface BlocksAfter extends Pick<Advance, 'source' | 'view' | 'query' | 'most' | 'sparse'> {
  readonly first: number
}

const blocksAfter = async ({ source, view, query, most, sparse, first }: BlocksAfter): Promise<Pick<Step, 'blocks' | 'seqno'>> => {
  const end = Math.max(first, view.head)
  const { seqnos: found, until } =
    sparse && end - first > most
      ? await source.next(view, first, query, most)
      : { seqnos: Array.from({ length: Math.min(most, end - first) }, (_, i) => first + 1 + i), until: end }
  const seqnos = await source.together(view, found)
  const blocks = seqnos.length === 0 ? [] : await source.blocks(view, seqnos, query)
  return { blocks, seqno: found.length < most && seqnos.length === found.length ? until : seqnos.at(-1)! }
}
