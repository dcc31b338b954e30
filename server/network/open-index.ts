import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Chain } from '../chain/chain-port.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { createEmulator } from '../emulate/emulator.ts'
import { createHooks } from '../hooks/hooks.ts'
import { createIndexService } from '../index/service/service.ts'
import { createHub } from '../live/hub.ts'
import { createPictureFetch, startMetadata } from '../metadata/from-settings.ts'
import { readersOf } from '../store/postgres/connection-budget.ts'
import type { Database } from '../store/postgres/database-server.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { createTraceRecognizer } from '../v3/answer/recognize-trace.ts'
import { createPageThreads } from '../v3/large-pages/thread.ts'
import { createEventSource } from '../v3/live/source.ts'
import type { ChainSource } from './chain-source.ts'
import { createIndexedHandlers } from './index-handlers.ts'
import { indexPart } from './index-options.ts'
import { chainKey, createPending, type PendingDeps } from './pending-traces.ts'

/* The parts of a network that only an index needs: half of the service's code. They are loaded only if the index is on. */

export interface IndexedDeps {
  readonly from: ChainSource
  readonly chain: Chain
  readonly groups: ReadonlyMap<string, Chain>
  readonly database: Database
  readonly networks: number
  readonly redis: PendingDeps['redis']
  readonly tvm: Tvm
  readonly keyOwners: (() => Promise<ReadonlySet<string>>) | undefined
  readonly log: Log
  readonly clock: Clock
}

export const openRelay = async (url: string, chain: Chain): Promise<NonNullable<PendingDeps['redis']>> => {
  const [{ createRelay }, key] = await Promise.all([import('../live/pending/redis-relay.ts'), chainKey(chain)])
  return { url, chain: key, createRelay }
}

export type Indexed = ReturnType<typeof openIndexed>

/** Starts the index in the background. Until the index has its first block, methods of v2 read the chain, and methods of v3 are unavailable. */
export const openIndexed = (config: NetworkConfig, deps: IndexedDeps) => {
  const { from, chain, groups, database, networks, redis, tvm, keyOwners, log, clock } = deps
  const { source, reverts, isTransient, fork } = from
  const index = createIndexService({
    source,
    network: config.name,
    reverts,
    isTransient,
    database,
    suffix: config.database,
    replicaUrls: config.databaseReadUrl,
    connections: readersOf(config.workers, networks),
    part: indexPart(config),
    slowQuery: config.slowQuery,
    tvm,
    log,
  })
  const { reader, readable, reached, onHead } = index
  const fetcher = startMetadata(index, config, { log, clock })
  const want = fetcher?.want
  const pages = createPageThreads({ slowQuery: config.slowQuery, want, log })
  const live = createHub({ reader, source: createEventSource({ want, isPartial: fork !== undefined }), onHead, log })
  const emulator = createEmulator({ chain, tvm })
  const recognizer = createTraceRecognizer({ chain, tvm })
  const isTestnet = config.name === 'testnet'
  const pending = createPending({
    source,
    confirmedServers: config.confirmedServers,
    chain,
    groups,
    emulator,
    recognizer,
    clock,
    reader,
    reached,
    isTestnet,
    live,
    redis,
    log,
  })
  const hooks = createHooks({
    hub: live,
    connection: index.connection,
    allowed: config.hooksAllow,
    isEmbedded: config.local,
    owners: keyOwners,
    log,
  })
  return {
    index,
    live,
    pending,
    hooks,
    emulator,
    handlers: createIndexedHandlers({ reader, want, pages, readable, pictures: createPictureFetch(config), live, pending, hooks, fork }),
    async close(): Promise<void> {
      pending.close()
      await hooks.close()
      await live.close()
      await fetcher?.close()
      await pages.close()
      await index.close()
    },
  }
}
