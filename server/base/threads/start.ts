import { type ResourceLimits, Worker } from 'node:worker_threads'

/* Starts and ends threads of this process. Their programs are built files (base/threads/built-worker.ts). */

export interface ThreadOptions {
  /** Name for debuggers and profilers. */
  readonly name: string
  readonly workerData?: unknown
  readonly resourceLimits?: ResourceLimits
  /** Environment of the thread, empty by default. */
  readonly env?: Readonly<NodeJS.ProcessEnv>
}

/**
 * Starts a thread. It inherits only the process flag for source maps, because the module loaders of a test runner would not work in it. A debugger of the
 * process can attach to it without a flag.
 */
export const startThread = (program: URL, { name, workerData, resourceLimits = {}, env = {} }: ThreadOptions): Worker => {
  const execArgv = process.execArgv.filter((flag) => flag === '--enable-source-maps')
  return new Worker(program, { name, workerData, resourceLimits, env, execArgv })
}

/** Time without work (ms) after which a thread ends. */
export const IDLE_MS = 60_000
/**
 * Time without work (ms) for the first thread after a long time without work. It is shorter, so that a single piece of work does not keep a thread for a
 * minute.
 */
const FIRST_IDLE_MS = 5_000

/** Time without work (ms) for a thread that starts now. `lastWork`: time of the last work of threads of this kind (monotonic ms). */
export const idleTime = (lastWork: number, idleMs: number = IDLE_MS): number =>
  performance.now() - lastWork > idleMs ? Math.min(FIRST_IDLE_MS, idleMs) : idleMs

/** Ends a thread that had no work for a while, to free its memory. */
export interface IdleEnd {
  /** Reports that the thread has work. */
  busy(): void
  /** Reports that the thread has no work. `end` runs after the time, if no work arrives before. The timer does not keep the process running. */
  idle(): void
}

/** `ms`: time without work after which `end` runs. */
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
