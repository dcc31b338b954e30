import { Lru } from '../../base/memory/lru.ts'
import { attempt } from '../../cell/error.ts'
import type { SourceBlock } from '../../chain/blocks.ts'
import type { BlockConfig } from '../../chain/configs.ts'
import { configVersion } from '../../tlb/config/general.ts'
import { type Source, unlessRefused } from '../follow/source.ts'

export type Configs = ReturnType<typeof createConfigs>

/** Number of key blocks whose configuration is cached. */
const MAX_CONFIGS = 4

/** Only key blocks change the configuration, so it is requested once for each key block. */
export const createConfigs = (source: Pick<Source, 'config'>) => {
  const byKeyBlock = new Lru<number, BlockConfig>({ max: MAX_CONFIGS })
  /** The configuration after a masterchain block. */
  const at = async ({ id, info }: SourceBlock, signal: AbortSignal): Promise<BlockConfig> => {
    const key = info.keyBlock ? id.seqno : info.prevKeyBlockSeqno
    const config = byKeyBlock.get(key) ?? (await source.config(id, signal))
    byKeyBlock.set(key, config)
    return config
  }
  return {
    at,
    /** The network's global version (configuration parameter 8) after a masterchain block. The meaning of some fields depends on the version. */
    async version(master: SourceBlock, signal: AbortSignal): Promise<number> {
      // Rejects with the reason of the signal once it is aborted, whatever error the request then ends with.
      const config = await unlessRefused(at(master, signal)).finally(() => signal.throwIfAborted())
      // Without the state, or with a parameter 8 that cannot be read, it is the version in the header: validators nearly always run the network's version.
      return (config && attempt(() => configVersion(config.root))?.version) ?? master.info.genSoftware?.version ?? 0
    },
    /** Must be called after a revert. */
    forget: (): void => byKeyBlock.clear(),
  }
}
