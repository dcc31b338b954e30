import { createPauses } from '../yield.ts'
import { JsonText } from './text.ts'

/* Writes JSON without blocking the event loop for long. Short JSON becomes one text, longer JSON is passed on in pieces. */

/** Characters of a piece. Smaller pieces cost more to send than to produce. Larger ones block other calls while they are produced. */
const PIECE = 1 << 16
/** Milliseconds for which one answer may block the event loop at a time. */
const TURN = 8

/**
 * Yields the text that the steps write, in pieces of at least PIECE characters. The text after the last such piece stays in `out`. Yields to the event loop
 * between steps when the time slice is over.
 */
export async function* writtenPieces(out: JsonText, steps: Iterable<void>): AsyncGenerator<string> {
  const pause = createPauses(TURN)
  for (const _ of steps) {
    if (out.length >= PIECE) yield out.take()
    const paused = pause()
    if (paused !== undefined) await paused
  }
}

/** Like writtenPieces, but also yields the text that is left at the end. */
export async function* allPieces(out: JsonText, steps: Iterable<void>): AsyncGenerator<string> {
  yield* writtenPieces(out, steps)
  yield out.take()
}

/**
 * Runs the steps until the text in `out` is two pieces long. Returns true if all steps are done before that. Rejects with the signal's reason once the
 * signal is aborted.
 */
export const shortSteps = async (out: JsonText, steps: Iterator<void>, signal: AbortSignal): Promise<boolean> => {
  const pause = createPauses(TURN, signal)
  while (steps.next().done !== true) {
    if (out.length >= 2 * PIECE) return false
    const paused = pause()
    if (paused !== undefined) await paused
  }
  return true
}

/** Writes a member of an array. A long member is written in steps, between which the event loop can run. */
export type WriteMember<T> = (out: JsonText, member: T) => Iterable<void> | void

/** Writes the members of an array, without its brackets. Each member is a step. */
export function* memberSteps<T>(out: JsonText, members: readonly T[], write: WriteMember<T>): Generator<void> {
  for (const [i, member] of members.entries()) {
    if (i > 0) out.add(',')
    const steps = write(out, member)
    if (steps) yield* steps
    yield
  }
}

/** Writes any value. Each member of the outer `levels` levels is a step; deeper values are written at once. Throws TypeError for a bigint. */
export function* valueSteps(out: JsonText, value: unknown, levels = 1): Generator<void> {
  if (typeof value !== 'object' || value === null || levels === 0) out.value(value)
  else if (Array.isArray(value)) {
    out.add('[')
    yield* memberSteps(out, value, (_, member) => valueSteps(out, member ?? null, levels - 1))
    out.add(']')
  } else {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      out.add(`${before}${JSON.stringify(name)}:`)
      yield* valueSteps(out, member, levels - 1)
      before = ','
      yield
    }
    out.add(before === '{' ? '{}' : '}')
  }
}

/** JSON of a large value in pieces, between which the event loop can run. `levels`: as for valueSteps. */
export const jsonPieces = (value: object, levels: number): AsyncGenerator<string> => {
  const out = new JsonText()
  return allPieces(out, valueSteps(out, value, levels))
}
