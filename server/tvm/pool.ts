import { setMaxListeners } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createFairQueue, type Owner, type Running } from './fair-queue.ts'
import type { FromWorker, ToWorker, TransactionEngine, WorkerData } from './protocol.ts'
import { TvmError } from './tvm.ts'

/* Threads and their replacement; knows nothing of what the jobs mean. */

export interface PoolOptions {
  readonly workers: number
  /** Jobs waiting per lane beyond which one is refused: a new urgent one, or the newest of the client with the most. */
  readonly maxQueue: number
  /** Wall-clock milliseconds without progress after which a job's worker is terminated. */
  readonly deadlineMs: number
  readonly module: Promise<WebAssembly.Module>
  readonly transactions: TransactionEngine
  readonly workerUrl: URL
}

/** `urgent` jobs (blocks in the making) go before `normal` ones (reads), and among those the ones whose owners used the least gas lately. */
export type Lane = 'urgent' | 'normal'
/** What a job is to a worker: made when the worker is known, since it depends on what the worker holds. */
export type MakeMessage = (id: number, worker: object) => ToWorker
type Answer = Exclude<FromWorker, { type: 'ready' | 'failed' }>

interface Pending {
  readonly id: number
  readonly make: MakeMessage
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}
interface Member {
  readonly worker: Worker
  readonly progress: Int32Array
  ready: boolean
  pending: Pending | undefined
  /** What a normal job uses is its owner's. */
  running: Running | undefined
  timer: NodeJS.Timeout | undefined
  seen: number
}

/** A job whose caller has gone is left this long to end by itself before its worker is replaced. */
const ABANDONED_MS = 100
/** A worker holds one emulator, a few configurations and the messages of one job. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }
/** Gas that a job used; undefined where it does not tell. */
const gasOf = (message: FromWorker): number | undefined => {
  const gas = message.type === 'get-method' ? Number(message.result.gasUsed) : Number.NaN
  return Number.isFinite(gas) ? gas : undefined
}

/** Workers that die before they are ready, in a row, after which the pool gives up. */
const MAX_FAILED_STARTS = 5

export interface Pool {
  run(make: MakeMessage, lane: Lane, owner: Owner, signal: AbortSignal): Promise<Answer>
  ready(): Promise<void>
  stats(): { workers: number; busy: number; queued: number; replaced: number }
  close(): Promise<void>
}

export const createPool = (options: PoolOptions): Pool => {
  const members = new Set<Member>()
  const urgent: Pending[] = []
  const normal = createFairQueue<Pending>(options.maxQueue)
  const waiters: { resolve: () => void; reject: (error: unknown) => void }[] = []
  let module: WebAssembly.Module | undefined
  let nextId = 1
  let replaced = 0
  let failedStarts = 0
  let stopped: TvmError | undefined

  const settle = (member: Member, gas?: number): Pending | undefined => {
    const { pending } = member
    clearTimeout(member.timer)
    member.pending = undefined
    member.running?.end(gas)
    member.running = undefined
    return pending
  }
  const stop = (error: TvmError): void => {
    stopped ??= error
    for (const pending of [...urgent.splice(0), ...normal.drain()]) pending.reject(stopped)
    for (const waiter of waiters.splice(0)) waiter.reject(stopped)
  }

  const replace = (member: Member, error: TvmError): void => {
    if (!members.delete(member)) return
    settle(member)?.reject(error)
    void member.worker.terminate()
    if (stopped) return
    failedStarts = member.ready ? 0 : failedStarts + 1
    if (failedStarts >= MAX_FAILED_STARTS) {
      stop(new TvmError('crashed', `TVM workers do not start: ${error.message}`, { cause: error }))
      return
    }
    replaced++
    spawn()
  }

  /** Terminates a member that has made no progress for `ms`, looking again as long as it makes some. */
  const watch = (member: Member, ms: number, error: () => TvmError): void => {
    clearTimeout(member.timer)
    member.seen = Atomics.load(member.progress, 0)
    member.timer = setTimeout(() => {
      if (Atomics.load(member.progress, 0) !== member.seen) return watch(member, ms, error)
      replace(member, error())
    }, ms)
  }

  const feed = (): void => {
    for (const member of members) {
      if (!member.ready || member.pending) continue
      const first = urgent.shift()
      const next = first ? undefined : normal.next(members.size)
      const pending = first ?? next?.job
      if (!pending) return
      member.pending = pending
      member.running = next?.running
      watch(member, options.deadlineMs, () => new TvmError('timeout', `the TVM made no progress for ${options.deadlineMs} ms`))
      try {
        member.worker.postMessage(pending.make(pending.id, member))
      } catch (error) {
        settle(member)?.reject(new TvmError('rejected', 'the request cannot be sent to a worker', { cause: error }))
      }
    }
  }

  const receive = (member: Member, message: FromWorker): void => {
    if (message.type === 'ready') {
      member.ready = true
      if ([...members].every((other) => other.ready)) for (const waiter of waiters.splice(0)) waiter.resolve()
    } else if (message.id === member.pending?.id) {
      const pending = settle(member, gasOf(message))
      if (message.type === 'failed') pending?.reject(new TvmError(message.kind, message.message))
      else pending?.resolve(message)
    }
    feed()
  }

  const spawn = (): void => {
    if (!module || stopped) return
    const shared = new SharedArrayBuffer(4)
    let worker: Worker
    try {
      worker = new Worker(options.workerUrl, {
        name: 'tvm',
        workerData: { module, progress: shared, transactions: options.transactions } satisfies WorkerData,
        resourceLimits: RESOURCE_LIMITS,
        // Nothing of the parent's: flags such as --inspect or a test runner's loaders have no business in it.
        execArgv: [],
        env: {},
      })
    } catch (error) {
      stop(new TvmError('crashed', 'no thread can be started for the TVM', { cause: error }))
      return
    }
    const member: Member = {
      worker,
      progress: new Int32Array(shared),
      ready: false,
      pending: undefined,
      running: undefined,
      timer: undefined,
      seen: 0,
    }
    members.add(member)
    worker.on('message', (message: FromWorker) => receive(member, message))
    worker.on('error', (error) => replace(member, new TvmError('crashed', `a TVM worker failed: ${error.message}`, { cause: error })))
    worker.on('exit', (code) => replace(member, new TvmError('crashed', `a TVM worker ended with code ${code}`)))
  }

  options.module.then(
    (compiled) => {
      module = compiled
      for (let i = 0; i < options.workers; i++) spawn()
    },
    (error: unknown) => stop(new TvmError('crashed', 'the emulator cannot be compiled', { cause: error })),
  )

  const forsake = (pending: Pending): void => {
    const at = urgent.indexOf(pending)
    if (at >= 0) urgent.splice(at, 1)
    else normal.remove(pending)
    for (const member of members) {
      if (member.pending === pending) watch(member, ABANDONED_MS, () => new TvmError('timeout', 'the caller has gone'))
    }
  }

  return {
    run: (make, lane, owner, signal) => {
      if (stopped) return Promise.reject(stopped)
      if (signal.aborted) return Promise.reject(signal.reason)
      const overloaded = (): TvmError => new TvmError('overloaded', `${options.maxQueue} TVM requests are waiting`)
      if (lane === 'urgent' && urgent.length >= options.maxQueue) return Promise.reject(overloaded())
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          forsake(pending)
          reject(signal.reason)
        }
        const done =
          <T>(settleWith: (value: T) => void) =>
          (value: T): void => {
            signal.removeEventListener('abort', onAbort)
            settleWith(value)
          }
        const pending: Pending = { id: nextId++, make, resolve: done(resolve), reject: done(reject) }
        // One signal may stand over a whole batch of calls.
        setMaxListeners(0, signal)
        signal.addEventListener('abort', onAbort, { once: true })
        if (lane === 'urgent') urgent.push(pending)
        else normal.push(pending, owner)?.reject(overloaded())
        feed()
      })
    },
    ready: () => {
      if (stopped) return Promise.reject(stopped)
      if (members.size > 0 && [...members].every((member) => member.ready)) return Promise.resolve()
      return new Promise((resolve, reject) => waiters.push({ resolve, reject }))
    },
    stats: () => ({
      workers: members.size,
      busy: [...members].filter((member) => member.pending).length,
      queued: urgent.length + normal.size,
      replaced,
    }),
    close: async () => {
      stop(new TvmError('closed', 'the TVM is closed'))
      const open = [...members]
      members.clear()
      for (const member of open) settle(member)?.reject(stopped)
      await Promise.all(open.map((member) => member.worker.terminate()))
    },
  }
}
