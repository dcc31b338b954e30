/*
 * Nothing of a tonway in a program keeps the program alive: neither its port nor its threads. So a program that forgets to close it ends, and it is what
 * waits for an answer that keeps the program alive.
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
