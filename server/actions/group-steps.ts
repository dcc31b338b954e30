import { type Kind, Step } from './step.ts'

/** Replaces the parts of `step` in `above.next` by `step`. */
const replace = (above: Step, step: Step): void => {
  const next: Step[] = []
  let put = false
  for (const other of above.next) {
    if (other.group !== step) next.push(other)
    else if (!put) {
      put = true
      next.push(step)
    }
  }
  above.next = next
}

export interface GroupOptions {
  readonly info?: unknown
  /** If set, members that all followed from this step can form a group even if none of the members caused another member. */
  readonly below?: Step | undefined
  /** If not set, `success` of the columns says it. */
  readonly failed?: boolean
}

/**
 * Replaces connected steps by one step. Connected: each member but the first followed from another member. Other steps that followed from members then
 * follow from the group. Returns undefined and changes nothing if the members are not connected or one member already belongs to a group.
 */
export const group = (
  kind: Kind,
  members: readonly Step[],
  columns: Step['columns'],
  { info, below, failed }: GroupOptions = {},
): Step | undefined => {
  // Members are marked with this object instead of collected in a Set, because small groups take nearly all of the classification's time.
  const attempt = {}
  const parts: Step[] = []
  for (const member of members) {
    if (member.group !== undefined) return undefined
    if (member.attempt === attempt) continue
    member.attempt = attempt
    parts.push(member)
  }
  let first: Step | undefined
  for (const part of parts) {
    if (part.previous?.attempt === attempt) continue
    if (below === undefined ? first !== undefined : part.previous !== below) return undefined
    if (first === undefined || part.minLt < first.minLt) first = part
  }
  if (first === undefined) return undefined
  // Duplicates cannot occur: no node belongs to two ungrouped steps.
  const nodes = parts.flatMap((part) => part.nodes)
  const step = new Step(kind, nodes, columns, parts, info)
  step.order = first.order
  step.failed = failed ?? (typeof columns === 'object' && columns.success === false)
  step.previous = first.previous
  step.origin = below === undefined ? first.origin : undefined
  for (const part of parts) {
    part.group = step
    for (const next of part.next) {
      if (next.attempt === attempt || next.group !== undefined) continue
      step.append(next)
    }
  }
  if (step.previous !== undefined) replace(step.previous, step)
  return step
}
