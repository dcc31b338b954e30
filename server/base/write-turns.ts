/*
 * Large answers made of cached texts are written faster than the event loop can send them. Each writer reports how many bytes it wrote; when a turn's
 * share is used up, it waits for one of the next turns, so that other requests are served in between.
 */

/** Bytes that all writers together may write in one turn of the event loop. */
const SHARE = 1 << 20
/** After this many milliseconds of one turn a writer waits for the next one, however little was written. */
const LONGEST = 10

let written = 0
let began = 0
let isCounting = false
const waiting: (() => void)[] = []

const count = (): void => {
  if (isCounting) return
  isCounting = true
  began = performance.now()
  setImmediate(turn)
}

/** Starts the next turn: the first waiting writer goes on and takes what it can use of the share. */
const turn = (): void => {
  isCounting = false
  written = 0
  const next = waiting.shift()
  if (next === undefined) return
  count()
  next()
}

/** Reports bytes of answers that were written. Returns a promise to wait for when the turn's share is used up. */
export const wrote = (bytes: number): Promise<void> | undefined => {
  count()
  written += bytes
  if (written < SHARE && performance.now() - began < LONGEST) return undefined
  return new Promise((resolve) => {
    waiting.push(resolve)
  })
}
