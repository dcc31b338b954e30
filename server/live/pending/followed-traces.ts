import { createGroups } from '../../base/memory/multi-map.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import { toHex } from '../../tlb/bytes.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import type { ShardAccount } from '../../tlb/state/shard-account.ts'
import type { InBlocks } from './in-blocks.ts'

/**
 * Summary of an emulation that is retained after its trace is published. Its transactions are not retained, because thousands of traces may be pending:
 * parsed transactions take 20 KB for a transfer, ten times as much as the compressed JSON that is published.
 */
export interface Emulation {
  /** The masterchain block on whose state the emulation began. */
  readonly at: BlockId
  /** Number of transactions, including those that are in blocks. */
  readonly count: number
  /** Lt of the account's last transaction before the first transaction of the trace. */
  readonly afterLt: bigint
}

export const emulationOf = ({ at, nodes }: Pick<EmulatedTrace, 'at' | 'nodes'>): Emulation => ({
  at,
  count: nodes.length,
  afterLt: nodes[0]!.transaction.prevTransLt,
})

/** A trace that is followed until all of its transactions are in blocks. */
export interface PendingTrace {
  /** Hash of the message as it was sent (`hash`) and in its normal form (`hashNorm`, TEP-467); 32 one-byte characters. */
  readonly hash: string
  readonly hashNorm: string
  /** The message as a BoC in one-byte characters, which take less memory than parsed cells. */
  readonly boc: string
  /** Receiver of the message, as a string that `accountOf` parses. An id in a Uint8Array would take 270 bytes. */
  readonly to: string
  emulation: Emulation
  /** Seqno of the masterchain block by which all transactions of the trace are in blocks. undefined until then. */
  committedAt: number | undefined
}

export const accountOf = (text: string): AccountId => {
  const end = text.indexOf(':')
  return { workchain: Number(text.slice(0, end)), hash: Uint8Array.from(Buffer.from(text.slice(end + 1), 'hex')) }
}

export const accountText = ({ workchain, hash }: AccountId): string => `${workchain}:${toHex(hash)}`

/** State of an account after a trace. */
export interface AccountAfter extends ShardAccount {
  /** The account as a string of `accountText`. */
  readonly account: string
  /** Hash of the account's last transaction in the block on which the emulation began. */
  readonly base: string
}
/** One entry for each account of the trace. An array, because a Map would take as much memory as the entries themselves. */
export type StatesAfter = readonly AccountAfter[]

/** `account`: a string of `accountText`. */
export const accountIn = (after: StatesAfter, account: string): AccountAfter | undefined => after.find((each) => each.account === account)

/** A pending trace, and the states of accounts on which later traces are emulated. */
export interface FollowedTrace {
  readonly pending: PendingTrace
  /** A number that grows with each sent message. */
  readonly order: number
  /** Resolves with true if the network accepted the message. The trace is published only then. */
  readonly sent: Promise<boolean>
  after: StatesAfter
  leavesAt: number
  /** True if the trace must be emulated again, for example because it was emulated on an earlier trace that is gone. */
  isStale: boolean
  /** True if the trace was formatted while the index could not be read. */
  lacksFacts: boolean
  /** The part of the trace that was found in blocks; undefined while its message is in no block. */
  inBlocks: InBlocks | undefined
  /** True if the trace was found in a signed block and its message did not come through this process. If that block is lost, the trace is dropped. */
  readonly isAdopted: boolean
}

/** Maximum number of traces, of transactions of all traces together, of bytes of their JSON, and how long a trace is followed (ms). */
export const FOLLOW_LIMITS = { traces: 10_000, transactions: 40_000, bytes: 64 << 20, ms: 60_000 } as const

export const createFollowedTraces = () => {
  /** In ascending order of `order`. */
  const traces = new Set<FollowedTrace>()
  const byHash = new Map<string, FollowedTrace>()
  const byAccount = createGroups<FollowedTrace>()
  let transactions = 0

  const unlist = (entry: FollowedTrace): void => {
    for (const { account } of entry.after) byAccount.delete(account, entry)
    transactions -= entry.pending.emulation.count
  }
  const list = (entry: FollowedTrace): void => {
    for (const { account } of entry.after) byAccount.add(account, entry)
    transactions += entry.pending.emulation.count
  }
  return {
    add: (entry: FollowedTrace): void => {
      traces.add(entry)
      byHash.set(entry.pending.hash, entry)
      byHash.set(entry.pending.hashNorm, entry)
      list(entry)
    },
    /** Returns whether the entry was there. */
    drop: (entry: FollowedTrace): boolean => {
      if (!traces.delete(entry)) return false
      unlist(entry)
      for (const hash of [entry.pending.hash, entry.pending.hashNorm]) if (byHash.get(hash) === entry) byHash.delete(hash)
      return true
    },
    /** Replaces the emulation of an entry. Returns false and changes nothing if the entry is gone, or if there is no room for a longer trace. */
    replace: (entry: FollowedTrace, emulation: Emulation, after: StatesAfter): boolean => {
      if (!traces.has(entry)) return false
      const more = emulation.count - entry.pending.emulation.count
      if (more > 0 && transactions + more > FOLLOW_LIMITS.transactions) return false
      unlist(entry)
      entry.pending.emulation = emulation
      entry.after = after
      entry.isStale = false
      list(entry)
      return true
    },
    has: (entry: FollowedTrace): boolean => traces.has(entry),
    all: (): readonly FollowedTrace[] => [...traces],
    size: (): number => traces.size,
    isFull: (): boolean => traces.size >= FOLLOW_LIMITS.traces || transactions >= FOLLOW_LIMITS.transactions,
    ofMessage: (hash: string): FollowedTrace | undefined => byHash.get(hash),
    /** In ascending order of `order`. */
    ofAccount: (key: string): readonly FollowedTrace[] => [...byAccount.of(key)].sort((a, b) => a.order - b.order),
    /** Marks the traces that were emulated on top of a trace that is gone as stale. They are emulated again with the next head. */
    markAfter({ order, after }: FollowedTrace): void {
      for (const { account } of after) for (const entry of byAccount.of(account)) if (entry.order > order) entry.isStale = true
    },
    expired: (): readonly FollowedTrace[] => {
      const time = performance.now()
      return [...traces].filter(({ leavesAt }) => leavesAt <= time)
    },
  }
}
export type FollowedTraces = ReturnType<typeof createFollowedTraces>
