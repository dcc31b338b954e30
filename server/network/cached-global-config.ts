import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { type GlobalConfig, readGlobalConfig } from '../chain/lite/read-global-config.ts'
import { globalConfigLocation, isUrl, readGlobalConfigText } from '../config/global-config-text.ts'
import type { NetworkConfig } from '../config/networks.ts'

/** The file's name contains a hash of the URL, so that the config of another network is never used by mistake. */
const pathOf = (dataDir: string, url: string): string =>
  join(dataDir, `globalconfig-${createHash('sha256').update(url).digest('hex').slice(0, 16)}.json`)

const storeCopy = async (dataDir: string, path: string, text: string): Promise<void> => {
  await mkdir(dataDir, { recursive: true })
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
}

/** Throws an Error that names the place too. The URL of a tonway itself is given easily, as other forks take the URL of a node. */
const readFrom = (place: string, text: string): GlobalConfig => {
  try {
    return readGlobalConfig(text)
  } catch (cause) {
    const hint = isUrl(place) && !place.endsWith('.json') ? '; that of a tonway is at /global.config.json' : ''
    throw new Error(`${place}: ${(cause as Error).message}${hint}`, { cause })
  }
}

export interface GlobalConfigDeps {
  readonly log: Log
  readonly isWriter?: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the global config from its path or URL. A config from a URL is stored in the data directory, and this copy is used while the URL cannot be read.
 * Rejects with an Error whose message is for the user.
 */
export const loadGlobalConfig = async (
  { name, globalConfig, dataDir }: Pick<NetworkConfig, 'name' | 'globalConfig' | 'dataDir'>,
  { log, isWriter = true, signal }: GlobalConfigDeps,
): Promise<GlobalConfig> => {
  const place = globalConfigLocation(name, globalConfig)
  const path = dataDir !== undefined && isUrl(place) ? pathOf(dataDir, place) : undefined
  let text: string
  let config: GlobalConfig
  try {
    text = await readGlobalConfigText(place, signal)
    config = readFrom(place, text)
  } catch (err) {
    const cached = path === undefined ? undefined : await readFile(path, 'utf8').catch(() => undefined)
    if (cached === undefined) throw err
    log.warn('globalconfig.copy_used', { network: name, err })
    return readFrom(place, cached)
  }
  // The config of an embedded chain is not stored, because it changes whenever that chain is started again.
  if (isWriter && path !== undefined && !config.revertible)
    await storeCopy(dataDir!, path, text).catch((err: unknown) => log.warn('globalconfig.copy_failed', { network: name, err }))
  return config
}
