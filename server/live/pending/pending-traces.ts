import { setTimeout as sleep } from 'node:timers/promises'
import { createPermits } from '../../base/permits.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import type { Chain } from '../../chain/types.ts'
import type { Emulator } from '../../emulate/engine.ts'
import { EmulationError } from '../../emulate/error.ts'
import { accountIdOf } from '../../tlb/address.ts'
import { toHex } from '../../tlb/block-id.ts'
import type { BlockId } from '../../tlb/ids.ts'
import { loadMessage, normalizedHash } from '../../tlb/message/message.ts'
import { emulateOn, isInBlock } from './emulate-on.ts'
import { accountText, createKeptTraces, type Kept, MOST, type PendingTrace } from './kept-traces.ts'

/*
 * Traces of messages that this process has sent and that are in no block yet. A message is emulated when it is sent, on top of the pending traces
 * before it, so that several messages of one wallet in a row are all seen. With every new head each trace whose first account has changed is looked
 * at again: its message is in a block, or the trace is emulated anew, or another message took its place.
 */

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

/** Messages to one account in ten seconds that are followed. */
const FLOOD = { most: 20, ms: 10_000 } as const
/** A trace that is in a block stays this long at most, for readers whose index has not come to the block yet, ms. */
const AFTER_COMMIT = 10_000
/** How long a message waits for its emulation before it leaves, ms. A longer one ends after it has left. */
const PATIENCE = 50

export interface PendingDeps {
  readonly chain: Pick<Chain, 'head' | 'heads' | 'account' | 'transactions'>
  readonly emulator: Emulator
  /** Unix seconds. */
  readonly now: () => number
}

/** Tells whether an account has been sent too many messages lately. Counts only those that are followed. */
const createFloodGuard = (): ((key: string) => boolean) => {
  const lately = new Map<string, number[]>()
  return (key) => {
    const time = performance.now()
    const times = (lately.get(key) ?? []).filter((at) => at > time - FLOOD.ms)
    if (times.length >= FLOOD.most) return true
    if (lately.size > MOST.traces) lately.clear()
    lately.set(key, [...times, time])
    return false
  }
}

export const createPendingTraces = ({ chain, emulator, now }: PendingDeps): PendingTraces => {
  const kept = createKeptTraces()
  const isFlood = createFloodGuard()
  const permits = createPermits({ atOnce: 8, waiting: 256, patience: 1_000, text: 'too many messages are emulated at once' })
  let following = false
  let epoch = chain.head().epoch

  /** Looks at a trace again after a new head. */
  const review = async (entry: Kept, head: BlockId, signal: AbortSignal): Promise<void> => {
    const { pending, after } = entry
    if (pending.committedAt !== undefined) return
    const { lastTransHash } = await chain.account(pending.to, head, signal)
    if (after.get(accountText(pending.to))?.base === toHex(lastTransHash)) return
    if (await isInBlock(chain, pending, signal)) {
      pending.committedAt = head.seqno
      entry.leavesAt = Math.min(entry.leavesAt, performance.now() + AFTER_COMMIT)
      return
    }
    try {
      const anew = await emulateOn(kept, emulator, { message: pending.message, at: head, now: now(), self: entry }, signal)
      kept.replace(entry, anew.trace, anew.after)
    } catch (error) {
      // Another message took its place.
      if (error instanceof EmulationError && error.kind !== 'time') kept.drop(entry)
      else throw error
    }
  }

  const follow = async (): Promise<void> => {
    const stop = new AbortController()
    const timer = setInterval(() => {
      kept.expire()
      if (kept.size() === 0) stop.abort()
    }, 1_000)
    timer.unref()
    try {
      for await (const head of chain.heads(stop.signal)) {
        // What waited for a block was dropped with the blocks that a revert undid.
        if (head.epoch !== epoch) for (const entry of kept.all()) kept.drop(entry)
        epoch = head.epoch
        for (const entry of kept.all()) if (kept.has(entry)) await review(entry, head.id, stop.signal).catch(() => {})
      }
    } catch {
      // The chain is closed, or its source is away: what is pending expires.
    } finally {
      clearInterval(timer)
      if (!stop.signal.aborted) for (const entry of kept.all()) kept.drop(entry)
      // A message may have come while the last one went.
      following = kept.size() > 0
      if (following) void follow()
    }
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
      if (kept.ofMessage(hashNorm) !== undefined || kept.isFull() || isFlood(accountText(to))) return undefined
      const release = await permits.take(signal)
      try {
        const { trace, after } = await emulateOn(
          kept,
          emulator,
          { message: root, at: chain.head().id, now: now(), self: undefined },
          signal,
        )
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
    if (kept.ofMessage(entry.pending.hashNorm) !== undefined) return
    kept.add(entry)
    if (following) return
    following = true
    // While nothing was followed the chain may have gone back; that undid nothing of this trace.
    epoch = chain.head().epoch
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
        if (early !== undefined) kept.drop(early)
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
    ofAccount: (key) => [...(kept.ofAccount(key) ?? [])].map(({ pending }) => pending).reverse(),
    ofMessage: (hash) => kept.ofMessage(hash)?.pending,
  }
}
