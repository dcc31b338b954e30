import { Worker, type WorkerOptions } from 'node:worker_threads'

type ThreadOptions = Pick<WorkerOptions, 'workerData' | 'resourceLimits' | 'env'> & { readonly name: string }

/** Starts a thread. Of the process flags, it inherits only the one for source maps, because the module loaders of a test runner would not work in it. */
export const startThread = (program: URL, options: ThreadOptions): Worker => {
  const execArgv = process.execArgv.filter((flag) => flag === '--enable-source-maps')
  return new Worker(program, { ...options, env: options.env ?? {}, execArgv })
}

/** Time (ms) after which a thread without work ends. */
export const IDLE_MS = 60_000

export type IdleEnd = ReturnType<typeof createIdleEnd>

export const createIdleEnd = (ms: number, end: () => void) => {
  let timer: NodeJS.Timeout | undefined
  const busy = (): void => clearTimeout(timer)
  return {
    busy,
    /**
     * Reports that the thread has no work. Unless `busy` is called before, the thread is ended after the idle time. The timer does not keep the process
     * running.
     */
    idle(): void {
      busy()
      timer = setTimeout(end, ms).unref()
    },
  }
}
