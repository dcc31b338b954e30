import { createLog } from '../base/log.ts'
import { isIndexed, networkConfigs } from '../config/networks.ts'
import { runBackfill } from '../network/backfill.ts'
import { readWhole } from './read-whole.ts'
import type { Given, Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

const BLOCKS = 2_000

export const backfill = async ({ config, flags }: Given, streams: Streams): Promise<number> => {
  const problems: string[] = []
  const to = readWhole('to', flags['to'], problems)
  const blocks = readWhole('blocks', flags['blocks'], problems, '') ?? BLOCKS
  const [network, ...others] = networkConfigs(config).filter(isIndexed)
  if (problems.length === 0 && to === undefined) problems.push('backfill needs --to, the last masterchain block')
  if (network === undefined) problems.push(`there is nothing to index: the index of ${config.network.join(', ')} is off`)
  if (others.length > 0) problems.push(`backfill needs one network, but the settings have ${others.length + 1}: choose one with --network`)
  const databaseUrl = network?.databaseUrl ?? config.databaseUrl
  if (databaseUrl === undefined) problems.push('backfill needs DATABASE_URL: only one process can use the embedded PostgreSQL')
  for (const problem of problems) streams.printError(`tonway: ${problem}`)
  if (problems.length > 0) return 2
  const log = createLog(config.log, undefined, config.logFormat)
  return await untilStopped(`backfill up to block ${to}`, 1, streams, (signal) =>
    runBackfill(network!, { databaseUrl, dataDir: undefined }, { to: to!, blocks }, { ...streams, log, signal }),
  )
}
