import type { Cell } from '../../cell/cell.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import { toHex } from '../../tlb/block-id.ts'
import type { AccountId } from '../../tlb/ids.ts'
import type { ShardAccount } from '../../tlb/state/shard-account.ts'

/* The pending traces of a process, found by message and by account. */

/** A trace that is expected. */
export interface PendingTrace {
  /** Hash of the message as it was sent, and in its normal form (TEP-467); 32 one-byte characters. */
  readonly hash: string
  readonly hashNorm: string
  readonly message: Cell
  /** The account that the message is for. */
  readonly to: AccountId
  trace: EmulatedTrace
  /** The masterchain block in which the message was found; undefined while it is in none. */
  committedAt: number | undefined
}

export const accountText = ({ workchain, hash }: AccountId): string => `${workchain}:${toHex(hash)}`

/** A pending trace with what the traces after it are emulated on. */
export interface Kept {
  readonly pending: PendingTrace
  /** Accounts by text: their state after the trace, and the hash of their last transaction in the block that the emulation began with. */
  after: ReadonlyMap<string, { readonly state: ShardAccount; readonly base: string }>
  leavesAt: number
}

/** Most traces, and most transactions of all of them, at a time; how long a trace is kept, ms. */
export const MOST = { traces: 10_000, transactions: 40_000, ms: 60_000 } as const

export const createKeptTraces = () => {
  /** In the order in which they were sent. */
  const kept = new Set<Kept>()
  const byHash = new Map<string, Kept>()
  const byAccount = new Map<string, Set<Kept>>()
  let transactions = 0

  const unlist = (entry: Kept): void => {
    for (const key of entry.after.keys()) {
      byAccount.get(key)?.delete(entry)
      if (byAccount.get(key)?.size === 0) byAccount.delete(key)
    }
    transactions -= entry.pending.trace.nodes.length
  }
  const list = (entry: Kept): void => {
    for (const key of entry.after.keys()) byAccount.set(key, (byAccount.get(key) ?? new Set()).add(entry))
    transactions += entry.pending.trace.nodes.length
  }
  const drop = (entry: Kept): void => {
    if (!kept.delete(entry)) return
    unlist(entry)
    for (const hash of [entry.pending.hash, entry.pending.hashNorm]) if (byHash.get(hash) === entry) byHash.delete(hash)
  }
  return {
    add: (entry: Kept): void => {
      kept.add(entry)
      byHash.set(entry.pending.hash, entry)
      byHash.set(entry.pending.hashNorm, entry)
      list(entry)
    },
    drop,
    /** Puts another emulation in the place of the one that an entry has. */
    replace: (entry: Kept, trace: EmulatedTrace, after: Kept['after']): void => {
      if (!kept.has(entry)) return
      unlist(entry)
      entry.pending.trace = trace
      entry.after = after
      list(entry)
    },
    has: (entry: Kept): boolean => kept.has(entry),
    all: (): readonly Kept[] => [...kept],
    size: (): number => kept.size,
    isFull: (): boolean => kept.size >= MOST.traces || transactions >= MOST.transactions,
    ofMessage: (hash: string): Kept | undefined => byHash.get(hash),
    ofAccount: (key: string): ReadonlySet<Kept> | undefined => byAccount.get(key),
    expire: (): void => {
      const time = performance.now()
      for (const entry of kept) if (entry.leavesAt <= time) drop(entry)
    },
  }
}
export type KeptTraces = ReturnType<typeof createKeptTraces>
