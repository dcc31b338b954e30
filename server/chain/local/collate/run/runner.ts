import type { TransactionRequest, TransactionResult, Tvm } from '../../../../tvm/tvm.ts'
import { bocOf, type Lane } from '../accounts/lanes.ts'
import { createHeap } from './heap.ts'
import { runIsolated } from './isolate.ts'

/*
 * Runs a block's transactions on the TVM ahead of the collator. The collator commits in TON's order, one message after another; whether a
 * message's transaction depends on another's is a matter of the account alone, so what will probably come next is emulated before its turn, in
 * batches that amortise the way to a worker and fill it while the collator works on what has come back. When the order turns out otherwise (an
 * earlier message for the same account appeared), the guesses on that account are thrown away and run again: emulation has no side effects.
 */

/** A transaction that will probably be made. */
export interface Job {
  readonly lane: Lane
  readonly kind: TransactionRequest['kind']
  /** Message BoC, for kind `message`. */
  readonly message?: Uint8Array
  /** The lt asked for; the emulator raises it above the account's last and the message's. */
  readonly lt: bigint
  /** Place in the block's order. */
  readonly order: Order
}
/** Phase of the block, then (lt, hash) of a message or the position of an external one. */
export interface Order {
  readonly phase: number
  readonly lt: bigint
  /** hashKey of the message; '' where lt alone decides. */
  readonly hash: string
}
const compareOrder = (a: Order, b: Order): number =>
  a.phase - b.phase || (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)

/** What every transaction of a block has in common. */
export type Environment = Omit<TransactionRequest, 'kind' | 'shardAccount' | 'message' | 'lt'>

interface Guess {
  readonly job: Job
  readonly result: Promise<TransactionResult>
}
interface Ahead {
  /** Guesses in the order in which they were run, oldest first. */
  guesses: Guess[]
  /** Requests on their way on the current base; while there are any, the account that the next would start from is not known. */
  running: number
  /** ShardAccount BoC after the newest finished guess. */
  head: Uint8Array | undefined
  /** Grows when guesses are thrown away, so that late answers are known as such. */
  generation: number
}

/** Requests a batch. */
const BATCH = 32
/** Batches on their way to one worker: one running, one waiting behind it. */
const DEPTH = 2

export const createRunner = (deps: { readonly tvm: Tvm; readonly environment: () => Environment; readonly signal: AbortSignal }) => {
  const queue = createQueue()
  const ahead = new Map<Lane, Ahead>()
  const width = DEPTH * Math.max(1, deps.tvm.stats().workers)
  let inFlight = 0
  let environment: Environment | undefined
  let failure: { readonly reason: unknown } | undefined
  const waiting = new Map<Job, () => void>()

  const aheadOf = (lane: Lane): Ahead => {
    let a = ahead.get(lane)
    if (a === undefined) {
      a = { guesses: [], running: 0, head: undefined, generation: 0 }
      ahead.set(lane, a)
    }
    return a
  }

  /* Takes the next jobs in order, leaving those whose account is being worked on by an earlier batch. */
  const take = (): Job[] => {
    const batch: Job[] = []
    const left: Job[] = []
    const mine = new Set<Lane>()
    while (batch.length < BATCH && left.length < BATCH * 4) {
      const job = queue.pop()
      if (job === undefined) break
      if (aheadOf(job.lane).running > 0 && !mine.has(job.lane)) {
        left.push(job)
        continue
      }
      mine.add(job.lane)
      aheadOf(job.lane).running++
      batch.push(job)
    }
    for (const job of left) queue.push(job)
    return batch
  }

  const launch = (batch: readonly Job[]): void => {
    environment ??= deps.environment()
    const started = new Set<Lane>()
    const requests = batch.map((job) => {
      const a = aheadOf(job.lane)
      const first = !started.has(job.lane)
      started.add(job.lane)
      return {
        ...environment!,
        kind: job.kind,
        lt: job.lt,
        account: job.lane.name,
        shardAccount: first ? (a.head ?? bocOf(job.lane)) : ('previous' as const),
        ...(job.message === undefined ? {} : { message: job.message }),
      }
    })
    const generations = batch.map((job) => aheadOf(job.lane).generation)
    inFlight++
    const results = runIsolated(deps.tvm, requests, deps.signal)
    batch.forEach((job, i) => {
      const result = results.then((all) => all[i]!)
      result.catch(() => {})
      aheadOf(job.lane).guesses.push({ job, result })
      waiting.get(job)?.()
    })
    const settle = (all: readonly TransactionResult[] | undefined): void => {
      inFlight--
      batch.forEach((job, i) => {
        const a = aheadOf(job.lane)
        if (a.generation !== generations[i]) return
        a.running--
        const r = all?.[i]
        if (r?.ok) a.head = r.shardAccount
      })
      if (all !== undefined) pump()
    }
    results.then(settle, (reason: unknown) => {
      failure ??= { reason }
      settle(undefined)
      for (const wake of waiting.values()) wake()
    })
  }

  const pump = (): void => {
    while (inFlight < width) {
      const batch = take()
      if (batch.length === 0) return
      launch(batch)
    }
  }

  /* Forgets what was guessed for an account; the jobs go back into the queue. */
  const discard = (a: Ahead, except?: Job): void => {
    for (const { job } of a.guesses) if (job !== except) queue.push(job)
    a.guesses = []
    a.running = 0
    a.head = undefined
    a.generation++
  }

  return {
    /** Tells of a job that will probably be asked for. Call `go` after a group of them. */
    foresee: (job: Job): void => queue.push(job),
    /** Lets the TVM begin with what was foreseen. */
    go: pump,
    /** The result of a job that was foreseen, as if everything before it had been committed. */
    async result(job: Job): Promise<TransactionResult> {
      const a = aheadOf(job.lane)
      for (;;) {
        if (failure !== undefined) throw failure.reason
        const first = a.guesses[0]
        if (first?.job === job) {
          a.guesses.shift()
          return first.result
        }
        if (first !== undefined) {
          const guessed = a.guesses.some((guess) => guess.job === job)
          discard(a, job)
          if (guessed) queue.push(job)
        }
        if (inFlight < width) pump()
        if (a.guesses[0]?.job === job) continue
        await new Promise<void>((resolve, reject) => {
          if (deps.signal.aborted) return reject(deps.signal.reason)
          const onAbort = (): void => reject(deps.signal.reason)
          deps.signal.addEventListener('abort', onAbort, { once: true })
          waiting.set(job, () => {
            waiting.delete(job)
            deps.signal.removeEventListener('abort', onAbort)
            resolve()
          })
        })
      }
    },
    /** Tells that an account became something else than what its last result says: guesses that build on that are thrown away. */
    rebase: (lane: Lane): void => discard(aheadOf(lane)),
    /** Drops every job that was foreseen and not begun, and every guess. */
    clear(): void {
      while (queue.pop() !== undefined);
      for (const a of ahead.values()) {
        a.guesses = []
        a.running = 0
        a.head = undefined
        a.generation++
      }
    },
  }
}
export type Runner = ReturnType<typeof createRunner>

const createQueue = () => createHeap<Job>((a, b) => compareOrder(a.order, b.order))
