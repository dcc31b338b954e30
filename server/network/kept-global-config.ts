import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../base/log.ts'
import { type GlobalConfig, readGlobalConfig } from '../chain/lite/global-config.ts'
import { globalConfigPlace, isUrl, readGlobalConfigText } from '../config/global-config-text.ts'
import type { NetworkConfig } from '../config/networks.ts'

/* The global config of a network; what came from a URL is kept, so that a start does not hang on a web server that is away. */

/** The file of a URL; its name carries the URL, so that no other network's is ever taken for it. */
const pathOf = (dataDir: string, url: string): string =>
  join(dataDir, `globalconfig-${createHash('sha256').update(url).digest('hex').slice(0, 16)}.json`)

const keep = async (dataDir: string, path: string, text: string): Promise<void> => {
  await mkdir(dataDir, { recursive: true })
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
}

export interface GlobalConfigDeps {
  readonly log: Log
  /** Gives the start up. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The global config of a network, from its path or URL; while the URL cannot be had, as it was the last time, where there is a data directory.
 * Rejects with a text for people.
 */
export const loadGlobalConfig = async (
  { name, globalConfig, dataDir }: Pick<NetworkConfig, 'name' | 'globalConfig' | 'dataDir'>,
  { log, signal }: GlobalConfigDeps,
): Promise<GlobalConfig> => {
  const place = globalConfigPlace(name, globalConfig)
  const path = dataDir !== undefined && isUrl(place) ? pathOf(dataDir, place) : undefined
  let text: string
  let config: GlobalConfig
  try {
    text = await readGlobalConfigText(place, signal)
    config = readGlobalConfig(text)
  } catch (err) {
    const kept = path === undefined ? undefined : await readFile(path, 'utf8').catch(() => undefined)
    if (kept === undefined) throw err
    log.warn('globalconfig.as_kept', { network: name, err })
    return readGlobalConfig(kept)
  }
  // An embedded chain's is another one after its next start.
  if (path !== undefined && !config.revertible)
    await keep(dataDir!, path, text).catch((err: unknown) => log.warn('globalconfig.not_kept', { network: name, err }))
  return config
}
