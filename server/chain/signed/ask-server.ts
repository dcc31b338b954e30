import { joinAbort } from '../../base/abort.ts'
import { createRawAsk } from '../ask.ts'
import { type Blocks, createBlocks } from '../blocks.ts'
import { LiteServerError, type SingleServer } from '../liteserver.ts'
import { ProofError } from '../proofs/error.ts'

/* One server that is asked for signed shard blocks, and whether it is asked at present. */

/** Milliseconds for which a server is not asked: after it said that it does not answer this, after a wrong block, and after any other failure. */
const OFF_MS = { refused: 600_000, wrong: 60_000, failed: 1_000 } as const
/** Longest time of one look, ms. */
const LOOK_MS = 5_000
/** What lite-servers say that do not run with `--nonfinal-ls`, or are too old for it. */
const REFUSALS = /query is not allowed|unknown query/i

/** A server as /status shows it. `reason`: why it is not asked at present. */
export interface AskedFigures {
  readonly server: string
  readonly asked: boolean
  readonly reason: string | null
}

export interface AskedServer {
  readonly query: SingleServer['query']
  /** Blocks as this server has them, checked by their hashes. */
  readonly blocks: Blocks
  /** Runs a look unless one is under way or the server is not asked at present. Resolves when no look is under way. Never rejects. */
  look(run: (signal: AbortSignal) => Promise<void>): Promise<void>
  figures(): AskedFigures
}

export const createAskedServer = (
  server: SingleServer,
  { ticks, onWrong, closing }: { ticks(): number; onWrong(server: string, reason: string): void; readonly closing: AbortSignal },
): AskedServer => {
  let running: Promise<void> | undefined
  let off: { readonly until: number; readonly reason: string } | undefined

  const failed = (error: Error): void => {
    const isRefused = error instanceof LiteServerError && REFUSALS.test(error.message)
    const isWrong = error instanceof ProofError
    if (isWrong) onWrong(server.name, error.message)
    const ms = isRefused ? OFF_MS.refused : isWrong ? OFF_MS.wrong : OFF_MS.failed
    off = { until: ticks() + ms, reason: error.message }
  }
  const runOnce = async (run: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const { signal, abort, leave } = joinAbort(closing)
    const timer = setTimeout(() => abort(new Error(`no answer in ${LOOK_MS} ms`)), LOOK_MS)
    try {
      await run(signal)
      off = undefined
    } catch (error) {
      if (!closing.aborted) failed(error as Error)
    } finally {
      clearTimeout(timer)
      leave()
    }
  }
  const isOff = (): boolean => off !== undefined && ticks() < off.until
  return {
    query: server.query,
    blocks: createBlocks(createRawAsk({ query: server.query })),
    async look(run) {
      if (running === undefined) {
        if (isOff() || !server.isUsable()) return
        running = runOnce(run).finally(() => {
          running = undefined
        })
      }
      await running
    },
    figures: () => {
      const reason = isOff() ? off!.reason : server.isUsable() ? null : 'it cannot be reached'
      return { server: server.name, asked: reason === null, reason }
    },
  }
}
