import { isIndexed, networkConfigs } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import { readWhole } from './index-range.ts'
import type { Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

const BLOCKS = 2_000

export const backfill = async (
  config: Config,
  flags: { readonly to: string | undefined; readonly blocks: string | undefined },
  streams: Streams,
): Promise<number> => {
  const problems: string[] = []
  const to = readWhole('to', flags.to, problems)
  const blocks = readWhole('blocks', flags.blocks, problems, '') ?? BLOCKS
  const [network, ...others] = networkConfigs(config).filter(isIndexed)
  if (problems.length === 0 && to === undefined) problems.push('backfill needs --to, the last masterchain block')
  if (network === undefined) problems.push(`there is nothing to index: the index of ${config.network.join(', ')} is off`)
  if (others.length > 0) problems.push(`backfill needs one network, but the settings have ${others.length + 1}: choose one with --network`)
  const databaseUrl = network?.databaseUrl ?? config.databaseUrl
  if (databaseUrl === undefined) problems.push('backfill needs DATABASE_URL: only one process can use the embedded PostgreSQL')
  for (const problem of problems) streams.printError(`tonway: ${problem}`)
  if (problems.length > 0) return 2
  const [{ runBackfill }, { createLog }] = await Promise.all([import('../network/backfill.ts'), import('../base/log.ts')])
  try {
    return await untilStopped((signal) =>
      runBackfill(
        network!,
        { databaseUrl, dataDir: undefined },
        { to: to!, blocks },
        { ...streams, log: createLog(config.log, undefined, config.logFormat), signal },
      ),
    )
  } catch (error) {
    streams.printError(`tonway: cannot backfill up to block ${to}: ${(error as Error).message}`)
    return 1
  }
}
