import { createLog } from '../base/log.ts'
import { UserError } from '../base/user-error.ts'
import { VERSION } from '../base/version.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { runBackfill } from '../network/backfill.ts'
import { runRange } from '../network/index-range.ts'
import { openNetworks } from '../network/networks.ts'
import { databaseOf, indexedNetworks } from './choose-network.ts'
import { runService, showProgress } from './run-service.ts'
import type { Given, Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

/* Commands that index networks: `tonway index` and `tonway backfill`. */

const MAX_SEQNO = 2 ** 31 - 1

/** Parses a flag: a seqno or a number of blocks. Adds errors to `problems`. */
const readWhole = (flag: string, text: string | undefined, problems: string[], what = 'a seqno, '): number | undefined => {
  if (text === undefined) return undefined
  const seqno = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (seqno < 1 || seqno > MAX_SEQNO)
    problems.push(`--${flag}=${JSON.stringify(text)} must be ${what}a whole number from 1 to ${MAX_SEQNO}`)
  return seqno
}

/** Why an index would be lost when the command ends; undefined if it is stored. */
const lossOf = ({ name, local, dataDir, databaseUrl }: NetworkConfig): string | undefined => {
  if (databaseUrl === undefined && dataDir === undefined)
    return `index needs a place that keeps the index of ${name}: --data-dir, or --database-url (DATABASE_URL) for a PostgreSQL of yours`
  return local && dataDir === undefined ? `index needs a --data-dir that keeps the embedded chain of ${name}` : undefined
}

/** Parses --from and --to, seqnos of masterchain blocks. Adds errors to `problems`. */
const readRange = (flags: Given['flags'], networks: number, problems: string[]) => {
  const [from, to] = [readWhole('from', flags['from'], problems), readWhole('to', flags['to'], problems)]
  if (problems.length > 0) return { from, to }
  if (from !== undefined && to !== undefined && to < from) problems.push(`--to ${to} is before --from ${from}`)
  if ((from !== undefined || to !== undefined) && networks > 1)
    problems.push(`--from and --to need one network, but the settings have ${networks}: choose one with --network`)
  return { from, to }
}

/**
 * `tonway index`: follows the networks and indexes them until a signal arrives; resolves with undefined once they run. With `--to`, resolves with an exit
 * code once that block is indexed. Rejects with a UserError if the settings do not allow an index.
 */
export const indexOnly = async ({ config, flags }: Pick<Given, 'config' | 'flags'>, streams: Streams): Promise<number | undefined> => {
  const indexed = indexedNetworks(config)
  const problems: string[] = []
  const { from, to } = readRange(flags, indexed.length, problems)
  problems.push(...indexed.map(lossOf).filter((loss) => loss !== undefined))
  if (problems.length > 0) throw new UserError(problems)
  const configs = from === undefined ? indexed : indexed.map((each) => ({ ...each, indexFrom: from }))
  if (to !== undefined) {
    const log = createLog(config.log, undefined, config.logFormat)
    const [network] = configs as [NetworkConfig]
    return await untilStopped(`index up to block ${to}`, 1, (signal) =>
      runRange(network, databaseOf(network, config), to, { ...streams, log, signal }),
    )
  }
  const { supervisors } = await runService(config, streams, async (log) => {
    const networks = openNetworks(config, configs, { log })
    await networks.started()
    return networks
  })
  streams.print(`tonway ${VERSION}, indexing ${supervisors.map((supervisor) => supervisor.config.name).join(', ')}`)
  await showProgress(supervisors, streams)
  return undefined
}

/** Default number of masterchain blocks of a range, which one process derives. */
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
