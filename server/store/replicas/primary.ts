import type { ClientConfig } from 'pg'
import { createLagClock } from './lag.ts'
import { type Sight, startWatch } from './watch.ts'

/* The primary that replicas are compared with. */

/** Milliseconds between checks of the primary. */
const EVERY = 200
/** Milliseconds after which replicas are read although the primary could not be asked: nobody knows where it is. */
const FIRST_PATIENCE = 2_000

export interface Primary {
  /** How it was seen last; undefined if it has not answered yet. */
  sight(): Sight | undefined
  /** Whether it has answered or failed once, or cannot be asked. Before that a replica may be far behind, and nobody would know. */
  isTried(): boolean
  /** Milliseconds that a replica with this sight is behind (see LagClock); undefined if the primary was never seen. */
  lagOf(sight: Sight): number | undefined
  close(): Promise<void>
}

export interface PrimaryDeps {
  /** How to connect; undefined while it is not known. */
  readonly config: () => ClientConfig | undefined
  /** Whether the database has an index. */
  readonly heads: boolean
  /** Called once, when it has answered or failed. */
  readonly tried: () => void
  /** Called when it says that the head has changed. */
  readonly noticed: () => void
}

export const watchPrimary = ({ config, heads, tried, noticed }: PrimaryDeps): Primary => {
  const lags = createLagClock()
  const opening = performance.now()
  let sight: Sight | undefined
  let isTried = false
  const noteTried = (): void => {
    if (isTried) return
    isTried = true
    tried()
  }
  const { close } = startWatch({
    config: async () => config(),
    every: EVERY,
    heads,
    saw(seen) {
      sight = seen
      lags.mark(seen.wal, performance.now())
      noteTried()
    },
    // A primary that does not answer writes nothing, so replicas no longer fall behind, even if its last bytes never reached them.
    lost() {
      lags.stop()
      noteTried()
    },
    noticed,
  })
  return {
    sight: () => sight,
    isTried: () => isTried || performance.now() - opening > FIRST_PATIENCE,
    lagOf: ({ wal }) => lags.lagOf(wal, performance.now()),
    close,
  }
}
