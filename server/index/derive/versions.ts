import { LRUCache } from 'lru-cache'
import { TonError } from '../../../shared/errors.ts'
import { createAsk } from '../../chain/ask.ts'
import { LiteServerError } from '../../chain/liteserver.ts'
import { checkConfig } from '../../chain/proofs/config.ts'
import { loadMcBlockExtra } from '../../tlb/block/mc-block-extra.ts'
import { configVersion } from '../../tlb/config/general.ts'
import type { Source, SourceBlock } from '../follow/source.ts'

/** The network's global version (parameter 8) at a masterchain block: what some fields mean depends on it. */
export type VersionAt = (master: SourceBlock, signal: AbortSignal) => Promise<number>

const KEPT = 16
const VERSION_PARAM = 8

/** The configuration changes in key blocks alone: they tell it, and what is before the first one that passes by is asked for once. */
export const createVersions = ({ server }: Pick<Source, 'server'>): VersionAt => {
  const ask = createAsk(server)
  const byKeyBlock = new LRUCache<string, number>({ max: KEPT })

  const asked = async ({ id, info }: SourceBlock, signal: AbortSignal): Promise<number> => {
    try {
      return await ask(
        'getConfigParams',
        { mode: 0, id, params: [VERSION_PARAM] },
        signal,
        (answer) => configVersion(checkConfig(answer, id).root).version,
      )
    } catch (error) {
      signal.throwIfAborted()
      // Whatever was no answer, as a proof that proves nothing, is asked for again.
      if (!(error instanceof TonError && error.cause instanceof LiteServerError)) throw error
      // No state of that time is left there: validators run what the network has agreed on, nearly always.
      return info.genSoftware?.version ?? 0
    }
  }

  return async (master, signal) => {
    const { info, extra, id } = master
    const key = String(info.keyBlock ? id.seqno : info.prevKeyBlockSeqno)
    const config = info.keyBlock && extra.custom !== undefined ? loadMcBlockExtra(extra.custom).config : undefined
    const known = config === undefined ? byKeyBlock.get(key) : configVersion(config.config).version
    const version = known ?? (await asked(master, signal))
    byKeyBlock.set(key, version)
    return version
  }
}
