import { createPauses } from '../yield.ts'
import type { JsonBytes } from './bytes.ts'

/* JSON that is written as bytes without blocking the event loop for long: as one text if it is short, otherwise passed on in pieces. */

/** Bytes of a piece, or characters if it is a text. Sending a smaller piece costs more than making it; making a larger one keeps other calls waiting. */
export const PIECE = 1 << 16
/** Milliseconds that one answer may block the event loop at a time. */
export const TURN = 8

/** Passes on what the steps write, in pieces of at least PIECE bytes. The last bytes stay in `out`. Other work runs between two steps if it is time. */
export async function* writtenPieces(out: JsonBytes, steps: Iterable<void>): AsyncGenerator<Uint8Array> {
  const pause = createPauses(TURN)
  for (const _ of steps) {
    if (out.length >= PIECE) yield out.take()
    const paused = pause()
    if (paused !== undefined) await paused
  }
}

/** The same with the last bytes. */
export async function* allPieces(out: JsonBytes, steps: Iterable<void>): AsyncGenerator<Uint8Array> {
  yield* writtenPieces(out, steps)
  yield out.take()
}

/** Takes all steps if what is written stays shorter than a few pieces. Otherwise false: some steps are left. Rejects with the signal's reason. */
export const shortSteps = async (out: JsonBytes, steps: Iterator<void>, signal: AbortSignal): Promise<boolean> => {
  const pause = createPauses(TURN, signal)
  while (steps.next().done !== true) {
    if (out.length >= 2 * PIECE) return false
    const paused = pause()
    if (paused !== undefined) await paused
  }
  return true
}

/** Writes a member. It gives way between two steps if it is long. */
export type WriteMember<T> = (out: JsonBytes, member: T) => Iterable<void> | void

/** Writes the members of an array without its brackets, one in each step. */
export function* memberSteps<T>(out: JsonBytes, members: readonly T[], write: WriteMember<T>): Generator<void> {
  for (const [i, member] of members.entries()) {
    if (i > 0) out.comma()
    const steps = write(out, member)
    if (steps) yield* steps
    yield
  }
}

/** Writes any value, with a step after each member if it is an object. */
export function* valueSteps(out: JsonBytes, value: unknown): Generator<void> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    out.json(JSON.stringify(value))
    return
  }
  let before = '{'
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    out.json(`${before}${JSON.stringify(name)}:${JSON.stringify(member)}`)
    before = ','
    yield
  }
  out.json(before === '{' ? '{}' : '}')
}
