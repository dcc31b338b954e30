/*
 * Answers of megabytes are made of cached texts faster than the event loop can send them. Whoever makes them says how much was written; what is over
 * a turn's share waits for one of the next turns, so that others are served in between.
 */

/** Bytes that are written in one turn of the event loop, by all together. */
const SHARE = 1 << 20
/** Milliseconds of one turn after which whoever writes waits for the next, however little was written. */
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

/** The next turn: the first of those who wait goes on, and takes of its share as much as it can use. */
const turn = (): void => {
  isCounting = false
  written = 0
  const next = waiting.shift()
  if (next === undefined) return
  count()
  next()
}

/** Says that so many bytes of answers were written. A promise where the turn's share is used up: what comes next waits for it. */
export const wrote = (bytes: number): Promise<void> | undefined => {
  count()
  written += bytes
  if (written < SHARE && performance.now() - began < LONGEST) return undefined
  return new Promise((resolve) => {
    waiting.push(resolve)
  })
}
