import { Continuation } from './continuation.ts'
import { isTuple, type Value } from './value.ts'

/* The size of a serialized stack. Tuples and continuations can share parts, so a few of them can expand to 2^n values. */

const partsOf = ({ c0, control, body, after, condition }: Continuation): readonly Value[] => [
  ...[c0, body, after, condition, control?.c1, control?.c2, control?.c3].flatMap((value) => value ?? []),
  ...(control?.c7 ?? []),
  ...(control?.stack ?? []),
]

/** Returns whether there are at most `most` values. A value within tuples and continuations counts once for each occurrence. */
export const hasAtMost = (most: number, values: readonly Value[]): boolean => {
  const open: (readonly Value[])[] = [values]
  let count = 0
  for (let some = open.pop(); some !== undefined; some = open.pop()) {
    count += some.length
    if (count > most) return false
    for (const value of some) {
      if (value === null || typeof value !== 'object') continue
      if (isTuple(value)) open.push(value)
      else if (value instanceof Continuation) open.push(partsOf(value))
    }
  }
  return true
}
