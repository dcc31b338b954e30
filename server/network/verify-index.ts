import { systemClock } from '../base/clock.ts'
import { checkFree } from '../chain/local/store/lock-directory.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { formatDifference } from '../index/verify/compare.ts'
import { verifyIndex } from '../index/verify/verify.ts'
import { createDatabase, type DatabaseOptions } from '../store/postgres/database-server.ts'
import { isClaimed } from '../store/postgres/embedded/claim.ts'
import { createTvm } from '../tvm/create.ts'
import { openChainSource } from './chain-source.ts'
import { hasChain } from './data-directory.ts'
import type { IndexCommand } from './index-command.ts'
import { indexPart } from './index-options.ts'

/** Throws an Error whose message is for the user if a running service has locked the chain or the embedded database. */
const checkStopped = ({ dataDir }: NetworkConfig, options: DatabaseOptions): void => {
  if (dataDir !== undefined) checkFree(dataDir)
  if (options.databaseUrl === undefined && options.dataDir !== undefined && isClaimed(options.dataDir))
    throw new Error(`the embedded PostgreSQL in ${options.dataDir} is in use by another process: stop it first`)
}

/**
 * Runs `tonway verify`: derives every row of an index again from the blocks (of the embedded chain or of lite-servers) and compares. Changes nothing.
 * Returns the exit code: 0 without differences; 1 with differences, one per line; 2 if there is nothing to verify. Rejects with an Error whose message is
 * for the user if a running service has locked the data directory.
 */
export const runVerify = async (
  config: NetworkConfig,
  options: DatabaseOptions,
  { print, printError, draw, log, signal, tvm: given }: IndexCommand,
): Promise<number> => {
  if (config.local && !hasChain(config)) {
    const where = config.dataDir === undefined ? '' : `, and ${config.dataDir} has none`
    printError(`tonway: verify needs a chain on disk${where}: give the --data-dir (and the DATABASE_URL) that the service has`)
    return 2
  }
  checkStopped(config, options)
  const database = createDatabase(options)
  const tvm = given ?? createTvm({ workers: 1 })
  try {
    const found = await database.find(config.database, signal)
    if (found === undefined) {
      printError('tonway: there is no index to verify: give the --data-dir or the DATABASE_URL that the service has')
      return 2
    }
    // Block time 0 keeps the embedded chain from adding blocks during the check.
    const { source, reverts, close } = await openChainSource({ ...config, blockTime: 0 }, { tvm, log, clock: systemClock, signal })
    try {
      signal.throwIfAborted()
      const report = await verifyIndex(
        {
          source,
          connection: found.connection,
          network: config.name,
          reverts,
          tvm,
          selection: indexPart(config).selection,
          progress: (seqno, last) => draw?.(`verify ${seqno} of ${last}`),
        },
        signal,
      )
      draw?.('')
      for (const difference of report.differences) print(formatDifference(difference))
      if (report.forgotten > 0)
        print(`the source has no states any more for ${report.forgotten} changes of accounts: what is told of these accounts may be right`)
      print(`blocks ${report.first} to ${report.last}: ${report.rows} rows, ${report.found} differences`)
      return report.found === 0 ? 0 : 1
    } finally {
      await close()
    }
  } finally {
    if (!given) await tvm.close()
    await database.close()
  }
}
