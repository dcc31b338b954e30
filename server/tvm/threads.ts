import type { Worker } from 'node:worker_threads'
import { createIdleEnd, IDLE_MS, type IdleEnd, startThread } from '../base/threads/start.ts'
import { threadTime } from '../base/threads/thread-time.ts'
import type { Running } from './fair-queue.ts'
import type { FromWorker, ToWorker } from './protocol.ts'
import { TvmError } from './tvm.ts'

/* Starts threads, gives them jobs and replaces failed threads. It does not read the contents of jobs. */

/**
 * Makes the message that gives a job to `worker`. Called when the worker is free, because the message has a copy of the account's cells. The message has the
 * configuration only if the worker lacks it.
 */
export type MakeMessage = (id: number, worker: object) => Promise<ToWorker>
export type Answer = Exclude<FromWorker, { type: 'ready' | 'failed' }>

export interface Pending {
  readonly id: number
  readonly make: MakeMessage
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** Gives a waiting job to an idle thread. */
type Give = (pending: Pending, running: Running | undefined) => void

interface Member {
  readonly worker: Worker
  /** Thread id of the operating system; undefined before the thread is ready, and without /proc. */
  thread: number | undefined
  ready: boolean
  pending: Pending | undefined
  running: Running | undefined
  timer: NodeJS.Timeout | undefined
  /** Processor time of the thread when its job began, seconds. NaN without /proc. */
  timeBefore: number
  readonly idleEnd: IdleEnd
}

/** If the caller of a job aborted, its worker is replaced after this much processor time, ms. */
const ABANDONED_MS = 100
/** Ratio of the wall-clock limit of a job to its limit of processor time. */
const PATIENCE = 12
/** Minimum time between two checks of a thread, ms. The system counts processor time in steps of this size. */
const MIN_LOOK_MS = 10
/** Memory limits of a worker, which holds a few configurations and the cells of one job. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }
const START_MS = 20_000
/** After this many failed starts in a row, the waiting jobs are refused. The next job tries again. */
const MAX_FAILED_STARTS = 5
/** Pause after the first failed start, ms. After n failed starts in a row the pause is n times as long. */
const PAUSE_MS = 100

const gasOf = (message: FromWorker): number | undefined => {
  const gas = message.type === 'get-method' ? Number(message.result.gasUsed) : Number.NaN
  return Number.isFinite(gas) ? gas : undefined
}

export interface ThreadsOptions {
  /** Maximum number of threads. A thread starts when it is needed. */
  readonly workers: number
  /** A job's worker is terminated after this much processor time, ms, or after twelve times as much wall-clock time. */
  readonly deadlineMs: number
  readonly workerUrl: URL
  /** A thread without a job ends after this time, ms; a minute by default. */
  readonly idleMs?: number | undefined
  /** A thread that is not ready after this time is replaced, ms; 20 seconds by default. */
  readonly startMs?: number | undefined
  readonly onFree: () => void
  /** Called when no thread is ready and none could be started. The next job tries again. */
  readonly onFailure: (error: TvmError) => void
}

const msOf = ({ thread, timeBefore }: Member): number => (threadTime(thread) - timeBefore) * 1000

const settle = (member: Member, gas?: number): Pending | undefined => {
  const { pending } = member
  clearTimeout(member.timer)
  member.pending = undefined
  member.running?.end(gas, msOf(member))
  member.running = undefined
  return pending
}

/** Repeats failed starts, each after a pause, because the system may soon have room for a thread again. Gives up after several failed starts in a row. */
const createStarts = (again: () => void, giveUp: (error: TvmError) => void) => {
  let failures = 0
  let pause: NodeJS.Timeout | undefined
  return {
    pausing: () => pause !== undefined,
    succeeded: () => {
      failures = 0
    },
    failed: (error: TvmError) => {
      if (++failures < MAX_FAILED_STARTS) {
        pause ??= setTimeout(() => {
          pause = undefined
          again()
        }, PAUSE_MS * failures)
        return
      }
      failures = 0
      giveUp(error)
    },
    stop: () => clearTimeout(pause),
  }
}

const endAll = async (members: Set<Member>, error: TvmError): Promise<void> => {
  const open = [...members]
  members.clear()
  for (const member of open) {
    member.idleEnd.busy()
    settle(member)?.reject(error)
  }
  await Promise.all(open.map((member) => member.worker.terminate()))
}

/** Calls `onTimeout` when a member has used `ms` of its own processor time. */
const watch = (member: Member, ms: number, onTimeout: () => void): void => {
  clearTimeout(member.timer)
  const began = performance.now()
  member.timeBefore = threadTime(member.thread)
  const look = (after: number): void => {
    member.timer = setTimeout(() => {
      // On a busy machine a thread gets only a part of the wall-clock time, so its processor time is compared. Without /proc it is NaN, and `onTimeout` is
      // called after `ms` of wall-clock time.
      const left = ms - msOf(member)
      if (left > 0 && performance.now() - began < ms * PATIENCE) return look(Math.max(left, MIN_LOOK_MS))
      onTimeout()
    }, after)
  }
  look(ms)
}

/** Sends a job to its member, unless the member has lost it by then. `begun` is called at the moment when the thread gets it. */
const send = async (member: Member, pending: Pending, begun: () => void): Promise<void> => {
  const message = await pending.make(pending.id, member)
  if (member.pending !== pending) return
  begun()
  member.worker.postMessage(message)
}

export const createThreads = (options: ThreadsOptions) => {
  const { workers, deadlineMs, workerUrl, idleMs = IDLE_MS, startMs = START_MS, onFree, onFailure } = options
  const members = new Set<Member>()
  let replaced = 0
  let stopped = false
  const starts = createStarts(
    () => spawn(),
    (error) => {
      // If another thread is ready, it can do the waiting jobs.
      if ([...members].some(({ ready }) => ready)) return
      // The error has the kind of a full queue, because the jobs are not at fault and may be sent again.
      onFailure(new TvmError('overloaded', `TVM workers do not start: ${error.message}`, { cause: error }))
    },
  )

  const replace = (member: Member, error: TvmError): void => {
    if (!members.delete(member)) return
    member.idleEnd.busy()
    settle(member)?.reject(error)
    void member.worker.terminate()
    if (stopped) return
    replaced++
    if (member.ready) spawn()
    else starts.failed(error)
  }

  const receive = (member: Member, message: FromWorker): void => {
    if (message.type === 'ready') {
      member.ready = true
      member.thread = message.thread
      starts.succeeded()
      clearTimeout(member.timer)
      // An idle thread must not keep the process alive; a running job keeps it alive by its timer. A thread that is being terminated stays referenced, because
      // its end is awaited.
      if (members.has(member)) {
        member.worker.unref()
        member.idleEnd.idle()
      }
    } else if (message.id === member.pending?.id) {
      const pending = settle(member, gasOf(message))
      member.idleEnd.idle()
      if (message.type === 'failed') pending?.reject(new TvmError(message.kind, message.message))
      else pending?.resolve(message)
    }
    onFree()
  }

  const spawn = (): void => {
    if (stopped) return
    let worker: Worker
    try {
      worker = startThread(workerUrl, { name: 'tvm', resourceLimits: RESOURCE_LIMITS })
    } catch (error) {
      starts.failed(new TvmError('crashed', 'there is no room for another thread', { cause: error }))
      return
    }
    // A thread frees 16 MB when it ends. But the next job then needs a new thread, which takes up to 180 ms of processor time.
    const idleEnd = createIdleEnd(idleMs, () => {
      if (members.delete(member)) void worker.terminate()
    })
    const member: Member = {
      worker,
      idleEnd,
      thread: undefined,
      ready: false,
      pending: undefined,
      running: undefined,
      timer: undefined,
      timeBefore: Number.NaN,
    }
    members.add(member)
    worker.on('message', (message: FromWorker) => receive(member, message))
    worker.on('error', (error) => replace(member, new TvmError('crashed', `a TVM worker failed: ${error.message}`, { cause: error })))
    worker.on('exit', (code) => replace(member, new TvmError('crashed', `a TVM worker ended with code ${code}`)))
    watch(member, startMs, () => replace(member, new TvmError('crashed', `a TVM worker was not ready after ${startMs} ms`)))
  }

  const give = (member: Member, pending: Pending, running: Running | undefined): void => {
    member.idleEnd.busy()
    member.pending = pending
    member.running = running
    const begun = (): void =>
      watch(member, deadlineMs, () => replace(member, new TvmError('timeout', `the TVM made no progress for ${deadlineMs} ms`)))
    send(member, pending, begun).catch((error: unknown) => {
      if (member.pending !== pending) return
      settle(member)?.reject(error)
      member.idleEnd.idle()
      onFree()
    })
  }

  return {
    /** Returns undefined if all threads are busy. Another thread then starts (up to `workers`), and `onFree` is called when it is ready. */
    free: (): Give | undefined => {
      const open = [...members]
      const idle = open.find((member) => member.ready && member.pending === undefined)
      if (idle !== undefined) return (pending, running) => give(idle, pending, running)
      // A thread costs 16 MB, so another thread starts only if all others are busy or have ended.
      if (open.length < workers && !starts.pausing() && open.every(({ ready }) => ready)) spawn()
      return undefined
    },
    /** Called when the caller of a job aborted. Replaces the job's thread if the job does not end soon. */
    forsake: (pending: Pending): void => {
      for (const member of members) {
        if (member.pending === pending) watch(member, ABANDONED_MS, () => replace(member, new TvmError('timeout', 'the caller has gone')))
      }
    },
    /** Maximum number of threads. */
    size: () => (stopped ? 0 : workers),
    busy: () => [...members].filter((member) => member.pending).length,
    replaced: () => replaced,
    close(error: TvmError): Promise<void> {
      stopped = true
      starts.stop()
      return endAll(members, error)
    },
  }
}
