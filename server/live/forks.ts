import { type Cursor, isAt, type Position } from './cursor.ts'
import type { BlockEvents, LiveEvent } from './events.ts'

/** How many sent blocks are remembered, and how many of their events. */
const MAX_BLOCKS = 1_024
const MAX_EVENTS = 20_000
/** Largest number of reverted blocks that are remembered. */
const MAX_UNDONE = 4_096

interface SentBlock {
  readonly end: Cursor
  /** Events about traces, without their contents. */
  readonly traces: readonly LiveEvent[]
  /** States of accounts and jetton wallets, those of accounts without their contents. */
  readonly states: readonly LiveEvent[]
}

/** What was sent of reverted blocks. */
export interface Undone {
  /** Events about traces, by trace. */
  readonly traces: readonly (readonly LiveEvent[])[]
  /** States of accounts and jetton wallets, the newest block first. */
  readonly states: readonly LiveEvent[]
}

/** The blocks whose events were sent last, and those of them that were reverted. */
export interface Forks {
  sent(block: BlockEvents): void
  /** Forgets the blocks above `seqno`, and returns what was sent of them. */
  reverted(seqno: number): Undone
  /** The last block that a reverted chain has in common with the present one; undefined if this process did not see the chain of the position. */
  readonly forkPoint: (position: Position) => number | undefined
  /** Blocks of the position's chain that were sent lately, newest first; none if the position is not one of them. */
  readonly sentBefore: (position: Position) => readonly Position[]
}

const EMPTY = { wire: {}, named: [] }

/** The event without its contents, but with everything that filters read; undefined if it is not about a trace. */
const withoutContents = (event: LiveEvent): readonly LiveEvent[] => {
  const { body, traceHash } = event
  if (traceHash === undefined) return []
  if (body.type === 'transactions')
    return [{ ...event, body: { ...body, transactions: body.transactions.map((one) => ({ ...one, ...EMPTY })) } }]
  if (body.type === 'actions') return [{ ...event, body: { ...body, actions: body.actions.map((one) => ({ ...one, ...EMPTY })) } }]
  return body.type === 'trace' ? [{ ...event, body: { ...body, ...EMPTY, actions: [] } }] : []
}

const sizeOf = ({ traces, states }: SentBlock): number => traces.length + states.length

/** What is needed to say that an account or a jetton wallet is gone; nothing for other events. */
const subject = (event: LiveEvent): readonly LiveEvent[] => {
  const { body } = event
  if (body.type === 'account_state_change') return [{ ...event, body: { ...body, wire: {} } }]
  return body.type === 'jettons_change' ? [event] : []
}

export const createForks = (): Forks => {
  const blocks: SentBlock[] = []
  const undone: { readonly end: Cursor; readonly common: number }[] = []
  let remembered = 0
  return {
    sent({ end, events }) {
      const block = { end, traces: events.flatMap(withoutContents), states: events.flatMap(subject) }
      blocks.push(block)
      remembered += sizeOf(block)
      while (blocks.length > MAX_BLOCKS || remembered > MAX_EVENTS) remembered -= sizeOf(blocks.shift()!)
    },
    reverted(seqno) {
      const gone: SentBlock[] = []
      while (blocks.length > 0 && blocks.at(-1)!.end.seqno > seqno) gone.push(blocks.pop()!)
      const traces = gone.flatMap((block) => block.traces)
      for (const block of gone) remembered -= sizeOf(block)
      // A position on an older fork leads to the lowest block that later reverts went back to.
      for (const [i, each] of undone.entries()) if (each.common > seqno) undone[i] = { ...each, common: seqno }
      for (const { end } of gone) undone.push({ end, common: seqno })
      undone.splice(0, Math.max(0, undone.length - MAX_UNDONE))
      const ofTrace = new Map<string | undefined, LiveEvent[]>()
      for (const event of traces) {
        const sameTrace = ofTrace.get(event.traceHash)
        if (sameTrace) sameTrace.push(event)
        else ofTrace.set(event.traceHash, [event])
      }
      return { traces: [...ofTrace.values()], states: gone.flatMap(({ states }) => states) }
    },
    sentBefore(position) {
      const at = blocks.findLastIndex(({ end }) => end.seqno === position.seqno && isAt(position, end.hash))
      return blocks
        .slice(0, at + 1)
        .map(({ end }) => end)
        .reverse()
    },
    forkPoint: (position) => undone.findLast(({ end }) => end.seqno === position.seqno && isAt(position, end.hash))?.common,
  }
}
