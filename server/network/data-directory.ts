import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '../base/make-directory.ts'
import { chainFiles } from '../chain/local/store/lock-directory.ts'
import type { NetworkConfig } from '../config/networks.ts'
import type { DiskFigures } from '../metrics/figures.ts'

/* Ensures that a data directory contains the embedded chain of only one network. */

const MARK = 'network'

const readMark = (dataDir: string): string | undefined => {
  try {
    // An interrupted write leaves an empty file, which names no network.
    return readFileSync(join(dataDir, MARK), 'utf8').trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

type Directed = Pick<NetworkConfig, 'name' | 'local' | 'dataDir'>

export const hasChain = ({ dataDir }: Directed): boolean => dataDir !== undefined && existsSync(chainFiles(dataDir).log)

/**
 * Throws an Error whose message is for the user if the data directory contains the embedded chain of another network. Writes nothing, because this check
 * runs before a start may write.
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

/** Writes the network's name into the data directory of an embedded chain. Throws as `checkDataDirectory` does. */
export const claimDataDirectory = (config: Directed): void => {
  checkDataDirectory(config)
  const { dataDir, name } = config
  if (dataDir === undefined || readMark(dataDir) !== undefined) return
  makeDirectory(dataDir)
  writeFileSync(join(dataDir, MARK), `${name}\n`)
}

/**
 * Free and total bytes of the disk of each network's data. A chain without a data directory is stored in the directory for temporary files. Unreadable
 * directories are skipped.
 */
export const readDisks = async (networks: readonly Pick<Directed, 'name' | 'dataDir'>[]): Promise<readonly DiskFigures[]> => {
  const disks = networks.map(async ({ name, dataDir = tmpdir() }): Promise<DiskFigures[]> => {
    const found = await statfs(dataDir).catch(() => undefined)
    return found === undefined ? [] : [{ network: name, free: found.bavail * found.bsize, size: found.blocks * found.bsize }]
  })
  return (await Promise.all(disks)).flat()
}
