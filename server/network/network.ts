import type { Log } from '../base/log.ts'
import { createChain } from '../chain/chain.ts'
import type { Chain } from '../chain/chain-port.ts'
import { endpointKey } from '../chain/endpoint/key-file.ts'
import { type Endpoint, startEndpoint } from '../chain/endpoint/server.ts'
import { globalConfig } from '../chain/endpoint/write-global-config.ts'
import { COMMON } from '../chain/lite/choose-servers.ts'
import type { LitePool } from '../chain/lite/pool.ts'
import type { LiteAnswer, LiteArgs, LiteServer } from '../chain/liteserver.ts'
import { isIndexed, type NetworkConfig } from '../config/networks.ts'
import { createLocalHandlers } from '../local/index.ts'
import type { NetworkFigures } from '../metrics/figures.ts'
import { createHeadTimes, type HeadTimes } from '../metrics/head-times.ts'
import type { Database } from '../store/postgres/database-server.ts'
import { overlap } from '../tlb/block/shard-ident.ts'
import { createTvm } from '../tvm/create.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { type ChainSource, openChainSource } from './chain-source.ts'
import { createHandlers } from './handlers.ts'
import type { Indexed } from './open-index.ts'
import type { PoolDeps } from './open-pool.ts'
import type { Pending } from './pending-traces.ts'
import { LOOPBACK, liteServerFigures, SHARED_LIMITS } from './shared-lite-server.ts'
import { watchVersion } from './tvm-version.ts'

export interface NetworkDeps extends PoolDeps {
  readonly database: Database
  readonly networks?: number
  /** Owners of valid API keys of the network; undefined if there are no keys. */
  readonly keyOwners?: ((of: readonly string[]) => Promise<ReadonlySet<string>>) | undefined
  /** The TVM that a test passes in. The network does not close it. */
  readonly tvm?: Tvm | undefined
  /** For tests: the source of blocks to use instead of that of the settings. */
  readonly from?: ChainSource | undefined
}

const isAny = (host: string): boolean => host === '0.0.0.0' || host === '::'

interface EndpointDeps extends Pick<NetworkDeps, 'shared' | 'log'> {
  readonly config: NetworkConfig
}

const LITESERVER_PORT = 8082

const openEndpoint = async (source: LiteServer, { config, shared, log }: EndpointDeps): Promise<Endpoint | undefined> => {
  const { host, liteserverPort, dataDir } = config
  const port = shared?.publicPort ?? liteserverPort
  // A public network already has lite-servers, and this port would only relay to them. So the port is opened only if a setting names it.
  if (port === 'off' || (port === 'auto' && !config.local) || shared?.opens === false) return undefined
  const key = shared?.key ?? (await endpointKey(dataDir))
  const start = (at: number): Promise<Endpoint> => startEndpoint(source, { host, port: at, key }, { log })
  if (port !== 'auto') return start(port)
  try {
    return await start(LITESERVER_PORT)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return start(0)
  }
}

/** Queries of the other workers are those of the service itself, and so go before those of the public port. */
const openSharedEndpoint = async (source: LiteServer, { shared, log }: EndpointDeps): Promise<Endpoint | undefined> =>
  shared?.opens
    ? await startEndpoint(
        source,
        { host: LOOPBACK, port: shared.port, key: shared.key, clientOf: () => '', limits: SHARED_LIMITS },
        { log },
      )
    : undefined

/** The endpoint in /global.config.json: the public port, even if another process has opened it. */
const publicEndpoint = (endpoint: Endpoint | undefined, { config, shared }: EndpointDeps) =>
  shared?.publicPort === undefined ? endpoint : { host: config.host, port: shared.publicPort, publicKey: shared.key.publicKey }

const chainsOfGroups = (pool: LitePool | undefined, tvm: Tvm): ReadonlyMap<string, Chain> => {
  const names = pool?.groups.filter((name) => name !== COMMON) ?? []
  return new Map(names.map((name) => [name, createChain({ source: pool!.group(name), tvm })]))
}

/** Resolves with the reason if the heads end before the signal is aborted. Otherwise never resolves. */
const followHeads = async (chain: Chain, times: HeadTimes, log: Log, signal: AbortSignal): Promise<string> => {
  let reason = 'the chain has ended'
  try {
    for await (const { id } of chain.heads(signal)) times.seen(id.seqno)
  } catch (err) {
    if (!signal.aborted) log.error('heads.lost', { err })
    reason = (err as Error).message
  }
  return signal.aborted ? new Promise<never>(() => {}) : reason
}

/** Answers nonfinal.getPendingShardBlocks with the shard blocks that enough lite-servers list as signed. */
const answerPendingBlocks = (pending: Pending, { shard }: LiteArgs<'nonfinal.getPendingShardBlocks'>) => ({
  signedBlocks: pending.newestSigned().filter((id) => shard === undefined || overlap(id, shard)),
  candidates: [],
})

/**
 * Wraps the source for clients of the lite-server port. The traces of messages that these clients send become pending traces once `pending` exists. With
 * several lite-servers, clients get only the pending blocks on which enough lite-servers agree.
 */
const withFollowedSends = (source: LiteServer, pending: () => Pending | undefined): LiteServer => ({
  ...source,
  async query(fn, args, signal) {
    const following = fn === 'nonfinal.getPendingShardBlocks' && source.servers !== undefined ? pending() : undefined
    if (following !== undefined)
      return answerPendingBlocks(following, args as LiteArgs<'nonfinal.getPendingShardBlocks'>) as LiteAnswer<typeof fn>
    const followed = fn === 'sendMessage' ? pending() : undefined
    if (followed === undefined) return await source.query(fn, args, signal)
    let answer: LiteAnswer<typeof fn> | undefined
    await followed.sendBy((args as { readonly body: Uint8Array }).body, signal, async (_, stop) => {
      answer = await source.query(fn, args, stop)
    })
    return answer!
  },
})

export type Network = Awaited<ReturnType<typeof createNetwork>>

export const createNetwork = async (config: NetworkConfig, deps: NetworkDeps) => {
  const { log, clock, database, shared, networks = 1, signal, tvm: given } = deps
  const tvm = given ?? createTvm({ workers: config.tvmWorkers })
  /** Closes what is open, the last first. */
  const closers: (() => unknown)[] = given ? [] : [() => tvm.close()]
  const closeAll = async (): Promise<void> => {
    for (const close of closers.reverse()) await close()
  }
  try {
    const from = deps.from ?? (await openChainSource(config, { tvm, log, clock, shared, signal }))
    const { source, control, notes, fork, trouble, reverts, pool } = from
    closers.push(() => from.close())
    const chain = createChain({ source, tvm, isOwn: config.local })
    const groups = chainsOfGroups(pool, tvm)
    const whenIndexed = isIndexed(config) ? await import('./open-index.ts') : undefined
    const redis = whenIndexed && config.redisUrl !== undefined ? await whenIndexed.openRelay(config.redisUrl, chain) : undefined
    let indexed: Indexed | undefined
    const endpoints = { config, shared, log }
    const followed = withFollowedSends(source, () => indexed?.pending)
    const endpoint = await openEndpoint(followed, endpoints)
    closers.push(() => endpoint?.close())
    const sharedEndpoint = await openSharedEndpoint(followed, endpoints)
    closers.push(() => sharedEndpoint?.close())
    const served = publicEndpoint(endpoint, endpoints)
    // The rest of the start awaits nothing, so a failure cannot leave an index or a thread open.

    const times = createHeadTimes(config.readyWithin, clock.ticks)
    const following = new AbortController()
    const lost = followHeads(chain, times, log, following.signal)

    const versions = watchVersion(chain, clock.ticks)
    void versions.read()
    // The first of several processes compares what the lite-servers list as signed. The other processes read only from that process, so one confirmation is
    // enough for them.
    const own = shared?.opens === false ? { ...config, confirmedServers: 1 } : config
    const { keyOwners } = deps
    indexed = whenIndexed?.openIndexed(own, { from, chain, groups, database, networks, redis, tvm, keyOwners, log, clock })
    return {
      chain,
      control,
      pool,
      tvm,
      index: indexed?.index,
      live: indexed?.live,
      pending: indexed?.pending,
      hooks: indexed?.hooks,
      fork,
      /** The source of the chain without caches, and the endpoint that serves this source over ADNL (undefined if the lite-server port is off). */
      source,
      endpoint,
      /** TON's global config for tools that reach this machine by the given host name; undefined if nothing is served over ADNL. */
      async globalConfig(host: string, signal: AbortSignal): Promise<string | undefined> {
        return served && globalConfig(source, { ...served, host: isAny(config.host) ? host : config.host }, signal, from)
      },
      handlers: createHandlers({
        chain,
        groups,
        tvm,
        now: clock.now,
        indexed,
        control,
        local: control && createLocalHandlers({ control, chain }),
        reverts,
        emulateErrors: config.emulateErrors,
      }),
      liteservers: (): NetworkFigures['liteservers'] => liteServerFigures(pool?.status(), shared),
      versions: versions.figures,
      notes: () => [...notes, ...versions.notes()],
      trouble,
      times,
      /** Resolves with the reason when the chain ends although `close` was not called. */
      lost,
      async close(): Promise<void> {
        following.abort()
        await indexed?.close()
        await closeAll()
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}
