import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { AnchorFile } from '../chain/lite/anchor-file.ts'
import { COMMON } from '../chain/lite/choose-servers.ts'
import type { LitePool } from '../chain/lite/pool.ts'
import { readServers, type ServerPeer } from '../config/lite-servers.ts'
import type { NetworkConfig } from '../config/networks.ts'
import type { BlockId } from '../tlb/ids.ts'
import { loadGlobalConfig } from './cached-global-config.ts'
import { SHARED_PAUSE, type SharedSource, sharedPeer } from './shared-lite-server.ts'

/** Milliseconds that a start waits for the first proven head without progress. Each further key block in the proof of that head starts the time again. */
const FIRST_HEAD_MS = 120_000
const LOOK_MS = 1_000

/**
 * @internal Waits for the first head. Rejects at once if no server can be reached. Keeps waiting while the proof of key blocks advances, however slowly,
 * because closing the pool would discard the proven key blocks.
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

export type PoolConfig = Pick<NetworkConfig, 'name' | 'globalConfig' | 'dataDir' | 'liteservers' | 'liteserverQueries' | 'trust'>

export interface PoolDeps {
  readonly log: Log
  readonly clock: Clock
  readonly shared?: SharedSource | undefined
  readonly signal?: AbortSignal | undefined
}

/** The name of a server in figures. */
const serverName = ({ host, port }: ServerPeer): string => `${host}:${port}`

/**
 * Lite-servers that this process queries: those of the global config and of the settings. If the service's first process relays lite-servers on its port,
 * this process queries that port, and directly only the servers that the settings assign to a group. `relayed`: names of the lite-servers that are read
 * through another process, by the name of the port that this process queries for them.
 */
const serversOf = (published: readonly ServerPeer[], config: PoolConfig, shared: SharedSource | undefined) => {
  const own = readServers(config.liteservers)
  const all = [...published, ...own]
  if (shared === undefined || shared.opens) return { servers: all, relayed: new Map<string, readonly string[]>() }
  const relay = sharedPeer(shared)
  const behind = all.filter(({ group = COMMON }) => group === COMMON)
  return {
    servers: [relay, ...own.filter(({ group = COMMON }) => group !== COMMON)],
    relayed: new Map([[serverName(relay), behind.map(serverName)]]),
  }
}

/** Resolves when the head is proven. Rejects with an Error whose message is for the user. */
export const openPool = async (config: PoolConfig, { log, clock, shared, signal }: PoolDeps) => {
  const [{ createLitePool }, { openAnchorFile }] = await Promise.all([
    import('../chain/lite/pool.ts'),
    import('../chain/lite/anchor-file.ts'),
  ])
  // Only one of several processes writes files, so that no two processes write the same file.
  const isWriter = shared?.opens ?? true
  const { servers: published, zeroState, init, revertible, isTransient } = await loadGlobalConfig(config, { log, isWriter, signal })
  // A key block that can be reverted is not stored, because the next start would trust a block that no longer exists.
  const anchorFile = config.dataDir !== undefined && !revertible ? await openAnchorFile(config.dataDir, zeroState) : undefined
  const storeBlock = (file: AnchorFile, block: BlockId): void =>
    void file.keep(block).catch((err: unknown) => log.warn('keyblock.not_kept', { network: config.name, err }))
  const { servers, relayed } = serversOf(published, config, shared)
  const pool = createLitePool(
    {
      servers,
      zeroState,
      init,
      trust: config.trust,
      revertible,
      maxInFlight: config.liteserverQueries,
      anchor: anchorFile?.anchor,
      ...(anchorFile && isWriter && { onKeyBlock: (block) => storeBlock(anchorFile, block) }),
      ...(!isWriter && { times: { backoffMs: [SHARED_PAUSE / 4, SHARED_PAUSE] } }),
    },
    { log, clock },
  )
  try {
    await firstHead(pool, signal)
  } catch (error) {
    pool.close()
    throw error
  }
  return { pool, relayed, revertible, isTransient }
}
