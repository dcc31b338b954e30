import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AdnlKey, createKey, keyFromSeed } from '../adnl/keys.ts'

const FILE = 'liteserver.key'

/**
 * Reads the endpoint's key from the data directory, or creates it there. A stored key keeps clients' configs valid after restarts. Without a directory each
 * process makes a new key.
 */
export const endpointKey = async (dataDir: string | undefined): Promise<AdnlKey> => {
  if (dataDir === undefined) return createKey()
  const path = join(dataDir, FILE)
  try {
    const seed = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex')
    if (seed.length !== 32) throw new Error(`${path} does not hold a key: it must have 64 hexadecimal digits`)
    return keyFromSeed(seed)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const key = createKey()
  await mkdir(dataDir, { recursive: true })
  await writeFile(path, `${Buffer.from(key.seed).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  return key
}
