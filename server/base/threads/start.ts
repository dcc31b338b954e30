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

/** Time (ms) after which a thread without work ends. */
export const IDLE_MS = 60_000
/** As IDLE_MS, for a thread that is started after a pause. A single piece of work then does not keep a thread in memory for a minute. */
const FIRST_IDLE_MS = 5_000

/**
 * Chooses the time (ms) after which a new thread ends if it has no work: a short time if there was no work for `idleMs`. `lastWork`: when a thread of this
 * kind last had work (performance.now()).
 */
export const idleTime = (lastWork: number, idleMs: number = IDLE_MS): number =>
  performance.now() - lastWork > idleMs ? Math.min(FIRST_IDLE_MS, idleMs) : idleMs

export interface IdleEnd {
  busy(): void
  /**
   * Reports that the thread has no work. Unless `busy` is called before, the thread is ended after the idle time. The timer does not keep the process
   * running.
   */
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
