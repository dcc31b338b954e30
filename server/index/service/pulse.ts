import { databaseFault, NO_ANSWER } from '../../store/postgres/faults.ts'
import type { Reader } from '../../store/postgres/pool.ts'

/* Whether the database answers at all: one that is paused, or behind a cut network, says nothing, and a statement may take long before it is given up. */

/** Milliseconds between questions, and those that an answer to nothing may take. */
const EVERY_MS = 2_000
const PATIENCE_MS = 3_000

export interface Pulse {
  /** Why the database is taken to be away; undefined while it answers. */
  silence(): string | undefined
  stop(): void
}

/** Asks for nothing every two seconds, over the connections that answers are read by. */
export const startPulse = (reader: Pick<Reader, 'rows' | 'answered'>, { every = EVERY_MS, patience = PATIENCE_MS } = {}): Pulse => {
  const stopping = new AbortController()
  const NOTHING = { sql: 'select', parameters: [] } as never
  let asked: number | undefined
  let fault: string | undefined
  const beat = async (): Promise<void> => {
    asked = performance.now()
    try {
      await reader.rows(NOTHING, stopping.signal)
      fault = undefined
    } catch (error) {
      // That all connections are busy says that the database is there.
      const cause = (error as { readonly cause?: unknown } | undefined)?.cause
      fault = cause === undefined ? undefined : databaseFault(cause)
    }
    asked = undefined
  }
  const timer = setInterval(() => {
    if (asked === undefined) void beat()
  }, every)
  timer.unref()
  return {
    silence() {
      if (asked === undefined) return fault
      // While others are answered it only waits for its turn.
      const since = Math.max(asked, reader.answered?.() ?? 0)
      return performance.now() - since > patience ? NO_ANSWER : fault
    },
    stop() {
      clearInterval(timer)
      stopping.abort(new Error('stopped'))
    },
  }
}
