import { withTimeout } from '../../base/abort.ts'
import { createBlocks } from '../blocks.ts'
import { createRawQuery } from '../checked-query.ts'
import { LiteServerError, type SingleServer } from '../liteserver.ts'
import { ProofError } from '../proofs/error.ts'

/** Pauses in milliseconds: after a server refused the query, after a wrong block, and after any other failure. */
const PAUSE_MS = { refused: 600_000, wrong: 60_000, failed: 1_000 } as const
const POLL_MS = 5_000
/** Error texts of lite-servers that run without `--nonfinal-ls`, or whose version is too old for the query. */
const REFUSALS = /query is not allowed|unknown query/i

export const createPolledServer = (
  server: SingleServer,
  { ticks, onWrong, closing }: { ticks(): number; onWrong(server: string, reason: string): void; readonly closing: AbortSignal },
) => {
  let running: Promise<void> | undefined
  let pause: { readonly until: number; readonly reason: string; readonly isRefused: boolean } | undefined

  const failed = (error: Error): void => {
    const isRefused = error instanceof LiteServerError && REFUSALS.test(error.message)
    const isWrong = error instanceof ProofError
    if (isWrong) onWrong(server.name, error.message)
    const ms = isRefused ? PAUSE_MS.refused : isWrong ? PAUSE_MS.wrong : PAUSE_MS.failed
    pause = { until: ticks() + ms, reason: error.message, isRefused }
  }
  const runOnce = async (run: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    try {
      await withTimeout(closing, POLL_MS, run)
      pause = undefined
    } catch (error) {
      if (!closing.aborted) failed(error as Error)
    }
  }
  const isPaused = (): boolean => pause !== undefined && ticks() < pause.until
  return {
    query: server.query,
    blocks: createBlocks(createRawQuery({ query: server.query })),
    /** Runs a poll, unless one is running or the server is paused. Resolves when no poll is running. Never rejects. */
    async poll(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
      if (running === undefined) {
        if (isPaused() || !server.isUsable()) return
        running = runOnce(run).finally(() => {
          running = undefined
        })
      }
      await running
    },
    /** True after the server said that it does not serve the query, until the next attempt. */
    refuses: (): boolean => isPaused() && pause!.isRefused,
    /** Figures of the server for /status. `asked`: true if the server is polled; `reason`: why it is not polled. */
    figures: () => {
      const reason = isPaused() ? pause!.reason : server.isUsable() ? null : 'it cannot be reached'
      return { server: server.name, asked: reason === null, reason }
    },
  }
}
export type PolledServer = ReturnType<typeof createPolledServer>
