import { TonError } from '../../../shared/errors.ts'
import { withTimeout } from '../../base/abort.ts'
import { inOwnTurn } from '../../base/yield.ts'
import { type BlockId, MASTERCHAIN } from '../../tlb/ids.ts'
import type { CheckedQuery } from '../checked-query.ts'
import { LITE_ERROR, type LiteAnswer, type LiteArgs, type LiteFunction, LiteServerError } from '../liteserver.ts'
import { ProofError } from '../proofs/error.ts'
import { fromRelayed, isRelayed } from '../relayed-error.ts'
import { TlError } from '../tl/error.ts'
import { allOf, type Choice, usableOf } from './choose-servers.ts'
import type { Member } from './member.ts'

export interface ReadDeps {
  readonly choice: Choice
  readonly headSeqno: () => number
  /** Resolves when a server's state changes, or after `ms` milliseconds. */
  readonly change: (ms: number, signal: AbortSignal) => Promise<void>
  readonly onLie: (member: Member, what: string, reason: string, ms: number) => void
  readonly queue: { waiting: number; readonly wake: () => void }
  /** Milliseconds that one server has to answer while other servers are free. */
  readonly attemptMs: number
  /** Milliseconds to wait until any server is free. */
  readonly patienceMs: number
}

/** Number of servers that must refuse a query before the caller gets the refusal. */
const REFUSALS = 5
/** Error codes of an overloaded server: a timeout, and the timeout of its internal queries. Such errors do not depend on the query. */
const NO_TIME: readonly number[] = [LITE_ERROR.timeout, -503]
const LIE_MS = 60_000
const MAX_WAITING = 2_000
const MAX_SHOWN = 32
/** Maximum characters of a server's reason. It can contain what the server sent. */
const MAX_REASON = 200

/** Smallest masterchain seqno that a server needs to answer the query; 0 if the query names no masterchain block. */
const neededSeqno = <F extends LiteFunction>(args: LiteArgs<F>): number => {
  const { id, mcBlockId, from, target } = args as Partial<Record<'id' | 'mcBlockId' | 'from' | 'target', BlockId>>
  const seqnos = [id, mcBlockId, from, target].map((block) => (block?.rootHash && block.workchain === MASTERCHAIN ? block.seqno : 0))
  return Math.max(...seqnos)
}

/** Age in blocks after which a server may have deleted data. */
const OLD = 1_000

const isHistory = (seqno: number, head: number): boolean => seqno > 0 && seqno < head - OLD

const isBusy = (error: unknown): boolean => error instanceof LiteServerError && (NO_TIME.includes(error.code) || isRelayed(error))

/** Rank of a failure by its use for the caller: an error of the chain first, then an overloaded server, then a lost connection or a false answer. */
const rankOf = (failure: Error | undefined): number => (failure instanceof LiteServerError ? (isBusy(failure) ? 1 : 2) : 0)

export const noServer = (members: readonly Member[]): TonError => {
  const shown = members.slice(0, MAX_SHOWN).map((member) => `${member.name}: ${member.reason().slice(0, MAX_REASON)}`)
  const more = members.length > shown.length ? `; and ${members.length - shown.length} more` : ''
  return new TonError('NO_WORKERS', `no working lite-server (${shown.join('; ')}${more})`)
}

/** Reads from the best server. If a server fails, gives a false answer or lacks the data, the next server is queried. */
export const createRead = ({ choice, headSeqno, change, onLie, queue, attemptMs, patienceMs }: ReadDeps): CheckedQuery => {
  const open = (tried: ReadonlySet<Member>): readonly Member[] => usableOf(choice, (member) => member.usable() && !tried.has(member))

  /** Reserves a slot on a server. `history`: archival servers are preferred. */
  const pick = (members: readonly Member[], seqno: number, history: boolean): Member | undefined => {
    let best: Member | undefined
    let least = Number.POSITIVE_INFINITY
    for (const member of members) {
      if (!member.hasRoom()) continue
      const behind = (member.head()?.seqno ?? 0) < seqno ? 1e6 : 1
      const forgetful = history && member.archival() !== true ? 1e3 : 1
      const cost = member.score() * behind * forgetful
      if (cost < least) [best, least] = [member, cost]
    }
    best?.take()
    return best
  }

  const wait = async (tried: ReadonlySet<Member>, seqno: number, history: boolean, signal: AbortSignal): Promise<Member> => {
    const now = pick(open(tried), seqno, history)
    if (now) return now
    const patience = performance.now() + patienceMs
    if (queue.waiting >= MAX_WAITING) throw new TonError('UNAVAILABLE', 'too many queries wait for the lite-servers', { retryAfter: 1 })
    queue.waiting += 1
    try {
      for (;;) {
        const members = open(tried)
        const member = pick(members, seqno, history)
        if (member) return member
        const left = patience - performance.now()
        const busy = members.length > 0
        if (left <= 0 && !busy) throw noServer(allOf(choice))
        await change(busy ? 1_000 : left, signal)
        signal.throwIfAborted()
      }
    } finally {
      queue.waiting -= 1
    }
  }

  /** Queries one server. A result with `error` means that another server can be tried; a rejection ends the read. */
  const attempt = async <F extends LiteFunction, T>(
    member: Member,
    fn: F,
    args: LiteArgs<F>,
    signal: AbortSignal,
    last: boolean,
    check: (answer: LiteAnswer<F>) => T | Promise<T>,
  ): Promise<{ readonly value: T } | { readonly error: Error }> => {
    let unchecked = 0
    const hold = (bytes: number): void => {
      unchecked = bytes
      member.hold(bytes)
    }
    const ask = (stop: AbortSignal): Promise<() => LiteAnswer<F>> => member.ask(fn, args, stop, { hold })
    let isAnswered = false
    try {
      signal.throwIfAborted()
      const decode = await (last ? ask(signal) : withTimeout(signal, attemptMs, ask))
      // A server can send fifty answers in one turn, each with a proof of sixteen thousand cells.
      const read = (): T | Promise<T> => {
        signal.throwIfAborted()
        const answer = decode()
        isAnswered = true
        return check(answer)
      }
      return { value: await inOwnTurn(read) }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (error instanceof ProofError || error instanceof TlError) {
        onLie(member, fn, error.message, LIE_MS)
        return { error }
      }
      // A refusal has no proof, so another server may still have the data.
      if (error instanceof LiteServerError) {
        if (isBusy(error)) member.busy(error.message)
        return { error }
      }
      if (isAnswered) throw error
      member.penalize((error as Error).message)
      return { error: error as Error }
    } finally {
      member.hold(-unchecked)
      member.give()
      if (queue.waiting > 0) queue.wake()
    }
  }

  return async (fn, args, signal, check, options) => {
    const tried = new Set<Member>()
    const seqno = neededSeqno(args)
    let history = options?.history === true || isHistory(seqno, headSeqno())
    let failure: Error | undefined
    for (let refusals = 0; refusals < REFUSALS && (failure === undefined || open(tried).length > 0); ) {
      signal.throwIfAborted()
      const member = await wait(tried, seqno, history, signal)
      tried.add(member)
      const outcome = await attempt(member, fn, args, signal, open(tried).length === 0, check)
      if ('value' in outcome) return outcome.value
      if (rankOf(failure) === 0 || rankOf(outcome.error) > rankOf(failure)) failure = outcome.error
      if (outcome.error instanceof LiteServerError && !isBusy(outcome.error)) {
        refusals += 1
        history = true
      }
    }
    if (failure instanceof LiteServerError) throw fromRelayed(failure)
    if (failure instanceof ProofError) throw failure
    throw noServer(allOf(choice))
  }
}
