import { withoutSecrets } from '../base/secrets.ts'
import { createChain } from '../chain/chain.ts'
import type { ForkSettings } from '../chain/local/fork/fork.ts'
import { publishedNetworks } from '../config/global-config-text.ts'
import type { NetworkConfig } from '../config/networks.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { openPool, type PoolDeps } from './open-pool.ts'

export const forkSettings = (
  config: NetworkConfig & { readonly fork: string },
  { tvm, log, clock }: Omit<PoolDeps, 'signal'> & { readonly tvm: Tvm },
): ForkSettings => {
  const { fork, forkSeqno, forkKeep } = config
  const published = publishedNetworks.includes(fork)
  const network = published ? fork : withoutSecrets(fork)
  return {
    network,
    seqno: forkSeqno,
    keep: forkKeep,
    connect: async (signal) => {
      const place = { name: network, globalConfig: published ? undefined : fork }
      try {
        const { pool } = await openPool({ ...config, ...place }, { log, clock, signal })
        const chain = createChain({ source: pool, tvm })
        log.info('fork.connected', { network })
        return {
          source: pool,
          block: (seqno, stop) => chain.pin(seqno, stop),
          close: pool.close,
        }
      } catch (err) {
        if (!signal.aborted) log.warn('fork.not_connected', { network, err })
        throw err
      }
    },
  }
}
