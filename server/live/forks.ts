import { createGroups } from '../base/memory/multi-map.ts'
import { type Cursor, isAt, type Position } from './cursor.ts'
import type { BlockEvents, LiveEvent } from './events.ts'

/** Maximum number of sent blocks that are remembered; and of their events with the transactions and accounts in these, of which each may have thousands. */
const MAX_BLOCKS = 1_024
const MAX_MEMBERS = 100_000
const MAX_UNDONE = 4_096

interface SentBlock {
  readonly end: Cursor
  readonly traces: readonly LiveEvent[]
  /** Events about account states, without the states, and events about jetton wallets. */
  readonly states: readonly LiveEvent[]
}

/** Events that were sent before their blocks were reverted. */
export interface Undone {
  readonly traces: readonly (readonly LiveEvent[])[]
  /** States of accounts and jetton wallets, those of the newest block first. */
  readonly states: readonly LiveEvent[]
}

const EMPTY = { wire: {}, named: [] }

/** The event without its contents, but with everything that filters read. Empty if the event is not about a trace. */
const withoutContents = (event: LiveEvent): readonly LiveEvent[] => {
  const { body, traceHash } = event
  if (traceHash === undefined) return []
  if (body.type === 'transactions')
    return [{ ...event, body: { ...body, transactions: body.transactions.map((one) => ({ ...one, ...EMPTY })) } }]
  if (body.type === 'actions') return [{ ...event, body: { ...body, actions: body.actions.map((one) => ({ ...one, ...EMPTY })) } }]
  return body.type === 'trace' ? [{ ...event, body: { ...body, ...EMPTY, actions: [] } }] : []
}

const membersOf = ({ body }: LiveEvent): number => {
  if (body.type === 'transactions') return body.transactions.length
  if (body.type === 'actions') return body.actions.reduce((sum, { accounts }) => sum + accounts.length, 0)
  return body.type === 'trace' ? body.accounts.size : 0
}
const sizeOf = ({ traces, states }: SentBlock): number => traces.reduce((sum, event) => sum + 1 + membersOf(event), states.length)

/** Reduces a state event to what is needed to report that its account or jetton wallet no longer exists. Empty for any other event. */
const subject = (event: LiveEvent): readonly LiveEvent[] => {
  const { body } = event
  if (body.type === 'account_state_change') return [{ ...event, body: { ...body, wire: {} } }]
  return body.type === 'jettons_change' ? [event] : []
}

export type Forks = ReturnType<typeof createForks>

/** Remembers the blocks whose events were sent most recently, and which of them were reverted. */
export const createForks = () => {
  const blocks: SentBlock[] = []
  const undone: { readonly end: Cursor; readonly common: number }[] = []
  let remembered = 0
  return {
    sent({ end, events }: BlockEvents): void {
      const block = { end, traces: events.flatMap(withoutContents), states: events.flatMap(subject) }
      blocks.push(block)
      remembered += sizeOf(block)
      while (blocks.length > MAX_BLOCKS || remembered > MAX_MEMBERS) remembered -= sizeOf(blocks.shift()!)
    },
    /** Forgets the blocks above `seqno`, and returns their events, which had been sent. */
    reverted(seqno: number): Undone {
      const gone: SentBlock[] = []
      while (blocks.length > 0 && blocks.at(-1)!.end.seqno > seqno) gone.push(blocks.pop()!)
      const traces = gone.flatMap((block) => block.traces)
      for (const block of gone) remembered -= sizeOf(block)
      // This revert may go back further than earlier ones, so the common blocks of older forks are lowered too.
      for (const [i, each] of undone.entries()) if (each.common > seqno) undone[i] = { ...each, common: seqno }
      for (const { end } of gone) undone.push({ end, common: seqno })
      undone.splice(0, Math.max(0, undone.length - MAX_UNDONE))
      const ofTrace = createGroups<LiveEvent>()
      for (const event of traces) ofTrace.add(event.traceHash!, event)
      return { traces: [...ofTrace].map(ofTrace.of), states: gone.flatMap(({ states }) => states) }
    },
    /** Returns the remembered blocks up to the position, newest first; none if the position's block is not remembered. */
    sentBefore(position: Position): readonly Position[] {
      const at = blocks.findLastIndex(({ end }) => end.seqno === position.seqno && isAt(position, end.hash))
      return blocks
        .slice(0, at + 1)
        .map(({ end }) => end)
        .reverse()
    },
    /** Returns the last block that the current chain shares with the reverted chain of a position; undefined if this process did not see that chain. */
    forkPoint: (position: Position): number | undefined =>
      undone.findLast(({ end }) => end.seqno === position.seqno && isAt(position, end.hash))?.common,
  }
}
