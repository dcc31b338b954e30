import { Lru } from '../../base/memory/lru.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import { LiteServerError } from '../../chain/liteserver.ts'
import { loadMcBlockExtra } from '../../tlb/block/mc-block-extra.ts'
import { configVersion } from '../../tlb/config/general.ts'
import type { Source } from '../follow/source.ts'

/** The network's global version (configuration parameter 8) at a masterchain block. The meaning of some fields depends on the version. */
export type VersionAt = (master: SourceBlock, signal: AbortSignal) => Promise<number>

const MAX_CACHED = 16
const VERSION_PARAM = 8

/**
 * Only key blocks change the configuration, and they contain it, so the version is cached per key block. The version before the first key block is
 * requested once.
 */
export const createVersions = ({ configParams }: Pick<Source, 'configParams'>): VersionAt => {
  const byKeyBlock = new Lru<string, number>({ max: MAX_CACHED })

  const request = async ({ id, info }: SourceBlock, signal: AbortSignal): Promise<number> => {
    try {
      return configVersion(await configParams(id, [VERSION_PARAM], signal)).version
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof LiteServerError)) throw error
      // The source no longer has the state. The version in the block header is used instead: validators nearly always run the network's version.
      return info.genSoftware?.version ?? 0
    }
  }

  return async (master, signal) => {
    const { info, extra, id } = master
    const key = String(info.keyBlock ? id.seqno : info.prevKeyBlockSeqno)
    const config = info.keyBlock && extra.custom !== undefined ? loadMcBlockExtra(extra.custom).config : undefined
    const cached = config === undefined ? byKeyBlock.get(key) : configVersion(config.config).version
    const version = cached ?? (await request(master, signal))
    byKeyBlock.set(key, version)
    return version
  }
}
