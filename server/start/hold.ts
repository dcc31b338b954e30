/*
 * The port and the threads of a tonway do not keep its program alive, so a program that forgets to close it still ends. A call that waits for an answer does
 * keep the program alive, with `hold`.
 */

/** The longest time that a timer takes, milliseconds. */
const LONGEST = 2 ** 31 - 1

let waiting = 0
let timer: NodeJS.Timeout | undefined

/** Keeps the process alive until the work is done. */
export const hold = async <T>(work: Promise<T>): Promise<T> => {
  if (waiting++ === 0) timer = setInterval(() => {}, LONGEST)
  try {
    return await work
  } finally {
    if (--waiting === 0) clearInterval(timer)
  }
}
