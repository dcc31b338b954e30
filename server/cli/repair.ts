import { existsSync } from 'node:fs'
import { chainFiles, takeDataDirectory } from '../chain/local/store/lock-directory.ts'
import { checkLog, type LogReport, putAside } from '../chain/local/store/repair.ts'
import { chooseNetwork } from './choose-network.ts'
import type { Given, Streams } from './streams.ts'

const wholeText = ({ records, seqno }: LogReport): string =>
  seqno === undefined ? 'nothing of it is whole' : `blocks up to ${seqno} are whole (${records} records)`

/**
 * `tonway repair`: checks the log of a chain on disk. If the log is damaged, moves the first damaged byte and everything after it to another file, unless
 * --check is given. Returns the exit code: 0 intact, 1 damaged, 2 not checked.
 */
export const repair = async (
  { config, flags }: Pick<Given, 'config' | 'flags'>,
  { print, printError }: Pick<Streams, 'print' | 'printError'>,
): Promise<number> => {
  const network = chooseNetwork(config, flags['only'], { printError })
  if (network === undefined) return 2
  const { dataDir } = network
  const files = dataDir === undefined ? undefined : chainFiles(dataDir)
  if (dataDir === undefined || files === undefined || !existsSync(files.log)) {
    const where = dataDir === undefined ? '' : ` in ${dataDir}`
    printError(`tonway: there is no embedded chain to check${where}: give the --data-dir that the service has`)
    return 2
  }
  try {
    const directory = takeDataDirectory(dataDir)
    try {
      const report = await checkLog(files.log)
      if (report.seqno === undefined && report.rest === 0) {
        printError(`tonway: ${files.log} is empty: restore a copy of it, or remove it and the chain.idx beside it to begin a new chain`)
        return 2
      }
      if (report.rest === 0) {
        print(`${files.log}: ${wholeText(report)}`)
        return 0
      }
      print(`${files.log} is damaged at byte ${report.end}: ${wholeText(report)}; ${report.rest} bytes follow`)
      if (flags['check'] !== undefined) return 1
      const rest = putAside(files, report)
      print(
        `these bytes were moved to ${rest}; ${report.seqno === undefined ? 'the next start begins a new chain' : 'the next start goes on from there'}`,
      )
      return 1
    } finally {
      directory.release()
    }
  } catch (error) {
    printError(`tonway: cannot repair: ${(error as Error).message}`)
    return 2
  }
}
