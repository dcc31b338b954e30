import { existsSync, rmSync } from 'node:fs'
import { UserError } from '../base/user-error.ts'
import { chainFiles, takeDataDirectory } from '../chain/local/store/lock-directory.ts'
import { checkLog, type LogReport, putAside } from '../chain/local/store/repair.ts'
import { chooseNetwork } from './choose-network.ts'
import type { Given, Streams } from './streams.ts'
import { attempt } from './until-stopped.ts'

const wholeText = ({ records, seqno }: LogReport): string =>
  seqno === undefined ? 'nothing of it is whole' : `blocks up to ${seqno} are whole (${records} records)`

/**
 * `tonway repair`: checks the log of a chain on disk. If the log is damaged, moves the first damaged byte and everything after it to another file, unless
 * --check is given. Returns the exit code: 0 intact, 1 damaged. Rejects with a UserError if the log cannot be checked.
 */
export const repair = async ({ config, flags }: Pick<Given, 'config' | 'flags'>, { print }: Pick<Streams, 'print'>): Promise<number> => {
  const { dataDir } = chooseNetwork(config, flags['only'])
  if (dataDir === undefined || !existsSync(chainFiles(dataDir).log)) {
    const where = dataDir === undefined ? '' : ` in ${dataDir}`
    throw new UserError(`there is no embedded chain to check${where}: give the --data-dir that the service has`)
  }
  const files = chainFiles(dataDir)
  return await attempt('repair', 2, async () => {
    const directory = takeDataDirectory(dataDir)
    try {
      const report = await checkLog(files.log)
      if (report.seqno === undefined && report.rest === 0)
        throw new UserError(`${files.log} is empty: restore a copy of it, or remove it and the chain.idx beside it to begin a new chain`)
      if (report.rest === 0) {
        // The index may be damaged though the log is intact. The next start makes it again.
        if (flags['check'] === undefined) rmSync(files.index, { force: true })
        print(`${files.log}: ${wholeText(report)}`)
        return 0
      }
      print(`${files.log} is damaged at byte ${report.end}: ${wholeText(report)}; ${report.rest} bytes follow`)
      if (flags['check'] !== undefined) return 1
      const rest = await putAside(files, report)
      print(
        `these bytes were moved to ${rest}; ${report.seqno === undefined ? 'the next start begins a new chain' : 'the next start goes on from there'}`,
      )
      return 1
    } finally {
      directory.release()
    }
  })
}
