import type { ClientConfig } from 'pg'
import { checkServer, type Sight } from './check.ts'
import { type ChainPosition, comparePositions } from './floor.ts'

/** Milliseconds between two checks of the primary. */
const EVERY = 200
/** Milliseconds after which replicas may be used although the primary has not answered yet. */
const FIRST_PATIENCE = 2_000
/** Maximum number of remembered heads of the primary, each with the time of its first check. They cover at least a minute. */
const MAX_HEADS = 300

interface PrimaryDeps {
  readonly config: () => ClientConfig | undefined
  /** Called after each answer of the primary, and when it is lost. */
  readonly changed: () => void
}

export type Primary = ReturnType<typeof watchPrimary>

export const watchPrimary = ({ config, changed }: PrimaryDeps) => {
  const opened = performance.now()
  let sight: Sight | undefined
  let isLost = false
  let seenAt = 0
  let heads: { readonly head: ChainPosition; readonly at: number }[] = []
  let first: ChainPosition | undefined

  const note = (head: ChainPosition): void => {
    first ??= head
    const last = heads.at(-1)?.head
    if (last !== undefined && comparePositions(last, head) === 0) return
    // A server that was restored, or promoted without the last blocks, has a lower head again.
    if (last !== undefined && comparePositions(last, head) > 0) heads = []
    heads.push({ head, at: seenAt })
    if (heads.length > MAX_HEADS) heads.shift()
  }
  const close = checkServer({
    config,
    every: EVERY,
    saw(seen) {
      sight = seen
      isLost = false
      seenAt = performance.now()
      if (seen.head) note(seen.head)
      changed()
    },
    lost() {
      isLost = true
      changed()
    },
  })
  return {
    /** Result of the last successful check; undefined if the primary has not answered yet. */
    sight: (): Sight | undefined => sight,
    /** Returns whether the primary was checked, or FIRST_PATIENCE has passed. Before that, the lag of a replica is unknown. */
    isTried: (): boolean => sight !== undefined || isLost || performance.now() - opened > FIRST_PATIENCE,
    /**
     * Milliseconds since the primary published the first head that a replica with head `head` lacks. While the primary is away, this time ends at the last
     * successful check of the primary. Undefined before the primary's first answer. Infinity if the replica lacks even the first head that was seen,
     * because the age of that head is unknown.
     */
    lagOf(head: ChainPosition): number | undefined {
      if (sight === undefined) return undefined
      const missing = heads.find((each) => comparePositions(each.head, head) > 0)
      if (missing === undefined) return 0
      // A primary that does not answer does not publish either, so the lag of replicas does not grow.
      if (isLost) return seenAt - missing.at
      return missing.head === first ? Number.POSITIVE_INFINITY : performance.now() - missing.at
    },
    close,
  }
}
