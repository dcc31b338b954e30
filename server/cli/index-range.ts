import type { NetworkConfig } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import type { Streams } from './streams.ts'
import { untilStopped } from './until-stopped.ts'

const MAX_SEQNO = 2 ** 31 - 1

/** Seqnos of masterchain blocks. */
export interface Range {
  readonly from: number | undefined
  readonly to: number | undefined
}

/** Parses a seqno or a number of blocks. Adds errors to `problems`. */
export const readWhole = (flag: string, text: string | undefined, problems: string[], what = 'a seqno, '): number | undefined => {
  if (text === undefined) return undefined
  const seqno = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (seqno < 1 || seqno > MAX_SEQNO)
    problems.push(`--${flag}=${JSON.stringify(text)} must be ${what}a whole number from 1 to ${MAX_SEQNO}`)
  return seqno
}

/** Parses --from and --to. Adds errors to `problems`. */
export const readRange = (
  flags: { readonly from: string | undefined; readonly to: string | undefined },
  configs: readonly NetworkConfig[],
  problems: string[],
): Range => {
  const [from, to] = [readWhole('from', flags.from, problems), readWhole('to', flags.to, problems)]
  if (problems.length > 0) return { from, to }
  if (from !== undefined && to !== undefined && to < from) problems.push(`--to ${to} is before --from ${from}`)
  if ((from !== undefined || to !== undefined) && configs.length > 1)
    problems.push(`--from and --to need one network, but the settings have ${configs.length}: choose one with --network`)
  return { from, to }
}

export const indexRange = async (config: Config, network: NetworkConfig, to: number, streams: Streams): Promise<number> => {
  const [{ runRange }, { createLog }] = await Promise.all([import('../network/index-range.ts'), import('../base/log.ts')])
  const options = network.databaseUrl === config.databaseUrl ? config : network
  try {
    return await untilStopped((signal) =>
      runRange(network, options, to, { ...streams, log: createLog(config.log, undefined, config.logFormat), signal }),
    )
  } catch (error) {
    streams.printError(`tonway: cannot index up to block ${to}: ${(error as Error).message}`)
    return 1
  }
}
