import type { Chain } from '../../chain/types.ts'
import type { Emulator } from '../../emulate/engine.ts'
import { EmulationError } from '../../emulate/error.ts'
import { toHex } from '../../tlb/block-id.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { emulateOn, isInBlock } from './emulate-on.ts'
import { accountText, type Kept, type KeptTraces } from './kept-traces.ts'

/* A trace is looked at again when the state before it changes: its message is in a block, or it is emulated anew, or another message took its place. */

/** Traces that are looked at in one go, and accounts whose traces are looked at at the same time. */
const AT_ONCE = { traces: 1_024, accounts: 8 } as const

export interface ReviewDeps {
  readonly chain: Pick<Chain, 'account' | 'transactions'>
  readonly emulator: Emulator
  /** Unix seconds. */
  readonly now: () => number
  readonly kept: KeptTraces
  /** The message was found in a block. */
  readonly committed: (entry: Kept, seqno: number) => void
  /** The trace was emulated anew. */
  readonly changed: (entry: Kept) => void
  /** Another message took its place. */
  readonly invalid: (entry: Kept) => void
}

export interface Reviewer {
  /** Looks at one trace. Rejects if the chain cannot be read. */
  one(entry: Kept, head: BlockId, signal: AbortSignal): Promise<void>
  /** Looks at all of these; traces of one account in the order in which they were sent. What cannot be read now is looked at with the next head. */
  all(entries: readonly Kept[], head: BlockId, signal: AbortSignal): Promise<void>
}

export const createReviewer = ({ chain, emulator, now, kept, ...found }: ReviewDeps): Reviewer => {
  /** Where the last go ended, by the order of its last trace. */
  let last = -1

  const one = async (entry: Kept, head: BlockId, signal: AbortSignal): Promise<void> => {
    const { pending, after, order } = entry
    if (pending.committedAt !== undefined || !kept.has(entry)) return
    const { lastTransHash } = await chain.account(pending.to, head, signal)
    const isSame = after.get(accountText(pending.to))?.base === toHex(lastTransHash)
    if (isSame && !entry.isStale) return
    if (!isSame && (await isInBlock(chain, pending, signal))) {
      pending.committedAt = head.seqno
      found.committed(entry, head.seqno)
      return
    }
    try {
      const { message, to } = pending
      const anew = await emulateOn(kept, emulator, { message, to, at: head, now: now(), order }, signal)
      if (kept.replace(entry, anew.trace, anew.after)) found.changed(entry)
    } catch (error) {
      if (!(error instanceof EmulationError) || error.kind === 'time') throw error
      found.invalid(entry)
    }
  }

  const grouped = (entries: readonly Kept[]): Kept[][] => {
    const groups = new Map<string, Kept[]>()
    for (const entry of entries) {
      const key = accountText(entry.pending.to)
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [entry])
      else group.push(entry)
    }
    return [...groups.values()]
  }

  return {
    one,
    async all(entries, head, signal) {
      // With more traces than one go has room for, the next go begins where this one ends.
      const start = Math.max(
        0,
        entries.findIndex(({ order }) => order > last),
      )
      const chosen =
        entries.length <= AT_ONCE.traces ? entries : [...entries.slice(start), ...entries.slice(0, start)].slice(0, AT_ONCE.traces)
      last = chosen.at(-1)?.order ?? -1
      const groups = grouped(chosen)
      const run = async (): Promise<void> => {
        for (let group = groups.shift(); group !== undefined && !signal.aborted; group = groups.shift())
          for (const entry of group) await one(entry, head, signal).catch(() => {})
      }
      await Promise.all(Array.from({ length: AT_ONCE.accounts }, run))
    },
  }
}
