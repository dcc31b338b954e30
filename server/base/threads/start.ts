import { type ResourceLimits, Worker } from 'node:worker_threads'

export interface ThreadOptions {
  readonly name: string
  readonly workerData?: unknown
  readonly resourceLimits?: ResourceLimits
  readonly env?: Readonly<NodeJS.ProcessEnv>
}

/** Starts a thread. Of the process flags, it inherits only the one for source maps, because the module loaders of a test runner would not work in it. */
export const startThread = (program: URL, { name, workerData, resourceLimits = {}, env = {} }: ThreadOptions): Worker => {
  const execArgv = process.execArgv.filter((flag) => flag === '--enable-source-maps')
  return new Worker(program, { name, workerData, resourceLimits, env, execArgv })
}

/** Time without work (ms) after which a thread ends. */
export const IDLE_MS = 60_000
/** Shorter time for the first thread after a pause, so that a single piece of work does not occupy a thread for a minute. */
const FIRST_IDLE_MS = 5_000

/** Milliseconds without work after which a new thread ends. `lastWork`: time of the last work of threads of this kind (monotonic ms). */
export const idleTime = (lastWork: number, idleMs: number = IDLE_MS): number =>
  performance.now() - lastWork > idleMs ? Math.min(FIRST_IDLE_MS, idleMs) : idleMs

export interface IdleEnd {
  busy(): void
  /** Reports that the thread has no work. `end` runs after the time, unless work arrives before. The timer does not keep the process running. */
  idle(): void
}

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
