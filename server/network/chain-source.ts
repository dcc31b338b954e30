import { tmpdir } from 'node:os'
import type { LitePool } from '../chain/lite/pool.ts'
import type { LiteServer } from '../chain/liteserver.ts'
import type { LocalChain, LocalControl } from '../chain/local/local-chain.ts'
import { diskCause } from '../chain/local/store/disk-faults.ts'
import type { NetworkConfig } from '../config/networks.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { checkDataDirectory, claimDataDirectory } from './data-directory.ts'
import { openPool, type PoolDeps } from './open-pool.ts'

export interface ChainSource extends Pick<LocalChain, 'notes' | 'fork' | 'trouble' | 'close'> {
  readonly source: LiteServer
  readonly control: LocalControl | undefined
  /** True if blocks of this chain can be reverted: for the embedded chain of this process or of another tonway. */
  readonly reverts: boolean
  /** True if the chain is lost when its process ends: an embedded chain without a data directory, of this process or of another tonway whose config says so. */
  readonly isTransient: boolean
  readonly pool: LitePool | undefined
  /** Names of the lite-servers that are read through another process, by the name of the port that this process queries for them. */
  readonly relayed?: ReadonlyMap<string, readonly string[]> | undefined
}

const openLocal = async (config: NetworkConfig, deps: ChainSourceDeps): Promise<ChainSource> => {
  try {
    return await openLocalChain(config, deps)
  } catch (error) {
    const cause = diskCause(error)
    if (cause === undefined) throw error
    throw new Error(`the chain cannot be opened in ${config.dataDir ?? tmpdir()}: ${cause}`, { cause: error })
  }
}

const openLocalChain = async (config: NetworkConfig, deps: ChainSourceDeps): Promise<ChainSource> => {
  claimDataDirectory(config)
  const { createLocalChain } = await import('../chain/local/create.ts')
  const { dataDir, blockTime: blockTimeMs, globalId, genesis } = config
  const fork =
    config.fork === undefined ? undefined : (await import('./fork-remote.ts')).forkSettings({ ...config, fork: config.fork }, deps)
  const own =
    genesis === undefined ? undefined : await (await import('../chain/local/genesis-accounts.ts')).readGenesisAccounts(genesis, globalId)
  const local = await createLocalChain({ dataDir, blockTimeMs, isStill: deps.isStill, globalId, fork, ...own }, deps)
  return {
    source: local,
    control: local.control,
    notes: local.notes,
    fork: local.fork,
    trouble: local.trouble,
    reverts: true,
    isTransient: config.dataDir === undefined,
    pool: undefined,
    close: () => local.close(),
  }
}

const openRemote = async (config: NetworkConfig, deps: ChainSourceDeps): Promise<ChainSource> => {
  checkDataDirectory(config)
  const { pool, relayed, revertible, isTransient } = await openPool(config, deps)
  return {
    source: pool,
    control: undefined,
    notes: [],
    fork: undefined,
    trouble: () => '',
    reverts: revertible,
    isTransient,
    pool,
    relayed,
    close: async () => pool.close(),
  }
}

export interface ChainSourceDeps extends PoolDeps {
  readonly tvm: Tvm
  /** An embedded chain makes no block: it is only read. */
  readonly isStill?: boolean | undefined
}

/** Rejects with an Error whose message is for the user if the source of blocks cannot be opened. */
export const openChainSource = (config: NetworkConfig, deps: ChainSourceDeps): Promise<ChainSource> =>
  config.local ? openLocal(config, deps) : openRemote(config, deps)
