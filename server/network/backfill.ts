import { setTimeout as sleep } from 'node:timers/promises'
import type { NetworkConfig } from '../config/networks.ts'
import { type BackfillDeps, backfill } from '../index/backfill/backfill.ts'
import { IndexRefusal } from '../index/follow/open-index.ts'
import { createIndexSource, type IndexSettings } from '../index/follow/session.ts'
import { headOf } from '../index/follow/source.ts'
import { createStatusBoard } from '../index/service/status.ts'
import type { DatabaseOptions } from '../store/postgres/database-server.ts'
import { drawProgress } from './draw-progress.ts'
import { indexPart } from './index-options.ts'
import { type IndexCommand, withIndexStore } from './with-index-store.ts'

/** Retries after a failure. `pause`: milliseconds before the next attempt. `most`: consecutive failures without progress after which the command ends. */
const AGAIN = { pause: 1_000, most: 10 } as const

const persist = async (deps: BackfillDeps, reached: () => number, signal: AbortSignal): Promise<void> => {
  for (let failures = 0, at = -1; ; ) {
    try {
      return await backfill(deps, signal)
    } catch (error) {
      failures = reached() > at ? 1 : failures + 1
      at = reached()
      if (signal.aborted || error instanceof IndexRefusal || failures === AGAIN.most) throw error
      deps.log.warn('backfill.failed', { err: error })
      await sleep(AGAIN.pause, undefined, { signal })
    }
  }
}

/**
 * Runs `tonway backfill`: indexes a network from block 1 up to a masterchain block, together with other processes. Returns the exit code 0 when that block
 * is published. Rejects with an Error whose message is for the user.
 */
export const runBackfill = async (
  config: NetworkConfig,
  options: DatabaseOptions,
  { to, blocks }: { readonly to: number; readonly blocks: number },
  command: IndexCommand,
): Promise<number> => {
  const { print, draw, log, signal } = command
  const { selection, lanes, keep } = indexPart(config)
  if (selection.name !== '') throw new Error('an index of some accounts (TONWAY_INDEX_ACCOUNTS) is not backfilled in parallel')
  if (keep !== undefined) throw new Error('an index with a limited history (TONWAY_INDEX_KEEP) is not backfilled in parallel')
  return await withIndexStore(config, options, command, async ({ tvm, openChain, openIndex }) => {
    const { source: server, reverts, isTransient } = await openChain()
    const settings: IndexSettings = { network: config.name, from: 1, selection, lanes, reverts, isTransient, pause: undefined }
    const source = createIndexSource(server, settings, log)
    const { seqno } = await headOf(source, signal)
    if (seqno < to) throw new Error(`the chain is at block ${seqno}`)
    const store = await openIndex()
    const ending = new AbortController()
    try {
      const board = createStatusBoard(signal)
      let joined = 0
      const progress = (reached: number): void => {
        joined = reached
      }
      const deps = { config: store.connection, settings, source, tvm, board, log, to, size: blocks, progress }
      void drawProgress(() => `backfill ${joined} of ${to}, this process at ${Math.max(joined, board.status().seqno)}`, draw, ending.signal)
      await persist(deps, () => joined, signal)
      print(`blocks 1 to ${to} are indexed`)
      return 0
    } finally {
      ending.abort()
    }
  })
}
