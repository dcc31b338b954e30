import { type ResourceLimits, Worker } from 'node:worker_threads'

/* Threads of this process. Their programs are built files (base/threads/built-worker.ts). */

export interface ThreadOptions {
  /** Shown by debuggers and profilers. */
  readonly name: string
  readonly workerData?: unknown
  readonly resourceLimits?: ResourceLimits
  /** Environment of the thread, empty by default. */
  readonly env?: Readonly<NodeJS.ProcessEnv>
}

/**
 * Starts a thread. Of the flags of the process it takes the one for source maps alone, and not the loaders of a test runner. A debugger of the process reaches it
 * without a flag.
 */
export const startThread = (program: URL, { name, workerData, resourceLimits = {}, env = {} }: ThreadOptions): Worker => {
  const execArgv = process.execArgv.filter((flag) => flag === '--enable-source-maps')
  return new Worker(program, { name, workerData, resourceLimits, env, execArgv })
}

/** A thread that has no work for this time ends, ms. */
export const IDLE_MS = 60_000
/** The same for the first thread after a longer time without work: one piece of work alone keeps no thread for a minute. */
const FIRST_IDLE_MS = 5_000

/** How long a thread that starts now may be without work, ms. `lastWork`: when threads of its kind last had some (monotonic ms). */
export const idleTime = (lastWork: number, idleMs: number = IDLE_MS): number =>
  performance.now() - lastWork > idleMs ? Math.min(FIRST_IDLE_MS, idleMs) : idleMs

/** Ends a thread that has no work for a while, which frees its memory. */
export interface IdleEnd {
  /** The thread has work. */
  busy(): void
  /** The thread has no work: `end` runs after the time, unless it gets some. The timer does not keep the process alive. */
  idle(): void
}

/** `ms`: time without work until `end` runs. */
export const createIdleEnd = (ms: number, end: () => void): IdleEnd => {
  let timer: NodeJS.Timeout | undefined
  const busy = (): void => clearTimeout(timer)
  return {
    busy,
    idle() {
      busy()
      timer = setTimeout(end, ms).unref()
    },
  }
}
