/*
 * The port and the threads of a tonway do not keep the process running, so that a program ends even if it forgets to close its tonway. `hold` keeps the
 * process running while it waits for an answer.
 */

/** Maximum delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1

let waiting = 0
let timer: NodeJS.Timeout | undefined

export const hold = async <T>(work: Promise<T>): Promise<T> => {
  if (waiting++ === 0) timer = setInterval(() => {}, LONGEST)
  return await work.finally(() => {
    if (--waiting === 0) clearInterval(timer)
  })
}
