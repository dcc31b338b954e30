import { Continuation, Control } from './continuation.ts'
import { isTuple, type Value } from './value.ts'

/* The size of a serialized stack. Tuples and continuations can share parts, so a few of them can expand to 2^n values. */

const NO_CONTROL = new Control()

const partsOfContinuation = ({ c0, control, body, after, condition }: Continuation): readonly Value[] => {
  const { c1, c2, c3, c4, c5, c7, stack } = control ?? NO_CONTROL
  const parts = [c0, body, after, condition, c1, c2, c3, c4, c5, c7].filter((value) => value !== null)
  return stack === null ? parts : [...parts, ...stack]
}

const NO_PARTS: readonly Value[] = []

/** The values that are serialized as parts of a value. */
export const partsOf = (value: Value): readonly Value[] => {
  if (isTuple(value)) return value
  return value instanceof Continuation ? partsOfContinuation(value) : NO_PARTS
}

/** Returns whether there are at most `most` values. A value within tuples and continuations counts once for each occurrence. */
export const hasAtMost = (most: number, values: readonly Value[]): boolean => {
  const open: (readonly Value[])[] = [values]
  let count = 0
  for (let some = open.pop(); some !== undefined; some = open.pop()) {
    count += some.length
    if (count > most) return false
    for (const value of some) {
      const parts = partsOf(value)
      if (parts.length > 0) open.push(parts)
    }
  }
  return true
}
