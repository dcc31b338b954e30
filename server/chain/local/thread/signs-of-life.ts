/*
 * Signs of life of the thread that makes blocks. While the thread has work, it sends a sign whenever its event loop runs, which is between the transactions
 * of a block. One transaction may take five seconds.
 */

/** Interval of the signs, and of the checks for them, ms. */
const EVERY_MS = 1000
export const SILENCE_S = 30

export class ThreadSilent extends Error {
  constructor(seconds: number) {
    super(`it gave no sign of life for ${seconds} s, and was ended`)
  }
}

/** Wraps the thread's work. While a piece of work runs, `give` is called periodically. */
export const givingSigns = (give: () => void) => {
  let running = 0
  let timer: NodeJS.Timeout | undefined
  return async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (running++ === 0) timer = setInterval(give, EVERY_MS)
    try {
      return await work()
    } finally {
      if (--running === 0) clearInterval(timer)
    }
  }
}

export interface Watch {
  start(): void
  sign(): void
  stop(): void
}

/**
 * Calls `onSilence` when a thread with work gave no sign for `seconds`. Counts checks instead of measuring time: while the whole process is suspended no
 * checks run, so that time does not count.
 */
export const createWatch = (seconds: number, onSilence: (error: ThreadSilent) => void): Watch => {
  let looks = 0
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => clearInterval(timer)
  const look = (): void => {
    if (++looks < (seconds * 1000) / EVERY_MS) return
    stop()
    onSilence(new ThreadSilent(seconds))
  }
  return {
    start() {
      stop()
      looks = 0
      timer = setInterval(look, EVERY_MS).unref()
    },
    sign() {
      looks = 0
    },
    stop,
  }
}
