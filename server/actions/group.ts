import type { Columns } from './action.ts'
import { type Kind, Step } from './step.ts'

/** Puts `step` in the place of `members` among what followed from `above`. */
const replace = (above: Step, members: ReadonlySet<Step>, step: Step): void => {
  const next: Step[] = []
  let put = false
  for (const other of above.next) {
    if (!members.has(other)) next.push(other)
    else if (!put) {
      put = true
      next.push(step)
    }
  }
  above.next = next
}

/** What a group is made with beside its members. */
export interface GroupOptions {
  readonly failed?: boolean
  readonly info?: unknown
  /** Members that all followed from this step may make a group although none of them caused the others. */
  readonly below?: Step | undefined
}

/**
 * Makes one step of several that hang together: all but the first followed from another of them. Steps that followed and are no members
 * follow from the group then. undefined, and nothing is changed, if they do not hang together or one already belongs to a group.
 */
export const group = (
  kind: Kind,
  members: readonly Step[],
  columns: Columns,
  { failed = false, info, below }: GroupOptions = {},
): Step | undefined => {
  const set = new Set(members)
  let first: Step | undefined
  for (const member of set) {
    if (member.group !== undefined) return undefined
    if (member.previous !== undefined && set.has(member.previous)) continue
    if (below === undefined ? first !== undefined : member.previous !== below) return undefined
    if (first === undefined || member.minLt < first.minLt) first = member
  }
  if (first === undefined) return undefined
  const parts = [...set]
  const step = new Step(kind, [...new Set(parts.flatMap(({ nodes }) => nodes))], columns, parts, info)
  step.failed = failed
  step.previous = first.previous
  step.origin = below === undefined ? first.origin : undefined
  for (const part of parts) {
    part.group = step
    for (const next of part.next) {
      if (set.has(next) || next.group !== undefined) continue
      next.previous = step
      step.next.push(next)
    }
  }
  if (step.previous !== undefined) replace(step.previous, set, step)
  return step
}
