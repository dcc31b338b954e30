import { setTimeout as sleep } from 'node:timers/promises'
import { settledWithin, withTimeout } from '../../base/abort.ts'
import { sameBytes } from '../../tlb/bytes.ts'
import { type BlockId, blockText, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../../tlb/ids.ts'
import { type Head, LITE_ERROR, type LiteAnswer, LiteServerError, type ZeroStateId } from '../liteserver.ts'
import { ProofError } from '../proofs/error.ts'
import { checkLookupWithProof } from '../proofs/lookup.ts'
import { isRelayed } from '../relayed-error.ts'
import { TlError } from '../tl/error.ts'
import type { Member } from './member.ts'
import type { HeadTrust } from './trust.ts'

export interface FollowDeps {
  readonly zeroState: ZeroStateId
  readonly trust: HeadTrust
  readonly revertible: boolean
  readonly now: () => number
  readonly newest: () => Head | undefined
  readonly onHead: (head: Head) => void
  readonly onLie: (member: Member, what: string, reason: string, ms: number) => void
}

/** Maximum number of seconds that a block's time may be ahead of the local clock, because clocks differ. */
const FUTURE = 30
/** Milliseconds for which a server is not used: after a false head, and if the server serves another network. */
const LIE_MS = 60_000
const STRANGER_MS = 600_000
/**
 * Milliseconds that a server waits for its next block before it answers (less on a chain that can be reverted), and the timeout of one round: a query for
 * the head and its check.
 */
const WAIT_MS = 5_000
const REVERTIBLE_WAIT_MS = 1_000
const ROUND_MS = 30_000
/**
 * Milliseconds until the next query for a head: after a new block (less on a chain that can be reverted), and after a server answered early without a new
 * block, because it ignored the wait.
 */
const NEXT_MS = 100
const REVERTIBLE_NEXT_MS = 5
const QUIET_MS = 1_000
const NOTHING_NEW: readonly number[] = [LITE_ERROR.notReady, LITE_ERROR.timeout]
/** A server that relays for servers that are away is not at fault, and is used again as soon as they are back. */
const isNothingNew = (error: unknown): boolean => error instanceof LiteServerError && (NOTHING_NEW.includes(error.code) || isRelayed(error))

/** Milliseconds for which servers wait for another one's check while it proves no further key block. A silent server would hold them for its whole round. */
const HOLD_MS = 1_000

const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {})

/** Returns true if the server proves that an earlier block is in the chain of a new head. After a revert it is not. */
const isInChain = async (member: Member, block: BlockId, head: BlockId, signal: AbortSignal): Promise<boolean> => {
  if (block.seqno === head.seqno) return sameBlock(block, head)
  if (block.seqno > head.seqno) return false
  const sameSeqno = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: block.seqno }
  try {
    const answer = await member.query('lookupBlockWithProof', { id: sameSeqno, by: { seqno: true }, mcBlockId: head }, signal)
    return sameBlock(checkLookupWithProof(answer, sameSeqno, { seqno: true }, head).id, block)
  } catch (error) {
    // The server no longer has `head`: its chain was reverted after it had reported this head. The caller queries the new head later.
    if (error instanceof LiteServerError) throw new LiteServerError(error.code, `${blockText(head)} is gone: ${error.message}`)
    throw error instanceof ProofError
      ? error
      : new Error(`the server did not prove whether ${blockText(block)} is in its chain`, { cause: error })
  }
}

export const createFollower = ({ zeroState, trust, revertible, now, newest, onHead, onLie }: FollowDeps) => {
  /** The newest check of a new head. Servers with other heads wait for its result, for a while. */
  let checking: Promise<void> | undefined

  /** Takes a server's head that is not newer than the newest proven one. Returns false for a newer one. Throws ProofError for another block of the same seqno. */
  const takeOldHead = (member: Member, id: BlockId): boolean => {
    const top = newest()
    if (top === undefined || id.seqno > top.id.seqno) return false
    if (id.seqno === top.id.seqno && !sameBlock(id, top.id))
      throw new ProofError('head', `${blockText(id)} has other hashes than the proven block`)
    member.setHead(id)
    return true
  }

  const accept = async (member: Member, id: BlockId, signal: AbortSignal): Promise<void> => {
    let [until, proven] = [performance.now() + HOLD_MS, trust.anchor()]
    for (;;) {
      if (takeOldHead(member, id)) return
      if (trust.anchor() !== proven) [until, proven] = [performance.now() + HOLD_MS, trust.anchor()]
      const left = until - performance.now()
      if (checking === undefined || left <= 0) break
      await settledWithin(checking, left)
      signal.throwIfAborted()
    }
    const check = async (): Promise<void> => {
      const utime = await trust.check(member, id, signal)
      // An embedded chain's time can be set freely, so the time is not checked.
      if (!revertible && utime > now() + FUTURE) throw new ProofError('head', `the block's time ${utime} is ${utime - now()} s ahead`)
      // Another server's check may have ended in the meantime.
      if (takeOldHead(member, id)) return
      member.setHead(id)
      onHead({ id, utime, epoch: newest()?.epoch ?? 0 })
    }
    const running = check()
    const done = running.catch(() => undefined)
    checking = done
    try {
      await running
    } finally {
      if (checking === done) checking = undefined
    }
  }

  const ask = async (member: Member, head: BlockId | undefined, signal: AbortSignal): Promise<LiteAnswer<'getMasterchainInfo'>> => {
    const wait = head && { seqno: head.seqno + 1, timeoutMs: revertible ? REVERTIBLE_WAIT_MS : WAIT_MS }
    try {
      return await member.query('getMasterchainInfo', {}, signal, { wait })
    } catch (error) {
      // There is no next block yet. The last block may have been reverted, so the head is queried without waiting.
      if (isNothingNew(error)) return member.query('getMasterchainInfo', {}, signal)
      throw error
    }
  }

  const revert = async (member: Member, id: BlockId, signal: AbortSignal): Promise<void> => {
    trust.reset()
    const utime = await trust.check(member, id, signal)
    member.setHead(id)
    onHead({ id, utime, epoch: (newest()?.epoch ?? 0) + 1 })
  }

  const round = async (member: Member, signal: AbortSignal): Promise<void> => {
    const before = member.head()
    const { init, last } = await ask(member, before, signal)
    if (!sameBytes(init.rootHash, zeroState.rootHash) || !sameBytes(init.fileHash, zeroState.fileHash)) {
      onLie(member, 'getMasterchainInfo', 'it serves another network', STRANGER_MS)
      return
    }
    if (before !== undefined) {
      if (sameBlock(before, last)) return
      if (revertible && !(await isInChain(member, before, last, signal))) return revert(member, last, signal)
      if (last.seqno < before.seqno) throw new ProofError('head', `the head went back from ${blockText(before)} to ${blockText(last)}`)
    }
    await accept(member, last, signal)
  }

  return async (member: Member, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      let next = revertible ? REVERTIBLE_NEXT_MS : NEXT_MS
      if (member.usable()) {
        const before = member.head()
        const started = performance.now()
        try {
          await withTimeout(signal, ROUND_MS, (stop) => round(member, stop))
        } catch (error) {
          if (signal.aborted) return
          if (error instanceof ProofError || error instanceof TlError) onLie(member, 'getMasterchainInfo', error.message, LIE_MS)
          else if (revertible && error instanceof LiteServerError) next = NEXT_MS
          else if (!isNothingNew(error)) {
            member.penalize(error instanceof Error ? error.message : String(error))
            next = QUIET_MS
          }
        }
        if (member.head()?.seqno === before?.seqno && performance.now() - started < QUIET_MS) next = QUIET_MS
      }
      await pause(next, signal)
    }
  }
}
