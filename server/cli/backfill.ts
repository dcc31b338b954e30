import { createLog } from '../base/log.ts'
import { UserError } from '../base/user-error.ts'
import { runBackfill } from '../network/backfill.ts'
import { indexedNetworks } from './choose-network.ts'
import { readWhole } from './read-whole.ts'
import type { Given, Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

const BLOCKS = 2_000

export const backfill = async ({ config, flags }: Given, streams: Streams): Promise<number> => {
  const problems: string[] = []
  const to = readWhole('to', flags['to'], problems)
  const blocks = readWhole('blocks', flags['blocks'], problems, '') ?? BLOCKS
  const [network, ...others] = indexedNetworks(config)
  if (problems.length === 0 && to === undefined) problems.push('backfill needs --to, the last masterchain block')
  if (others.length > 0) problems.push(`backfill needs one network, but the settings have ${others.length + 1}: choose one with --network`)
  const databaseUrl = network.databaseUrl ?? config.databaseUrl
  if (databaseUrl === undefined) problems.push('backfill needs DATABASE_URL: only one process can use the embedded PostgreSQL')
  if (problems.length > 0) throw new UserError(problems)
  const log = createLog(config.log, undefined, config.logFormat)
  return await untilStopped(`backfill up to block ${to}`, 1, (signal) =>
    runBackfill(network, { databaseUrl, dataDir: undefined }, { to: to!, blocks }, { ...streams, log, signal }),
  )
}
