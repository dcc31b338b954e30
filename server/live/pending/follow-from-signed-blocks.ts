import { formatRaw } from '../../../shared/fields/address.ts'
import { base64Of } from '../../actions/trace.ts'
import { createPauses } from '../../base/yield.ts'
import type { BlockId } from '../../tlb/ids.ts'
import type { Demand } from './demand.ts'
import { accountText, emulationOf, FOLLOW_LIMITS, type FollowedTrace, type FollowedTraces } from './followed-traces.ts'
import { beginInBlocks } from './in-blocks.ts'
import type { SignedTransaction, SignedTransactions } from './signed-transactions.ts'

/* Follows traces of messages that did not come through this service. Each is found by its first transaction in a signed block. */

const MAX_NEW = 256

export interface AdoptDeps {
  readonly followed: FollowedTraces
  readonly signed: SignedTransactions
  readonly hasDemand: Demand['has']
  readonly hasRoom: () => boolean
  readonly nextOrder: () => number
  readonly head: () => BlockId
  readonly add: (entry: FollowedTrace) => void
  /** Checks traces. The returned promise must resolve when the traces are published again. */
  readonly review: (entries: readonly FollowedTrace[]) => Promise<void>
  readonly closing: AbortSignal
}

/** Returns the hash by which a trace is found: that of its external message, or of its first transaction if no external message began the trace. */
const hashOf = ({ isExternal, received: [hash], root }: SignedTransaction): string => (isExternal ? hash! : root.hashKey())

/**
 * Returns a function that takes new signed transactions. It follows their traces if there is demand for them, and checks the followed traces that the
 * signed blocks have changed.
 */
export const createAdopt = ({ followed, signed, hasDemand, hasRoom, nextOrder, head, add, review, closing }: AdoptDeps) => {
  const hasDemandFor = (transaction: SignedTransaction, root: SignedTransaction): boolean =>
    hasDemand([formatRaw(transaction.account, 'upper')], [...root.received, root.root.hashKey()].map(base64Of))

  const entryOf = async (root: SignedTransaction): Promise<FollowedTrace> => {
    const found = await signed.read(root, closing)
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

  return async (fresh: Iterable<SignedTransaction>): Promise<void> => {
    const changed = followed.all().filter(isChanged)
    const roots = new Set<SignedTransaction>()
    const pause = createPauses()
    for (const transaction of new Set(fresh)) {
      await pause()
      const root = signed.rootOf(transaction)
      if (roots.size === MAX_NEW || !hasRoom()) break
      if (followed.ofMessage(hashOf(root)) === undefined && hasDemandFor(transaction, root)) roots.add(root)
    }
    const entries = await Promise.all([...roots].map(entryOf))
    const added = entries.filter((entry) => {
      const { hash, hashNorm } = entry.pending
      // A contract may accept the same message twice. Only one of the two traces can be followed under its hash.
      if (followed.ofMessage(hash) !== undefined || followed.ofMessage(hashNorm) !== undefined) return false
      add(entry)
      return true
    })
    await review([...changed, ...added])
  }
}
