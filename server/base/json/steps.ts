import { createPauses } from '../yield.ts'
import { JsonText } from './text.ts'

/* JSON that is written without blocking the event loop for long: as one text if it is short, otherwise passed on in pieces. */

/** Characters of a piece. Sending a smaller piece costs more than making it; making a larger one keeps other calls waiting. */
const PIECE = 1 << 16
/** Milliseconds that one answer may block the event loop at a time. */
const TURN = 8

/** Passes on what the steps write, in pieces of at least PIECE characters. The last ones stay in `out`. Other work runs between two steps if it is time. */
export async function* writtenPieces(out: JsonText, steps: Iterable<void>): AsyncGenerator<string> {
  const pause = createPauses(TURN)
  for (const _ of steps) {
    if (out.length >= PIECE) yield out.take()
    const paused = pause()
    if (paused !== undefined) await paused
  }
}

/** The same with the last ones. */
export async function* allPieces(out: JsonText, steps: Iterable<void>): AsyncGenerator<string> {
  yield* writtenPieces(out, steps)
  yield out.take()
}

/** Takes all steps if what is written stays shorter than a few pieces. Otherwise false: some steps are left. Rejects with the signal's reason. */
export const shortSteps = async (out: JsonText, steps: Iterator<void>, signal: AbortSignal): Promise<boolean> => {
  const pause = createPauses(TURN, signal)
  while (steps.next().done !== true) {
    if (out.length >= 2 * PIECE) return false
    const paused = pause()
    if (paused !== undefined) await paused
  }
  return true
}

/** Writes a member. If it is long, it yields to the event loop between two steps. */
export type WriteMember<T> = (out: JsonText, member: T) => Iterable<void> | void

/** Writes the members of an array without its brackets, one in each step. */
export function* memberSteps<T>(out: JsonText, members: readonly T[], write: WriteMember<T>): Generator<void> {
  for (const [i, member] of members.entries()) {
    if (i > 0) out.add(',')
    const steps = write(out, member)
    if (steps) yield* steps
    yield
  }
}

/** Writes any value, with a step for each member of its outer `levels` levels; each deeper value is written at once. Throws TypeError for a bigint. */
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

/** JSON of a large value in pieces; other work runs between two pieces. */
export const jsonPieces = (value: object, levels: number): AsyncGenerator<string> => {
  const out = new JsonText()
  return allPieces(out, valueSteps(out, value, levels))
}
