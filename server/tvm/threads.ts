import type { Worker } from 'node:worker_threads'
import { createIdleEnd, IDLE_MS, type IdleEnd, idleTime, startThread } from '../base/threads/start.ts'
import { threadTime } from '../base/threads/thread-time.ts'
import type { Running } from './fair-queue.ts'
import type { FromWorker, ToWorker } from './protocol.ts'
import { TvmError } from './tvm.ts'

/* Starts threads, gives them jobs and replaces failed ones. It does not know what the jobs mean. */

/** Makes a job's message. It needs the worker, because the message depends on the configurations that the worker holds. */
export type MakeMessage = (id: number, worker: object) => ToWorker
export type Answer = Exclude<FromWorker, { type: 'ready' | 'failed' }>

/** A job and the callbacks of its caller. */
export interface Pending {
  readonly id: number
  readonly make: MakeMessage
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

interface Member {
  readonly worker: Worker
  /** The system's id of the thread; undefined before it is ready, and without /proc. */
  thread: number | undefined
  ready: boolean
  pending: Pending | undefined
  /** Counts the usage of a normal job for its owner. */
  running: Running | undefined
  timer: NodeJS.Timeout | undefined
  readonly idleEnd: IdleEnd
}

/** A job whose caller has gone may run this long before its worker is replaced, ms. */
const ABANDONED_MS = 100
/** How many times longer than its processor time a thread may take by the clock. */
const PATIENCE = 12
/** Least time between two looks at a thread, ms: what the system counts processor time by. */
const MIN_LOOK_MS = 10
/** Memory limits of a worker, which holds a few configurations and the cells of one job. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 }
/** A thread that is not ready after this time is replaced, ms. */
const START_MS = 20_000
/** After this many starts in a row that failed, the jobs that wait are refused. The next job tries again. */
const MAX_FAILED_STARTS = 5
/** Pause after a failed start, ms; it grows with each further one. */
const PAUSE_MS = 100

/** Gas that a job used; undefined if the answer does not hold it. */
const gasOf = (message: FromWorker): number | undefined => {
  const gas = message.type === 'get-method' ? Number(message.result.gasUsed) : Number.NaN
  return Number.isFinite(gas) ? gas : undefined
}

export interface ThreadsOptions {
  /** Largest number of threads. None starts before the first job. */
  readonly workers: number
  /** A job's worker is terminated after so much of its processor time, ms; after twelve times that by the clock. */
  readonly deadlineMs: number
  readonly workerUrl: URL
  /** A thread without a job ends after this time, ms; a minute by default. The first one after so long without jobs ends after five seconds. */
  readonly idleMs?: number | undefined
  /** A thread that is not ready after this time is replaced, ms; 20 seconds by default. */
  readonly startMs?: number | undefined
  /** Called when a thread may have become free. */
  readonly onFree: () => void
  /** Called when there is no thread and none could be started. The next job tries again. */
  readonly onFailure: (error: TvmError) => void
}

export interface Threads {
  /**
   * For a job that waits: a function that gives it to an idle thread. If all are busy, starts another one (up to `workers`) and returns undefined;
   * `onFree` is called when it is ready.
   */
  free(): ((pending: Pending, running: Running | undefined) => void) | undefined
  /** Starts a thread if there is none. */
  begin(): void
  /** The caller has gone: replaces the job's thread if the job does not end soon. */
  forsake(pending: Pending): void
  /** Largest number of threads. */
  size(): number
  busy(): number
  replaced(): number
  /** Whether no thread is starting. */
  allReady(): boolean
  /** Ends all threads; rejects running jobs with `error`. */
  close(error: TvmError): Promise<void>
}

/** Ends the job of a member, if it has one, and returns it. */
const settle = (member: Member, gas?: number): Pending | undefined => {
  const { pending } = member
  clearTimeout(member.timer)
  member.pending = undefined
  member.running?.end(gas)
  member.running = undefined
  return pending
}

/** Repeats starts that fail, each after a pause, because the system may have room for a thread again soon. Gives up after several in a row. */
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

/** Ends threads; their jobs fail. */
const endAll = async (members: readonly Member[], error: TvmError): Promise<void> => {
  for (const member of members) {
    member.idleEnd.busy()
    settle(member)?.reject(error)
  }
  await Promise.all(members.map((member) => member.worker.terminate()))
}

/** Calls `onTimeout` when a member has used `ms` of its own processor time. */
const watch = (member: Member, ms: number, onTimeout: () => void): void => {
  clearTimeout(member.timer)
  const [began, used] = [performance.now(), threadTime(member.thread)]
  const look = (after: number): void => {
    member.timer = setTimeout(() => {
      // On a busy machine a thread gets a part of its time. NaN without /proc: time by the clock counts then.
      const left = ms - (threadTime(member.thread) - used) * 1000
      if (left > 0 && performance.now() - began < ms * PATIENCE) return look(Math.max(left, MIN_LOOK_MS))
      onTimeout()
    }, after)
  }
  look(ms)
}

export const createThreads = (options: ThreadsOptions): Threads => {
  const { workers, deadlineMs, workerUrl, idleMs = IDLE_MS, startMs = START_MS, onFree, onFailure } = options
  const members = new Set<Member>()
  let replaced = 0
  let stopped = false
  let lastJob = Number.NEGATIVE_INFINITY
  const starts = createStarts(
    () => spawn(),
    (error) => {
      // Jobs that wait can still be done if there is another thread.
      if ([...members].some(({ ready }) => ready)) return
      // As for a full queue: the job itself is not at fault, and may be tried again.
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
      // An idle thread lets the process end. The timer of a running job keeps it alive. One that is being ended must not: its end is waited for.
      if (members.has(member)) {
        member.worker.unref()
        member.idleEnd.idle()
      }
    } else if (message.id === member.pending?.id) {
      const pending = settle(member, gasOf(message))
      lastJob = performance.now()
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
    // A thread without a job frees 16 MB when it ends. The next job then needs a new one, which takes up to 180 ms of processor time.
    const idleEnd = createIdleEnd(members.size === 0 ? idleTime(lastJob, idleMs) : idleMs, () => {
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
    watch(member, deadlineMs, () => replace(member, new TvmError('timeout', `the TVM made no progress for ${deadlineMs} ms`)))
    try {
      member.worker.postMessage(pending.make(pending.id, member))
    } catch (error) {
      settle(member)?.reject(new TvmError('rejected', 'the request cannot be sent to a worker', { cause: error }))
      member.idleEnd.idle()
    }
  }

  return {
    free: () => {
      const open = [...members]
      const idle = open.find((member) => member.ready && member.pending === undefined)
      if (idle !== undefined) return (pending, running) => give(idle, pending, running)
      // A thread costs 16 MB, so another one starts when all others are busy or have ended.
      if (open.length < workers && !starts.pausing() && open.every(({ ready }) => ready)) spawn()
      return undefined
    },
    begin: () => {
      if (members.size === 0 && !starts.pausing()) spawn()
    },
    forsake: (pending) => {
      for (const member of members) {
        if (member.pending === pending) watch(member, ABANDONED_MS, () => replace(member, new TvmError('timeout', 'the caller has gone')))
      }
    },
    size: () => (stopped ? 0 : workers),
    busy: () => [...members].filter((member) => member.pending).length,
    replaced: () => replaced,
    allReady: () => !starts.pausing() && [...members].every((member) => member.ready),
    close(error) {
      stopped = true
      starts.stop()
      const open = [...members]
      members.clear()
      return endAll(open, error)
    },
  }
}
