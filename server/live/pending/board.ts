import { createGroups } from '../../base/memory/multi-map.ts'
import type { PackedTrace, PublishedTrace } from './published-trace.ts'

/* The pending traces that endpoints and events read. */

export interface Posted extends PackedTrace {
  /** Seqno of the masterchain block by which all transactions of the trace are in blocks. undefined until then. */
  readonly committedAt: number | undefined
}

/** Called after a change of the board. `isInvalid`: the trace will not happen as it was published. */
interface BoardEvents {
  published(trace: PublishedTrace, accounts: readonly string[]): void
  removed(hashNorm: string, isInvalid: boolean): void
}

export type PendingBoard = ReturnType<typeof createBoard>

export const createBoard = ({ published, removed }: BoardEvents) => {
  const posted = new Map<string, Posted>()
  const norms = new Map<string, string>()
  const byAccount = createGroups<string>()
  let bytes = 0

  const drop = (hashNorm: string): boolean => {
    const entry = posted.get(hashNorm)
    if (entry === undefined) return false
    posted.delete(hashNorm)
    if (norms.get(entry.hash) === hashNorm) norms.delete(entry.hash)
    for (const account of entry.accounts) byAccount.delete(account, hashNorm)
    bytes -= entry.packed.length
    return true
  }
  return {
    /** Adds a trace, or replaces it. `trace`: the same trace, which is not stored. */
    put(packed: PackedTrace, trace: PublishedTrace): void {
      const { hash, hashNorm, accounts } = packed
      const before = posted.get(hashNorm)
      if (before?.packed.equals(packed.packed)) return
      drop(hashNorm)
      posted.set(hashNorm, { ...packed, committedAt: before?.committedAt })
      norms.set(hash, hashNorm)
      for (const account of accounts) byAccount.add(account, hashNorm)
      bytes += packed.packed.length
      published(trace, accounts)
    },
    /** All transactions of the trace are in blocks; `seqno`: the masterchain block of the last one. */
    commit(hashNorm: string, seqno: number): void {
      const entry = posted.get(hashNorm)
      if (entry !== undefined) posted.set(hashNorm, { ...entry, committedAt: seqno })
    },
    /** Removes a trace that is not followed any more. */
    remove(hashNorm: string, isInvalid: boolean): void {
      if (drop(hashNorm)) removed(hashNorm, isInvalid)
    },
    /** Traces that touch an account (raw address in upper case), newest first. */
    ofAccount: (account: string): readonly Posted[] =>
      byAccount
        .of(account)
        .flatMap((hash) => posted.get(hash) ?? [])
        .reverse(),
    /** The trace of a message, by its hash or its normalized hash (base64). */
    ofMessage: (hash: string): Posted | undefined => posted.get(hash) ?? posted.get(norms.get(hash) ?? ''),
    size: (): number => posted.size,
    bytes: (): number => bytes,
  }
}
