import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '../base/directory.ts'
import { chainFiles } from '../chain/local/store/directory.ts'
import type { NetworkConfig } from '../config/networks.ts'
import type { DiskFigures } from '../metrics/figures.ts'

/* Makes sure that a data directory holds the embedded chain of one network only. */

/** The file that names the network. */
const MARK = 'network'

const readMark = (dataDir: string): string | undefined => {
  try {
    // An empty mark was not written completely. It counts as none.
    return readFileSync(join(dataDir, MARK), 'utf8').trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

type Directed = Pick<NetworkConfig, 'name' | 'local' | 'dataDir'>

/** Whether a network's data directory holds an embedded chain. */
export const hasChain = ({ dataDir }: Directed): boolean => dataDir !== undefined && existsSync(chainFiles(dataDir).log)

/**
 * Throws an Error whose message is for the user if a network's data directory holds the embedded chain of another one. Changes
 * nothing: it runs before a start writes anything.
 */
export const checkDataDirectory = (config: Directed): void => {
  const { dataDir, name, local } = config
  if (dataDir === undefined) return
  const mark = readMark(dataDir)
  const another = 'give it a data directory of its own'
  if (mark !== undefined && mark !== name) throw new Error(`${dataDir} holds the chain of network ${mark}, not of ${name}: ${another}`)
  if (!local && hasChain(config))
    throw new Error(`${dataDir} holds an embedded chain, but network ${name} is followed over lite-servers: ${another}`)
}

/** Names the network in the data directory of an embedded chain. Throws as `checkDataDirectory` does. */
export const claimDataDirectory = (config: Directed): void => {
  checkDataDirectory(config)
  const { dataDir, name } = config
  if (dataDir === undefined || readMark(dataDir) !== undefined) return
  makeDirectory(dataDir)
  writeFileSync(join(dataDir, MARK), `${name}\n`)
}

/** How much room each network's data directory has; without one, the system's temporary files, where its chain lies. One that cannot be read is left out. */
export const readDisks = async (networks: readonly Pick<Directed, 'name' | 'dataDir'>[]): Promise<readonly DiskFigures[]> => {
  const disks = networks.map(async ({ name, dataDir = tmpdir() }): Promise<DiskFigures[]> => {
    const found = await statfs(dataDir).catch(() => undefined)
    return found === undefined ? [] : [{ network: name, free: found.bavail * found.bsize, size: found.blocks * found.bsize }]
  })
  return (await Promise.all(disks)).flat()
}
