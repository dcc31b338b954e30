import { type Cursor, isAt, type Position } from './cursor.ts'
import type { BlockEvents, LiveEvent } from './events.ts'

/** How many sent blocks are remembered, and how many of their traces. */
const MOST_BLOCKS = 1_024
const MOST_TRACES = 20_000
/** Largest number of reverted blocks that are remembered. */
const MOST_UNDONE = 4_096

interface ToldBlock {
  readonly end: Cursor
  /** Events about traces, without their contents. */
  readonly traces: readonly LiveEvent[]
}

/** The blocks whose events were sent last, and those of them that were reverted. */
export interface Forks {
  told(block: BlockEvents): void
  /** Forgets the blocks above `seqno`. Returns their events about traces. */
  reverted(seqno: number): readonly (readonly LiveEvent[])[]
  /** The last block that a reverted chain has in common with the present one; undefined if this process did not see the chain of the position. */
  readonly commonOf: (position: Position) => number | undefined
  /** Lately sent blocks of the position's chain, newest first; none if the position is not one of them. */
  readonly besides: (position: Position) => readonly Position[]
}

const EMPTY = { wire: {}, named: [] }

/** The event without its contents, but with everything that filters read; undefined if it is not about a trace. */
const bare = (event: LiveEvent): readonly LiveEvent[] => {
  const { body, traceHash } = event
  if (traceHash === undefined) return []
  if (body.type === 'transactions')
    return [{ ...event, body: { ...body, transactions: body.transactions.map((one) => ({ ...one, ...EMPTY })) } }]
  if (body.type === 'actions') return [{ ...event, body: { ...body, actions: body.actions.map((one) => ({ ...one, ...EMPTY })) } }]
  return body.type === 'trace' ? [{ ...event, body: { ...body, ...EMPTY, actions: [] } }] : []
}

export const createForks = (): Forks => {
  const blocks: ToldBlock[] = []
  const undone: { readonly end: Cursor; readonly common: number }[] = []
  let kept = 0
  return {
    told({ end, events }) {
      const traces = events.flatMap(bare)
      blocks.push({ end, traces })
      kept += traces.length
      while (blocks.length > MOST_BLOCKS || kept > MOST_TRACES) kept -= blocks.shift()?.traces.length ?? 0
    },
    reverted(seqno) {
      const gone: ToldBlock[] = []
      while (blocks.length > 0 && blocks.at(-1)!.end.seqno > seqno) gone.push(blocks.pop()!)
      const traces = gone.flatMap((block) => block.traces)
      kept -= traces.length
      // A position on an older fork leads to the lowest block that later reverts went back to.
      for (const [i, each] of undone.entries()) if (each.common > seqno) undone[i] = { ...each, common: seqno }
      for (const { end } of gone) undone.push({ end, common: seqno })
      undone.splice(0, Math.max(0, undone.length - MOST_UNDONE))
      const ofTrace = new Map<string | undefined, LiveEvent[]>()
      for (const event of traces) {
        const known = ofTrace.get(event.traceHash)
        if (known) known.push(event)
        else ofTrace.set(event.traceHash, [event])
      }
      return [...ofTrace.values()]
    },
    besides(position) {
      const at = blocks.findLastIndex(({ end }) => end.seqno === position.seqno && isAt(position, end.hash))
      return blocks
        .slice(0, at + 1)
        .map(({ end }) => end)
        .reverse()
    },
    commonOf: (position) => undone.findLast(({ end }) => end.seqno === position.seqno && isAt(position, end.hash))?.common,
  }
}
