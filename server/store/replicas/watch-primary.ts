import type { ClientConfig } from 'pg'
import { checkServer, type Sight } from './check.ts'
import { type ChainPosition, comparePositions } from './floor.ts'

/* The primary that replicas are compared with. */

/** Milliseconds between two checks of the primary. */
const EVERY = 200
/** Milliseconds after which replicas are read although the primary has not answered yet. */
const FIRST_PATIENCE = 2_000
/** Heads of the primary that are remembered, with the time when each was seen: the last minute of them. */
const MAX_HEADS = 300

export interface Primary {
  /** How it was seen last; undefined if it has not answered yet. */
  sight(): Sight | undefined
  /** Whether it has answered or failed once, or has had the time to. Before that a replica may be far behind without a sign. */
  isTried(): boolean
  /**
   * Milliseconds since the primary published the first head that a replica with this head lacks; while the primary is away, until it was seen last. Undefined
   * if it was never seen. Infinity if the replica lacks the head that it was first seen with: its age cannot be found.
   */
  lagOf(head: ChainPosition): number | undefined
  close(): Promise<void>
}

export interface PrimaryDeps {
  /** How to connect; undefined while the primary is not found. */
  readonly config: () => ClientConfig | undefined
  /** Called when it has answered, and when it is lost. */
  readonly changed: () => void
}

export const watchPrimary = ({ config, changed }: PrimaryDeps): Primary => {
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
    // A server that was restored, or promoted without the last blocks, begins again at a lower head.
    if (last !== undefined && comparePositions(last, head) > 0) heads = []
    heads.push({ head, at: seenAt })
    if (heads.length > MAX_HEADS) heads.shift()
  }
  const close = checkServer({
    config: async () => config(),
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
    sight: () => sight,
    isTried: () => sight !== undefined || isLost || performance.now() - opened > FIRST_PATIENCE,
    lagOf(head) {
      if (sight === undefined) return undefined
      const missing = heads.find((each) => comparePositions(each.head, head) > 0)
      if (missing === undefined) return 0
      // A primary that does not answer publishes nothing, so replicas fall no further behind.
      if (isLost) return seenAt - missing.at
      return missing.head === first ? Number.POSITIVE_INFINITY : performance.now() - missing.at
    },
    close,
  }
}
