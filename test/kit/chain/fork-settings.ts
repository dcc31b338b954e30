import { createChain } from '../../../server/chain/chain.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import type { ForkSettings } from '../../../server/chain/local/fork/fork.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'

/** A fork of a chain in this process. `source` is asked for each connection, and may reject as a network that cannot be reached. */
export const forkOf = (
  source: () => LiteServer | Promise<LiteServer>,
  tvm: Pick<Tvm, 'runGetMethod' | 'runTransaction'>,
  options: Partial<Pick<ForkSettings, 'seqno' | 'keep' | 'network'>> = {},
): ForkSettings => ({
  network: 'remote',
  keep: [],
  ...options,
  connect: async () => {
    const remote = await source()
    const chain = createChain({ source: remote, tvm })
    return { source: remote, block: (seqno, signal) => chain.pin(seqno, signal), close: () => {} }
  },
})
