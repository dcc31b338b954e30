import { createLocalChain } from './chain/local/create.ts'
import { systemClock } from './clock.ts'
import type { Log } from './dispatch-types.ts'
import { formatDifference } from './index/compare.ts'
import { verifyIndex } from './index/verify.ts'
import { indexPart, type NetworkConfig } from './network-config.ts'
import type { Database } from './store/database.ts'
import { openStore } from './store/store.ts'
import { createTvm } from './tvm/create.ts'

export interface VerifyCommand {
  readonly print: (text: string) => void
  readonly complain: (text: string) => void
  /** Where progress is drawn: a terminal, or nothing. */
  readonly draw: ((text: string) => void) | undefined
  readonly log: Log
  readonly signal: AbortSignal
}

/** Blocks between two looks of the progress. */
const EVERY = 20

/** `tonway verify`: derives every row of a kept index again. 0: no differences; 1: differences, told by line; 2: there is nothing to verify. */
export const runVerify = async (
  config: NetworkConfig,
  database: Database,
  { print, complain, draw, log, signal }: VerifyCommand,
): Promise<number> => {
  if (!config.local || config.dataDir === undefined) {
    complain('tonway: verify needs a kept chain: give --data-dir (and DATABASE_URL, if the index is there)')
    return 2
  }
  const tvm = createTvm({ workers: 1 })
  try {
    const chain = await createLocalChain(
      { dataDir: config.dataDir, blockTimeMs: 0, globalId: config.globalId },
      { tvm, log, clock: systemClock },
    )
    try {
      const { selection } = indexPart(config)
      const store = await openStore({ on: { database, suffix: config.database } })
      try {
        const progress = (seqno: number, last: number): void => {
          if (seqno % EVERY === 0 || seqno === last) draw?.(`verify ${seqno} of ${last}`)
        }
        const report = await verifyIndex({ source: chain, connection: store.connection, tvm, selection, progress }, signal)
        draw?.('')
        for (const difference of report.differences) print(formatDifference(difference))
        print(`blocks ${report.first} to ${report.last}: ${report.rows} rows, ${report.found} differences`)
        return report.found === 0 ? 0 : 1
      } finally {
        await store.close()
      }
    } finally {
      await chain.close()
    }
  } finally {
    await tvm.close()
  }
}
