import { byteText } from '../../base/memory/byte-text.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import type { Emulator } from '../../emulate/emulator.ts'
import { EmulationError } from '../../emulate/error.ts'
import type { EmulatedTrace, Start } from '../../emulate/trace.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import { emulateOn } from './emulate-on.ts'
import { beginInBlocks, findRoot, followInBlocks, type InBlocks } from './in-blocks.ts'
import { accountIn, accountOf, accountText, emulationOf, type Kept, type KeptTraces } from './kept-traces.ts'
import { createReceived, type Received, type ReceivedSource } from './received.ts'

/*
 * Checks traces again when the state before them changes: the message is in a block, or a trace before it is emulated again, or another message took its
 * place. If a trace began in a block, its undelivered messages are emulated again on the state after that block.
 */

/** Traces that are checked with one head, and accounts whose traces are checked at the same time. */
const AT_ONCE = { traces: 1_024, accounts: 8 } as const

export interface ReviewDeps {
  readonly chain: ReceivedSource
  readonly emulator: Emulator
  /** Unix seconds. */
  readonly now: () => number
  readonly kept: KeptTraces
  /** All of the trace was found in blocks. */
  readonly committed: (entry: Kept, seqno: number) => void
  /** The trace was emulated again. Resolves when it is told, so that few traces are in memory at a time. */
  readonly changed: (entry: Kept, trace: EmulatedTrace) => Promise<void>
  /** Another message took its place. */
  readonly invalid: (entry: Kept) => void
}

export interface Reviewer {
  /** Checks one trace. Rejects if the chain cannot be read. */
  one(entry: Kept, head: BlockId, signal: AbortSignal): Promise<void>
  /** Checks all of these; traces of one account in the order in which they were sent. What cannot be read now is checked with the next head. */
  all(entries: readonly Kept[], head: BlockId, signal: AbortSignal): Promise<void>
}

export const createReviewer = ({ chain, emulator, now, kept, ...found }: ReviewDeps): Reviewer => {
  /** Where the last check ended, by the order of its last trace. */
  let last = -1

  const isMoved = async ({ after }: Kept, to: AccountId, head: BlockId, signal: AbortSignal): Promise<boolean> => {
    const { lastTransHash } = await chain.account(to, head, signal)
    return accountIn(after, accountText(to))?.base !== byteText(lastTransHash, 'latin1')
  }

  /** Emulates what is in no block yet on the newest state. */
  const emulate = async (entry: Kept, starts: readonly Start[], head: BlockId, signal: AbortSignal): Promise<void> => {
    const { pending, order, inBlocks } = entry
    const { trace, after } = await emulateOn(kept, emulator, { starts, to: pending.to, at: head, now: now(), order }, signal)
    const nodes = [...(inBlocks?.nodes ?? []), ...trace.nodes]
    const whole = { ...trace, nodes, isIncomplete: trace.isIncomplete || inBlocks?.isCut === true }
    if (kept.replace(entry, emulationOf(whole), after)) await found.changed(entry, whole)
  }

  /** Checks a trace whose message is in a block: the rest of it follows in later ones. */
  const tail = async (entry: Kept, from: InBlocks, received: Received, signal: AbortSignal): Promise<void> => {
    const { at: head } = received
    const inBlocks = await followInBlocks(received, from)
    entry.inBlocks = inBlocks
    if (inBlocks.open.length > 0) {
      // Until it is emulated again, the kept trace differs from the blocks.
      entry.isStale = true
      const starts = inBlocks.open.map(({ message, parent }) => ({ message, depth: parent.depth + 1 }))
      await emulate(entry, starts, head, signal)
      return
    }
    entry.pending.committedAt = head.seqno
    found.committed(entry, head.seqno)
  }

  const check = async (entry: Kept, received: Received, signal: AbortSignal): Promise<void> => {
    const { pending, inBlocks } = entry
    const { at: head } = received
    if (pending.committedAt !== undefined || !kept.has(entry)) return
    if (inBlocks !== undefined) {
      const moved = await Promise.all(inBlocks.open.map(({ to }) => isMoved(entry, to, head, signal)))
      if (kept.has(entry) && (entry.isStale || moved.includes(true))) await tail(entry, inBlocks, received, signal)
      return
    }
    const isRootMoved = await isMoved(entry, accountOf(pending.to), head, signal)
    // It may be gone by now.
    if (!kept.has(entry) || (!isRootMoved && !entry.isStale)) return
    const root = isRootMoved ? await findRoot(received, pending) : undefined
    if (root !== undefined) return await tail(entry, beginInBlocks(root, accountOf(pending.to), head.seqno), received, signal)
    try {
      await emulate(entry, [{ message: parseBocRoot(Buffer.from(pending.boc, 'latin1')) }], head, signal)
    } catch (error) {
      if (!(error instanceof EmulationError) || error.kind === 'time') throw error
      found.invalid(entry)
    }
  }

  const grouped = (entries: readonly Kept[]): Kept[][] => {
    const groups = new Map<string, Kept[]>()
    for (const entry of entries) {
      const key = entry.pending.to
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [entry])
      else group.push(entry)
    }
    return [...groups.values()]
  }

  return {
    one: (entry, head, signal) => check(entry, createReceived(chain, head, signal), signal),
    async all(entries, head, signal) {
      // If there are more traces than one check has room for, the next check begins where this one ends.
      const start = Math.max(
        0,
        entries.findIndex(({ order }) => order > last),
      )
      const chosen =
        entries.length <= AT_ONCE.traces ? entries : [...entries.slice(start), ...entries.slice(0, start)].slice(0, AT_ONCE.traces)
      last = chosen.at(-1)?.order ?? -1
      const groups = grouped(chosen)
      const received = createReceived(chain, head, signal)
      const run = async (): Promise<void> => {
        for (let group = groups.shift(); group !== undefined && !signal.aborted; group = groups.shift())
          for (const entry of group) await check(entry, received, signal).catch(() => {})
      }
      await Promise.all(Array.from({ length: AT_ONCE.accounts }, run))
    },
  }
}
