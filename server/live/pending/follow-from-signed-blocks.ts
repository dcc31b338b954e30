import { formatRaw } from '../../../shared/fields/address.ts'
import { base64Of } from '../../actions/trace.ts'
import { withTimeout } from '../../base/abort.ts'
import { createPermits } from '../../base/permits.ts'
import { createPauses } from '../../base/yield.ts'
import type { BlockId } from '../../tlb/ids.ts'
import type { Demand } from './demand.ts'
import type { PrepareDeps } from './emulate-sent.ts'
import { accountText, emulationOf, FOLLOW_LIMITS, type FollowedTrace } from './followed-traces.ts'
import { beginInBlocks } from './in-blocks.ts'
import type { SignedTransaction, SignedTransactions } from './signed-transactions.ts'

/* Follows traces of messages that did not come through this service. Each is found by its first transaction in a signed block. */

const MAX_NEW = 256
/** Maximum number of calls that run at a time, and milliseconds after which a call ends. The chain may answer slowly, or never. */
const RUNS = { atOnce: 8, waiting: 1, patience: 2 ** 31 - 1, text: 'the signed blocks are not read' } as const
const RUN_MS = 30_000

export interface AdoptDeps extends Pick<PrepareDeps, 'followed' | 'hasRoom' | 'nextOrder' | 'add' | 'closing'> {
  readonly signed: SignedTransactions
  readonly hasDemand: Demand['has']
  readonly head: () => BlockId
  /** Checks traces. The returned promise must resolve when the traces are published again. */
  readonly review: (entries: readonly FollowedTrace[], signal: AbortSignal) => Promise<void>
}

/** Returns the hash by which a trace is found: that of its external message, or of its first transaction if no external message began the trace. */
const hashOf = ({ isExternal, received: [hash], root }: SignedTransaction): string => (isExternal ? hash! : root.hashKey())

/**
 * @internal Follows `before` to the first one. `firsts` keeps the result for each one on the way, because a chain may have thousands, and its first one is
 * searched from each of them.
 */
export const rootOf = <T>(of: T, before: (one: T) => T | undefined, firsts: Map<T, T>): T => {
  const way: T[] = []
  let at = of
  // A bad lite-server may list transactions that lead to each other.
  for (; !firsts.has(at); at = before(at) ?? at) {
    way.push(at)
    firsts.set(at, at)
  }
  const root = firsts.get(at)!
  for (const each of way) firsts.set(each, root)
  return root
}

/**
 * Returns a function that takes new signed transactions. It follows their traces if there is demand for them, and checks the followed traces that the
 * signed blocks have changed.
 */
export const createAdopt = ({ followed, signed, hasDemand, hasRoom, nextOrder, head, add, review, closing }: AdoptDeps) => {
  const hasDemandFor = (transaction: SignedTransaction, root: SignedTransaction): boolean =>
    hasDemand([formatRaw(transaction.account, 'upper')], [...root.received, root.root.hashKey()].map(base64Of))

  const entryOf = async (root: SignedTransaction, signal: AbortSignal): Promise<FollowedTrace> => {
    const found = await signed.read(root, signal)
    const inBlocks = beginInBlocks(found, root.account, head().seqno)
    const hash = hashOf(root)
    const emulation = emulationOf({ at: head(), nodes: inBlocks.nodes })
    return {
      pending: {
        hash,
        hashNorm: root.isExternal ? root.received.at(-1)! : hash,
        boc: '',
        to: accountText(root.account),
        emulation,
        committedAt: undefined,
      },
      order: nextOrder(),
      sent: Promise.resolve(true),
      after: [],
      leavesAt: performance.now() + FOLLOW_LIMITS.ms,
      isStale: true,
      lacksFacts: false,
      inBlocks,
      isAdopted: true,
    }
  }
  /** Returns whether a followed trace must be checked: a signed block received one of its messages, or one of its signed blocks is now committed or lost. */
  const isChanged = ({ pending, inBlocks }: FollowedTrace): boolean => {
    if (pending.committedAt !== undefined) return false
    if (inBlocks === undefined) return [pending.hash, pending.hashNorm].some((hash) => signed.receiver(hash) !== undefined)
    const { open, signed: keys } = inBlocks
    return keys.some((key) => !signed.isSigned(key)) || open.some(({ message }) => signed.receiver(message.hashKey()) !== undefined)
  }

  const adopt = async (fresh: Iterable<SignedTransaction>, signal: AbortSignal): Promise<void> => {
    const changed = followed.all().filter(isChanged)
    const roots = new Set<SignedTransaction>()
    const pause = createPauses(undefined, signal)
    const firsts = new Map<SignedTransaction, SignedTransaction>()
    for (const transaction of new Set(fresh)) {
      await pause()
      const root = rootOf(transaction, signed.before, firsts)
      if (roots.size === MAX_NEW || !hasRoom()) break
      if (followed.ofMessage(hashOf(root)) === undefined && hasDemandFor(transaction, root)) roots.add(root)
    }
    const entries = await Promise.all([...roots].map((root) => entryOf(root, signal)))
    const added = entries.filter((entry) => {
      const { hash, hashNorm } = entry.pending
      // A contract may accept the same message twice. Only one of the two traces can be followed under its hash.
      if (followed.ofMessage(hash) !== undefined || followed.ofMessage(hashNorm) !== undefined) return false
      add(entry)
      return true
    })
    await review([...changed, ...added], signal)
  }
  const permits = createPermits(RUNS)
  const run = (fresh: Iterable<SignedTransaction>, release: () => void): Promise<void> =>
    withTimeout(closing, RUN_MS, (signal) => adopt(fresh, signal)).finally(release)
  /** The run for all calls that wait. */
  let next: Promise<void> | undefined

  return (fresh: Iterable<SignedTransaction>): Promise<void> => {
    const release = permits.takeNow()
    if (release !== undefined) return run(fresh, release)
    next ??= permits.take(closing).then((permit) => {
      next = undefined
      return run(signed.all(), permit)
    })
    return next
  }
}
