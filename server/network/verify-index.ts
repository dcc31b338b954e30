import { UserError } from '../base/user-error.ts'
import { chainFiles, checkFree } from '../chain/local/store/lock-directory.ts'
import { checkLog } from '../chain/local/store/repair.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { formatDifference } from '../index/verify/compare.ts'
import { verifyIndex } from '../index/verify/verify.ts'
import type { DatabaseOptions } from '../store/postgres/database-server.ts'
import { isClaimed } from '../store/postgres/embedded/claim.ts'
import { hasChain } from './data-directory.ts'
import { indexPart } from './index-options.ts'
import { type IndexCommand, withIndexStore } from './with-index-store.ts'

/** Throws an Error whose message is for the user if a running service has locked the chain or the embedded database. */
const checkStopped = ({ dataDir }: NetworkConfig, options: DatabaseOptions): void => {
  if (dataDir !== undefined) checkFree(dataDir)
  if (options.databaseUrl === undefined && options.dataDir !== undefined && isClaimed(options.dataDir))
    throw new Error(`the embedded PostgreSQL in ${options.dataDir} is in use by another process: stop it first`)
}

/** Throws a UserError if the chain's file has a damaged end. A chain that is opened cuts it off. */
const checkWhole = async ({ dataDir }: NetworkConfig): Promise<void> => {
  const { log } = chainFiles(dataDir!)
  const { rest, seqno } = await checkLog(log)
  if (rest > 0)
    throw new UserError(
      `${log} has ${rest} damaged bytes after block ${seqno}, and verify changes nothing: run tonway repair first (--check only reports)`,
    )
}

/**
 * Runs `tonway verify`: derives every row of an index again from the blocks (of the embedded chain or of lite-servers) and compares. Changes nothing.
 * Returns the exit code: 0 without differences; 1 with differences, one per line. Rejects with an Error whose message is for the user if there is nothing to
 * verify, or if a running service has locked the data directory.
 */
export const runVerify = async (config: NetworkConfig, options: DatabaseOptions, command: IndexCommand): Promise<number> => {
  const { print, draw, signal } = command
  if (config.local && !hasChain(config)) {
    const where = config.dataDir === undefined ? '' : `, and ${config.dataDir} has none`
    throw new UserError(`verify needs a chain on disk${where}: give the --data-dir (and the DATABASE_URL) that the service has`)
  }
  checkStopped(config, options)
  if (config.local) await checkWhole(config)
  return await withIndexStore(config, options, { ...command, isStill: true }, async ({ tvm, database, openChain }) => {
    const found = await database.find(config.database, signal)
    if (found === undefined)
      throw new UserError('there is no index to verify: give the --data-dir or the DATABASE_URL that the service has')
    const { source, reverts } = await openChain()
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
  })
}
