import { databaseFault, NO_ANSWER } from '../../store/postgres/faults.ts'
import type { Reader } from '../../store/postgres/reader.ts'

/* Checks whether the database responds. A paused or unreachable database reports no error, and a statement can wait long before it times out. */

/** Milliseconds between checks, and timeout of an empty query in milliseconds. */
const EVERY_MS = 2_000
const PATIENCE_MS = 3_000

export type Pulse = ReturnType<typeof startPulse>

export const startPulse = (reader: Pick<Reader, 'rows' | 'answered'>, { every = EVERY_MS, patience = PATIENCE_MS } = {}) => {
  const stopping = new AbortController()
  const NOTHING = { sql: 'select', parameters: [] } as never
  let askedAt: number | undefined
  let fault: string | undefined
  const beat = async (): Promise<void> => {
    askedAt = performance.now()
    try {
      await reader.rows(NOTHING, stopping.signal)
      fault = undefined
    } catch (error) {
      // An error without a cause means that all connections are busy, so the database responds.
      const cause = (error as { readonly cause?: unknown } | undefined)?.cause
      fault = cause === undefined ? undefined : databaseFault(cause)
    }
    askedAt = undefined
  }
  const timer = setInterval(() => {
    if (askedAt === undefined) void beat()
  }, every)
  timer.unref()
  return {
    /** Returns why the database counts as unavailable; undefined while it responds. */
    silence(): string | undefined {
      if (askedAt === undefined) return fault
      // While other queries get answers, the empty query is only waiting for a connection.
      const since = Math.max(askedAt, reader.answered?.() ?? 0)
      return performance.now() - since > patience ? NO_ANSWER : fault
    },
    stop(): void {
      clearInterval(timer)
      stopping.abort(new Error('stopped'))
    },
  }
}
