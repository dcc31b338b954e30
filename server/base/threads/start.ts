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

/** Starts a thread. It takes no flags of the process, such as --inspect or the loaders of a test runner. */
export const startThread = (program: URL, { name, workerData, resourceLimits = {}, env = {} }: ThreadOptions): Worker =>
  new Worker(program, { name, workerData, resourceLimits, env, execArgv: [] })

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
