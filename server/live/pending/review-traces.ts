import { byteText } from '../../base/memory/byte-text.ts'
import { createGroups } from '../../base/memory/multi-map.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import { isFinal } from '../../emulate/error.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import { createEmulateRest, type EmulateRestDeps } from './emulate-rest.ts'
import { accountIn, accountOf, accountText, type FollowedTrace } from './followed-traces.ts'
import { beginInBlocks, findRoot, followInBlocks, type InBlocks, type OnItsWay } from './in-blocks.ts'
import type { SignedTransactions } from './signed-transactions.ts'
import { createReceived, type Received, type ReceivedSource } from './transactions-by-message.ts'

/*
 * Checks traces again when the state before them changes: because the message is in a block, because an earlier trace is emulated again, or because another
 * message was accepted instead. If a trace began in a block, its undelivered messages are emulated again on the state after that block.
 */

/** Maximum number of traces that are checked with one head, and of accounts whose traces are checked at the same time. */
const AT_ONCE = { traces: 1_024, accounts: 8 } as const

export interface ReviewDeps extends EmulateRestDeps {
  readonly chain: ReceivedSource
  readonly signed: SignedTransactions
  /** Called when all of the trace was found in blocks. */
  readonly committed: (entry: FollowedTrace, seqno: number) => void
  /** Called when the account does not accept the message any more, for example because another message was accepted instead. */
  readonly invalid: (entry: FollowedTrace) => void
  /** Called when a block in which a part of the trace was found is lost. */
  readonly lost: (entry: FollowedTrace) => void
}

type Check = (entry: FollowedTrace, received: Received, signal: AbortSignal) => Promise<void>

/** Runs the checks of one trace one after the other: a head and a signed block may start two checks at the same time. */
const createTurns = (check: Check): Check => {
  const running = new WeakMap<FollowedTrace, Promise<unknown>>()
  return (entry, received, signal) => {
    const before = running.get(entry) ?? Promise.resolve()
    const checked = before.then(() => check(entry, received, signal))
    running.set(
      entry,
      checked.catch(() => {}),
    )
    return checked
  }
}

export const createReviewer = ({ chain, emulator, now, followed, signed, ...found }: ReviewDeps) => {
  /** The order of the last trace that was checked. */
  let last = -1

  const isMoved = async ({ after }: FollowedTrace, to: AccountId, head: BlockId, signal: AbortSignal): Promise<boolean> => {
    const { lastTransHash } = await chain.account(to, head, signal)
    return accountIn(after, accountText(to))?.base !== byteText(lastTransHash, 'latin1')
  }

  const emulate = createEmulateRest({ chain, emulator, now, followed, changed: found.changed })

  /** Checks a trace whose message is in a block: the rest of the trace is searched in later blocks. */
  const tail = async (entry: FollowedTrace, from: InBlocks, received: Received, signal: AbortSignal): Promise<void> => {
    const { at: head } = received
    const inBlocks = await followInBlocks(received, from)
    entry.inBlocks = inBlocks
    if (inBlocks.open.length === 0 && !isSigned(inBlocks)) return commit(entry, head)
    // Until it is emulated again, the published trace differs from the blocks.
    entry.isStale = true
    const starts = inBlocks.open.map(({ message, parent }) => ({ message, depth: parent.depth + 1 }))
    await emulate(entry, starts, head, signal)
  }
  const isSigned = (inBlocks: InBlocks): boolean => inBlocks.signed.some(signed.isSigned)
  const commit = (entry: FollowedTrace, head: BlockId): void => {
    // A block may have been committed by a later head than the one that this check began with.
    const seqno = Math.max(head.seqno, ...(entry.inBlocks?.nodes ?? []).map(({ mcSeqno }) => mcSeqno))
    entry.pending.committedAt = seqno
    // Released, because parsed transactions take more memory than the rest of the entry.
    entry.inBlocks = undefined
    found.committed(entry, seqno)
  }

  /** Returns whether a signed block received the message, or the receiver's state has changed. */
  const isReceived = async (entry: FollowedTrace, { message, to }: OnItsWay, head: BlockId, signal: AbortSignal): Promise<boolean> =>
    signed.receiver(message.hashKey()) !== undefined || (await isMoved(entry, to, head, signal))

  const check = async (entry: FollowedTrace, received: Received, signal: AbortSignal): Promise<void> => {
    const { pending } = entry
    const { at: head } = received
    if (pending.committedAt !== undefined || !followed.has(entry)) return
    if (entry.inBlocks?.signed.some(signed.isLost)) found.lost(entry)
    if (!followed.has(entry)) return
    const { inBlocks } = entry
    if (inBlocks !== undefined) {
      inBlocks.signed = inBlocks.signed.filter(signed.isSigned)
      const moved = await Promise.all(inBlocks.open.map((each) => isReceived(entry, each, head, signal)))
      const isDone = inBlocks.open.length === 0 && !isSigned(inBlocks)
      if (followed.has(entry) && (entry.isStale || isDone || moved.includes(true))) await tail(entry, inBlocks, received, signal)
      return
    }
    const isInSigned = [pending.hash, pending.hashNorm].some((hash) => signed.receiver(hash) !== undefined)
    const isRootMoved = isInSigned || (await isMoved(entry, accountOf(pending.to), head, signal))
    // The trace may have been dropped by now.
    if (!followed.has(entry) || (!isRootMoved && !entry.isStale)) return
    const root = isRootMoved ? await findRoot(received, pending) : undefined
    if (root !== undefined) return await tail(entry, beginInBlocks(root, accountOf(pending.to), head.seqno), received, signal)
    try {
      await emulate(entry, [{ message: parseBocRoot(Buffer.from(pending.boc, 'latin1')) }], head, signal)
    } catch (error) {
      if (!isFinal(error)) throw error
      found.invalid(entry)
    }
  }

  const inTurn = createTurns(check)

  return {
    /** Checks one trace. Rejects if the chain cannot be read. */
    one: (entry: FollowedTrace, head: BlockId, signal: AbortSignal): Promise<void> =>
      inTurn(entry, createReceived(chain, head, signal, signed), signal),
    /** Checks these traces, those of one account in the order in which they were sent. A trace that cannot be checked now is checked with the next head. */
    async all(entries: readonly FollowedTrace[], head: BlockId, signal: AbortSignal): Promise<void> {
      // If there are more traces than one check may have, the next check continues after the last trace of this check.
      const start = Math.max(
        0,
        entries.findIndex(({ order }) => order > last),
      )
      const chosen =
        entries.length <= AT_ONCE.traces ? entries : [...entries.slice(start), ...entries.slice(0, start)].slice(0, AT_ONCE.traces)
      if (chosen !== entries) last = chosen.at(-1)!.order
      const byReceiver = createGroups<FollowedTrace>()
      for (const entry of chosen) byReceiver.add(entry.pending.to, entry)
      const accounts = [...byReceiver]
      const received = createReceived(chain, head, signal, signed)
      const run = async (): Promise<void> => {
        for (let account = accounts.shift(); account !== undefined && !signal.aborted; account = accounts.shift())
          for (const entry of byReceiver.of(account)) await inTurn(entry, received, signal).catch(() => {})
      }
      await Promise.all(Array.from({ length: AT_ONCE.accounts }, run))
    },
  }
}
