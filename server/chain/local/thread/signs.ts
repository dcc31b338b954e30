/*
 * Signs of life of the thread that makes blocks. It gives them while it has work, whenever its event loop gets a turn: between the transactions of a block. One
 * transaction may take five seconds.
 */

/** Time between two signs, and between two looks for them, ms. */
const EVERY_MS = 1000
/** Seconds without a sign after which a thread is given up. */
export const SILENCE_S = 30

/** The thread gave no sign of life while it had work. */
export class ThreadSilent extends Error {
  constructor(seconds: number) {
    super(`it gave no sign of life for ${seconds} s, and was ended`)
  }
}

/** Runs pieces of work of the thread. While one of them runs, `give` is called again and again. */
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

/** Looks for signs of a thread. */
export interface Watch {
  /** The thread has work from now on. */
  start(): void
  /** It gave a sign. */
  sign(): void
  /** It has no more work. */
  stop(): void
}

/**
 * Calls `onSilence` when a thread with work gave no sign for `seconds`. Looks are counted, not time: if this thread stood still too, as the whole process does
 * while it is suspended, the other one is not to blame.
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
