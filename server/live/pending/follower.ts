import { base64Of } from '../../actions/trace.ts'
import { createAbortController, settledWithin, withTimeout } from '../../base/abort.ts'
import type { Log } from '../../base/log.ts'
import { createDeferred } from '../../base/promises/deferred.ts'
import { mapWithPauses } from '../../base/yield.ts'
import type { Chain } from '../../chain/chain-port.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import type { OnHead } from '../../store/head/head-in-memory.ts'
import { sameBlock } from '../../tlb/ids.ts'
import type { PendingBoard } from './board.ts'
import type { Demand } from './demand.ts'
import { createPrepare, type PrepareDeps, type Prepared } from './emulate-sent.ts'
import { createAdopt } from './follow-from-signed-blocks.ts'
import { createFollowedTraces, FOLLOW_LIMITS, type FollowedTrace, type FollowedTraces, type PendingTrace } from './followed-traces.ts'
import { type FormatTrace, pack } from './published-trace.ts'
import { createReviewer } from './review-traces.ts'
import type { SignedTransactions } from './signed-transactions.ts'

/*
 * Follows messages that were sent and are in no block yet. A message is emulated when it is sent, on top of earlier pending traces, so that several
 * messages of one wallet in a row are all emulated successfully. With every new head, each trace whose account has changed is checked again. The results
 * are put on a board, from which the endpoints and the events read.
 */

/**
 * Maximum time that a trace can still be read as pending after all of its transactions are in blocks (ms), for readers whose index has not reached the last
 * block yet.
 */
const AFTER_COMMIT = 10_000
/** Maximum time that a message waits for its emulation to begin (ms). After this time the message is sent anyway. */
const PATIENCE = 50
/**
 * Maximum time that the sender waits until the trace can be read, as pending or in the index (ms). The first emulation after an idle time takes a few tenths
 * of a second.
 */
const PUBLISH_PATIENCE = 500
/** Maximum time of a check that does not wait for a head (ms). A trace that was not checked by then is checked with the next head. */
const CHECK_MS = 30_000
/** Maximum length of one trace's JSON, in characters. */
const MAX_PUBLISHED = 4 << 20

export interface FollowerDeps extends Pick<PrepareDeps, 'emulator' | 'now'> {
  readonly chain: Pick<Chain, 'head' | 'heads' | 'account' | 'transactions' | 'blockTransactions'>
  readonly format: FormatTrace
  /** Must resolve when the index has the masterchain block `seqno`. */
  readonly reached: (seqno: number, signal: AbortSignal) => Promise<void>
  /** Must call its argument after each change of the index, and when its database is back after it was away. */
  readonly onHead: OnHead
  readonly board: PendingBoard
  /** Transactions in signed shard blocks that no masterchain block has committed yet, whether or not their messages came through this process. */
  readonly signed: SignedTransactions
  readonly hasDemand: Demand['has']
  readonly log: Log
}

const normOf = ({ hashNorm }: PendingTrace): string => base64Of(hashNorm)

/** Returns whether a masterchain block has committed transactions of the trace. */
const isInBlocks = ({ pending, inBlocks }: FollowedTrace): boolean =>
  pending.committedAt !== undefined || (inBlocks !== undefined && inBlocks.signed.length === 0)

interface PublishingDeps extends Pick<FollowerDeps, 'format' | 'reached' | 'board' | 'log'> {
  readonly followed: FollowedTraces
  /** Called after a trace was formatted while the index could not be read. */
  readonly unreadable: () => void
  readonly closing: AbortSignal
}

/** Formats emulated traces and publishes them on the board, from which endpoints and events read. */
const createPublishing = ({ format, reached, board, log, followed, unreadable, closing }: PublishingDeps) => {
  const prepared = async (entry: FollowedTrace, trace: EmulatedTrace): Promise<Prepared> => {
    const { emulation } = entry.pending
    const published = await format(entry.pending, trace, closing)
    entry.lacksFacts = published.lacksFacts
    if (entry.lacksFacts) unreadable()
    return { entry, emulation, published, packed: await pack(published, MAX_PUBLISHED) }
  }
  const announce = async ({ entry, emulation, published, packed }: Prepared): Promise<void> => {
    if (!(await entry.sent) || !followed.has(entry) || entry.pending.emulation !== emulation) return
    // All transactions of the trace are in blocks by now, so the index has the trace or will have it soon.
    if (entry.pending.committedAt !== undefined) return
    const isTooMuch = packed === undefined || board.bytes() + packed.packed.length > FOLLOW_LIMITS.bytes
    // The trace is still valid, so it is still followed, and no listener gets `trace_invalidated`.
    if (isTooMuch) board.remove(normOf(entry.pending), false)
    else board.put(packed, published)
  }
  /** Resolves when readers see the trace of a sent message, as pending or in the index. */
  const visible = async (prepared: Prepared): Promise<void> => {
    await announce(prepared)
    const { committedAt } = prepared.entry.pending
    if (committedAt === undefined) return
    await withTimeout(closing, PUBLISH_PATIENCE, (signal) => reached(committedAt, signal))
  }
  const notShown = (error: Error): void => {
    if (!closing.aborted) log.warn('pending.not_shown', { text: error.message })
  }
  /** Publishes a trace that was emulated again. Resolves when the emulation is not needed any more, which may be before the message is sent. Never rejects. */
  const publishAgain = (entry: FollowedTrace, trace: EmulatedTrace): Promise<void> =>
    prepared(entry, trace).then((made) => void announce(made).catch(notShown), notShown)
  return { prepared, announce, visible, publishAgain }
}

interface IndexReturnDeps extends Pick<FollowerDeps, 'onHead'> {
  readonly followed: FollowedTraces
  readonly review: (entries: readonly FollowedTrace[], signal: AbortSignal) => Promise<void>
  readonly closing: AbortSignal
}

/**
 * Emulates and formats traces again that lack facts from the index, once the index can be read. Emulated traces are not retained for this, because they take
 * much memory. Nothing is tried until the index changes, so that a database that is away costs nothing.
 */
const createIndexReturn = ({ onHead, followed, review, closing }: IndexReturnDeps) => {
  let stop: (() => void) | undefined
  const onReturn = (): void => {
    close()
    const entries = followed.all().filter(({ lacksFacts }) => lacksFacts)
    for (const entry of entries) entry.isStale = true
    void withTimeout(closing, CHECK_MS, (signal) => review(entries, signal)).catch(() => {})
  }
  const close = (): void => {
    stop?.()
    stop = undefined
  }
  return {
    wait(): void {
      if (!closing.aborted) stop ??= onHead(onReturn)
    },
    close,
  }
}

export const createFollower = (deps: FollowerDeps) => {
  const { chain, board } = deps
  const followed = createFollowedTraces()
  let orders = 0
  const nextOrder = (): number => orders++
  const closing = createAbortController()

  /** Returns whether the trace was followed. */
  const remove = (entry: FollowedTrace, isInvalid: boolean): boolean => {
    if (!followed.drop(entry)) return false
    board.remove(normOf(entry.pending), isInvalid)
    return true
  }
  const drop = (entry: FollowedTrace, isInvalid: boolean): void => {
    if (remove(entry, isInvalid) && isInvalid) followed.markAfter(entry)
  }

  const review = (entries: readonly FollowedTrace[], signal: AbortSignal): Promise<void> => reviewer.all(entries, chain.head().id, signal)
  const indexReturn = createIndexReturn({ ...deps, followed, review, closing: closing.signal })
  const publishing = createPublishing({ ...deps, followed, unreadable: indexReturn.wait, closing: closing.signal })
  const { prepared, announce, visible, publishAgain } = publishing
  const reviewer = createReviewer({
    ...deps,
    followed,
    committed(entry, seqno) {
      entry.leavesAt = Math.min(entry.leavesAt, performance.now() + AFTER_COMMIT)
      board.commit(normOf(entry.pending), seqno)
    },
    changed: publishAgain,
    invalid: (entry) => drop(entry, true),
    lost(entry) {
      if (entry.isAdopted) return drop(entry, true)
      // The message may get into a new block, so the trace is pending again.
      entry.inBlocks = undefined
      entry.isStale = true
      board.remove(normOf(entry.pending), true)
      followed.markAfter(entry)
    },
  })
  const followHeads = async (): Promise<void> => {
    let { epoch } = chain.head()
    for await (const head of chain.heads(closing.signal)) {
      // A revert drops messages that waited for a block, so their traces are invalid.
      if (head.epoch !== epoch) for (const entry of followed.all()) remove(entry, true)
      epoch = head.epoch
      await reviewer.all(followed.all(), head.id, closing.signal)
    }
  }
  // Fails when the chain is closed.
  followHeads().catch(() => {})
  const expiring = setInterval(() => {
    // Each may lead to all others: those that were emulated on top of it.
    void mapWithPauses(followed.expired(), (entry) => drop(entry, !isInBlocks(entry)))
  }, 1_000)
  expiring.unref()
  const prepare = createPrepare({
    ...deps,
    followed,
    hasRoom: () => board.bytes() < FOLLOW_LIMITS.bytes,
    nextOrder,
    prepared,
    add(entry) {
      followed.add(entry)
      const head = chain.head().id
      // The message may be in a block by now.
      if (!sameBlock(head, entry.pending.emulation.at))
        void withTimeout(closing.signal, CHECK_MS, (signal) => reviewer.one(entry, head, signal)).catch(() => {})
      void entry.sent.then((isSent) => {
        if (!isSent) drop(entry, true)
      })
    },
    closing: closing.signal,
  })

  const adopt = createAdopt({
    ...deps,
    followed,
    hasRoom: () => !followed.isFull() && board.bytes() < FOLLOW_LIMITS.bytes,
    nextOrder,
    head: () => chain.head().id,
    add: followed.add,
    review,
    closing: closing.signal,
  })

  return {
    /**
     * Call this when blocks were signed, committed by the masterchain, or lost, with the new transactions in signed blocks. Resolves when all traces that
     * changed are published again.
     */
    signedChanged: adopt,
    /**
     * Sends a message with `send` and follows it. The emulation begins on the current block, before the message is sent. An emulation that fails or takes long
     * does not delay the message.
     */
    async send(boc: Uint8Array, signal: AbortSignal, send: (boc: Uint8Array, signal: AbortSignal) => Promise<void>): Promise<void> {
      const { promise: sent, resolve: decide } = createDeferred<boolean>()
      // `send` reports what is wrong with a message. An error of the emulation must not prevent the message from being sent.
      const { begun, made } = prepare(boc, sent)
      const shown = made.then((prepared) => prepared && visible(prepared)).catch(() => {})
      await settledWithin(begun, PATIENCE)
      try {
        await send(boc, signal)
        decide(true)
      } catch (error) {
        decide(false)
        throw error
      }
      await settledWithin(shown, PUBLISH_PATIENCE)
    },
    /**
     * Follows a message that a different process has sent. Resolves when its trace is published, or when the message is not going to be followed. Never
     * rejects.
     */
    follow: (boc: Uint8Array): Promise<void> =>
      // A message that is already in a block, or that its account now refuses, cannot be emulated. Such a message is not followed.
      prepare(boc, Promise.resolve(true))
        .made.then((prepared) => prepared && announce(prepared))
        .catch(() => {}),
    close(): void {
      closing.abort()
      indexReturn.close()
      clearInterval(expiring)
    },
  }
}
