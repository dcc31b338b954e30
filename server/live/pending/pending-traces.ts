import { setTimeout as sleep } from 'node:timers/promises'
import { createPermits } from '../../base/permits.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Chain } from '../../chain/types.ts'
import type { Emulator } from '../../emulate/engine.ts'
import { EmulationError } from '../../emulate/error.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import { accountIdOf } from '../../tlb/address.ts'
import { toHex } from '../../tlb/block-id.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import { loadMessage, normalizedHash } from '../../tlb/message/message.ts'
import type { ShardAccount } from '../../tlb/state/shard-account.ts'

/*
 * Traces of messages that this process has sent and that are in no block yet. A message is emulated when it is sent, on top of the pending traces
 * before it, so that several messages of one wallet in a row are all seen. With every new head each trace whose first account has changed is looked
 * at again: its message is in a block, or the trace is emulated anew, or another message took its place.
 */

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

export interface PendingTraces {
  /**
   * Sends a message by `send` and follows it. The emulation begins before the message leaves, because on the embedded chain it is in a block a
   * moment later. An emulation that fails or takes long does not hold the message back.
   */
  send(boc: Uint8Array, signal: AbortSignal, send: (boc: Uint8Array, signal: AbortSignal) => Promise<void>): Promise<void>
  /** Traces that touch an account, newest first. `key`: of accountText. */
  ofAccount(key: string): readonly PendingTrace[]
  /** The trace of a message, by its hash or its normalized hash. */
  ofMessage(hash: string): PendingTrace | undefined
}

/** Most traces, and most cells' worth of transactions, at a time; how long a trace is kept, ms. */
const MOST = { traces: 10_000, transactions: 40_000, ms: 60_000 } as const
/** Messages to one account in ten seconds that are followed. */
const FLOOD = { most: 20, ms: 10_000 } as const
/** A trace that is in a block stays this long at most, for readers whose index has not come to the block yet, ms. */
const AFTER_COMMIT = 10_000
/** How long a message waits for its emulation before it leaves, ms. A longer one ends after it has left. */
const PATIENCE = 50
/** Transactions of an account in which its message is looked for. */
const LOOKED_AT = 16

export const accountText = ({ workchain, hash }: AccountId): string => `${workchain}:${toHex(hash)}`

interface Kept {
  readonly pending: PendingTrace
  /** Accounts by text: their state after the trace, and the hash of their last transaction in the block that the emulation began with. */
  readonly after: Map<string, { readonly state: ShardAccount; readonly base: string }>
  leavesAt: number
}

export interface PendingDeps {
  readonly chain: Pick<Chain, 'head' | 'heads' | 'account' | 'transactions'>
  readonly emulator: Emulator
  /** Unix seconds. */
  readonly now: () => number
}

export const createPendingTraces = ({ chain, emulator, now }: PendingDeps): PendingTraces => {
  /** In the order in which they were sent. */
  const kept = new Set<Kept>()
  const byHash = new Map<string, Kept>()
  const byAccount = new Map<string, Set<Kept>>()
  const lately = new Map<string, number[]>()
  const permits = createPermits({ atOnce: 8, waiting: 0, patience: 1_000, text: 'too many messages are emulated at once' })
  let transactions = 0
  let following = false
  let epoch = chain.head().epoch

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

  /** Emulates a message on the traces sent before it (all of them, unless it is one of them). */
  const emulate = async (message: Cell, at: BlockId, self: Kept | undefined, signal: AbortSignal) => {
    const bases = new Map<string, string>()
    const before: Kept[] = []
    for (const entry of kept) {
      if (entry === self) break
      if (entry.pending.committedAt === undefined) before.push(entry)
    }
    const stateOf = (id: AccountId, inBlock: ShardAccount): ShardAccount | undefined => {
      const key = accountText(id)
      const base = toHex(inBlock.lastTransHash)
      bases.set(key, base)
      const known = byAccount.get(key)
      if (known === undefined) return undefined
      const last = before.findLast((entry) => known.has(entry) && entry.after.get(key)?.base === base)
      return last?.after.get(key)!.state
    }
    const trace = await emulator.trace({ starts: [{ message }], at, now: now(), stateOf }, signal)
    const after: Kept['after'] = new Map()
    for (const node of trace.nodes) {
      const key = accountText(node.account)
      after.set(key, { state: node.after, base: bases.get(key)! })
    }
    return { trace, after }
  }

  const expire = (): void => {
    const time = performance.now()
    for (const entry of kept) if (entry.leavesAt <= time) drop(entry)
  }

  /** Whether the message is among the newest transactions of its account. */
  const isInBlock = async ({ pending }: Kept, signal: AbortSignal): Promise<boolean> => {
    const toLt = pending.trace.nodes[0]!.transaction.prevTransLt
    const query = { from: undefined, limit: LOOKED_AT, toLt }
    const { transactions: found } = await chain.transactions(pending.to, query, signal)
    return found.some(({ transaction: { inMsg } }) => {
      if (inMsg === undefined || inMsg.info.type !== 'external-in') return false
      return inMsg.root.hashKey() === pending.hash || Buffer.from(normalizedHash(inMsg)).toString('latin1') === pending.hashNorm
    })
  }

  /** Looks at a trace again after a new head. */
  const review = async (entry: Kept, head: BlockId, signal: AbortSignal): Promise<void> => {
    const { pending, after } = entry
    if (pending.committedAt !== undefined) return
    const { lastTransHash } = await chain.account(pending.to, head, signal)
    if (after.get(accountText(pending.to))?.base === toHex(lastTransHash)) return
    if (await isInBlock(entry, signal)) {
      pending.committedAt = head.seqno
      entry.leavesAt = Math.min(entry.leavesAt, performance.now() + AFTER_COMMIT)
      return
    }
    try {
      const anew = await emulate(pending.message, head, entry, signal)
      if (!kept.has(entry)) return
      unlist(entry)
      pending.trace = anew.trace
      after.clear()
      for (const [key, state] of anew.after) after.set(key, state)
      list(entry)
    } catch (error) {
      // Another message took its place.
      if (error instanceof EmulationError) drop(entry)
      else throw error
    }
  }

  const follow = async (): Promise<void> => {
    const stop = new AbortController()
    const timer = setInterval(() => {
      expire()
      if (kept.size === 0) stop.abort()
    }, 1_000)
    timer.unref()
    try {
      for await (const head of chain.heads(stop.signal)) {
        // What waited for a block was dropped with the blocks that a revert undid.
        if (head.epoch !== epoch) for (const entry of [...kept]) drop(entry)
        epoch = head.epoch
        for (const entry of [...kept]) if (kept.has(entry)) await review(entry, head.id, stop.signal).catch(() => {})
      }
    } catch {
      // The chain is closed, or its source is away: what is pending expires.
    } finally {
      clearInterval(timer)
      if (!stop.signal.aborted) for (const entry of [...kept]) drop(entry)
      // A message may have come while the last one went.
      following = kept.size > 0
      if (following) void follow()
    }
  }

  const isFlood = (key: string): boolean => {
    const time = performance.now()
    const times = (lately.get(key) ?? []).filter((at) => at > time - FLOOD.ms)
    if (lately.size > MOST.traces) lately.clear()
    lately.set(key, [...times, time])
    return times.length >= FLOOD.most
  }

  /** The entry of a message before it is sent; undefined where it is not followed. */
  const prepare = async (boc: Uint8Array, signal: AbortSignal): Promise<Kept | undefined> => {
    try {
      const root = parseBocRoot(boc)
      const message = loadMessage(root)
      const { info } = message
      if (info.type !== 'external-in') return undefined
      const id = accountIdOf(info.dest)
      if (id === undefined) return undefined
      const to = { workchain: info.dest.workchain, hash: id }
      const hash = root.hashKey()
      const hashNorm = Buffer.from(normalizedHash(message)).toString('latin1')
      const isFull = kept.size >= MOST.traces || transactions >= MOST.transactions
      if (byHash.has(hashNorm) || isFull || isFlood(accountText(to))) return undefined
      const release = await permits.take(signal)
      try {
        const { trace, after } = await emulate(root, chain.head().id, undefined, signal)
        const pending: PendingTrace = { hash, hashNorm, message: root, to, trace, committedAt: undefined }
        return { pending, after, leavesAt: performance.now() + MOST.ms }
      } finally {
        release()
      }
    } catch {
      // The chain tells the sender what is wrong with a message. What fails here must not keep it from being sent.
      return undefined
    }
  }

  const add = (entry: Kept): void => {
    if (byHash.has(entry.pending.hashNorm)) return
    kept.add(entry)
    byHash.set(entry.pending.hash, entry)
    byHash.set(entry.pending.hashNorm, entry)
    list(entry)
    if (following) return
    following = true
    void follow()
  }

  return {
    async send(boc, signal, send) {
      const preparing = prepare(boc, AbortSignal.timeout(MOST.ms))
      const early = await Promise.race([preparing, sleep(PATIENCE, undefined, { ref: false })])
      if (early !== undefined) add(early)
      try {
        await send(boc, signal)
      } catch (error) {
        if (early !== undefined) drop(early)
        throw error
      }
      if (early !== undefined) return
      void preparing.then(async (late) => {
        if (late === undefined) return
        add(late)
        // It may be in a block by now.
        if (kept.has(late)) await review(late, chain.head().id, AbortSignal.timeout(MOST.ms)).catch(() => {})
      })
    },
    ofAccount: (key) => [...(byAccount.get(key) ?? [])].map(({ pending }) => pending).reverse(),
    ofMessage: (hash) => byHash.get(hash)?.pending,
  }
}
