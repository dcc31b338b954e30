import { type Clock, systemClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { LitePool } from '../chain/lite/pool.ts'
import type { LiteServer } from '../chain/liteserver.ts'
import type { LocalControl } from '../chain/local/local-chain.ts'
import { readServers } from '../config/lite-servers.ts'
import type { NetworkConfig } from '../config/networks.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { checkDataDirectory, claimDataDirectory } from './data-directory.ts'
import { loadGlobalConfig } from './kept-global-config.ts'

/* The code of the embedded chain, and that for lite-servers, is loaded only when it is used. */

/** Where a network's blocks and states come from: the embedded chain, or lite-servers. */
export interface ChainSource {
  readonly source: LiteServer
  /** Controls of the embedded chain; undefined for other networks. */
  readonly control: LocalControl | undefined
  /** Sentences about the chain for people, shown in /status. */
  readonly notes: readonly string[]
  /** Why the chain makes no blocks, for people; empty if it makes them. */
  trouble(): string
  /** Whether blocks can be taken back: on the embedded chain, and on another tonway's embedded chain. */
  readonly reverts: boolean
  /** Whether the chain ends with its process. It is not known here whether another tonway keeps its embedded chain, so that counts as passing. */
  readonly passing: boolean
  /** The lite-servers; undefined for the embedded chain. */
  readonly pool: LitePool | undefined
  close(): Promise<void>
}

/** Milliseconds that a start waits for the first proven head, or for the next key block on the way to it. That way may have many key blocks. */
const FIRST_HEAD_MS = 120_000
/** Milliseconds between checks whether waiting still makes sense. */
const LOOK_MS = 1_000

/**
 * @internal Waits for the first head. Gives up at once if no server can be reached. As long as the proof of key blocks advances, however slowly, it goes on,
 * because closing the pool would lose what is proven.
 */
export const firstHead = async (
  pool: Pick<LitePool, 'ready' | 'status'>,
  signal: AbortSignal | undefined,
  patience = FIRST_HEAD_MS,
): Promise<void> => {
  const first = pool.status().key_block
  let proven = first
  let since = performance.now()
  for (;;) {
    try {
      await pool.ready(LOOK_MS, signal)
      return
    } catch (error) {
      const { key_block, servers } = pool.status()
      if (key_block > proven) {
        proven = key_block
        since = performance.now()
        continue
      }
      const hopeless = proven === first && servers.every(({ state }) => state === 'waiting')
      if (hopeless || signal?.aborted || performance.now() - since > patience) throw error
    }
  }
}

const openLocal = async (config: NetworkConfig, deps: ChainSourceDeps): Promise<ChainSource> => {
  claimDataDirectory(config)
  // A clock that is not the system's cannot cross to a thread.
  const create =
    config.chainThread && deps.clock === systemClock
      ? (await import('../chain/local/thread/serving-side.ts')).createChainThread
      : (await import('../chain/local/create.ts')).createLocalChain
  const { dataDir, blockTime: blockTimeMs, globalId, genesis } = config
  const own =
    genesis === undefined ? undefined : await (await import('../chain/local/genesis-accounts.ts')).readGenesisAccounts(genesis, globalId)
  const local = await create({ dataDir, blockTimeMs, globalId, ...own }, deps)
  return {
    source: local,
    control: local.control,
    notes: local.notes,
    trouble: local.trouble,
    reverts: true,
    passing: config.dataDir === undefined,
    pool: undefined,
    close: () => local.close(),
  }
}

const openRemote = async (config: NetworkConfig, { log, clock, signal }: ChainSourceDeps): Promise<ChainSource> => {
  checkDataDirectory(config)
  const [{ createLitePool }, { openAnchorFile }] = await Promise.all([
    import('../chain/lite/pool.ts'),
    import('../chain/lite/anchor-file.ts'),
  ])
  const { servers, zeroState, init, revertible } = await loadGlobalConfig(config, { log, signal })
  // A key block that can be reverted is not kept. The next start would trust a block that no longer exists.
  const kept = config.dataDir !== undefined && !revertible ? await openAnchorFile(config.dataDir, zeroState) : undefined
  const pool = createLitePool(
    {
      servers: [...servers, ...readServers(config.liteservers)],
      zeroState,
      init,
      trust: config.trust,
      revertible,
      maxInFlight: config.liteserverQueries,
      anchor: kept?.anchor,
      onKeyBlock: (block) => void kept?.keep(block).catch((err: unknown) => log.warn('keyblock.not_kept', { network: config.name, err })),
    },
    { log, clock },
  )
  try {
    await firstHead(pool, signal)
  } catch (error) {
    pool.close()
    throw error
  }
  return {
    source: pool,
    control: undefined,
    notes: [],
    trouble: () => '',
    reverts: revertible,
    passing: revertible,
    pool,
    close: async () => pool.close(),
  }
}

export interface ChainSourceDeps {
  readonly tvm: Tvm
  readonly log: Log
  readonly clock: Clock
  /** Aborted to give up the start. */
  readonly signal?: AbortSignal | undefined
}

/** Opens the source of blocks that the settings name. Rejects with an Error whose message is for the user if it cannot be opened. */
export const openChainSource = (config: NetworkConfig, deps: ChainSourceDeps): Promise<ChainSource> =>
  config.local ? openLocal(config, deps) : openRemote(config, deps)
