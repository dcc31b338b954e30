import { type AnyHandler, answering } from '../base/answer.ts'
import type { Chain } from '../chain/chain-port.ts'
import { outwardNetwork } from '../config/global-config-text.ts'
import { checksKeys, type NetworkConfig } from '../config/networks.ts'
import { inThreads } from '../dispatch/choose-handler.ts'
import { createEmulator } from '../emulate/emulator.ts'
import { createHooks } from '../hooks/hooks.ts'
import { createIndexService } from '../index/service/service.ts'
import { createHub } from '../live/hub.ts'
import { startFetcher } from '../metadata/fetcher.ts'
import { createPictureFetch, pictureHandlers } from '../metadata/pictures.ts'
import { readersOf } from '../store/postgres/connection-budget.ts'
import type { Database } from '../store/postgres/database-server.ts'
import type { Tvm } from '../tvm/tvm.ts'
import type { V3Index } from '../v3/answer/answer.ts'
import { createTraceRecognizer } from '../v3/answer/recognize-trace.ts'
import { subscriptionHandlers } from '../v3/event-subscriptions.ts'
import { createV3Handlers } from '../v3/index.ts'
import { createPageThreads } from '../v3/large-pages/thread.ts'
import type { V2 } from '../v3/legacy.ts'
import { createEventSource } from '../v3/live/source.ts'
import type { ChainSource } from './chain-source.ts'
import { indexPart } from './index-options.ts'
import { chainKey, createPending, type PendingDeps } from './pending-traces.ts'

/* The parts of a network that only an index needs: half of the service's code. They are loaded only if the index is on. */

export interface IndexedDeps extends Pick<PendingDeps, 'chain' | 'groups' | 'redis' | 'clock' | 'log'> {
  readonly from: ChainSource
  readonly database: Database
  readonly networks: number
  readonly tvm: Tvm
  readonly keyOwners: ((of: readonly string[]) => Promise<ReadonlySet<string>>) | undefined
}

export const openRelay = async (url: string, chain: Chain): Promise<NonNullable<PendingDeps['redis']>> => {
  const [{ createRelay }, key] = await Promise.all([import('../live/pending/redis-relay.ts'), chainKey(chain)])
  return { url, chain: key, createRelay }
}

/** Adds the header X-Fork, because the index of a fork has no history from before the fork. */
const withForkHeader = <H extends Readonly<Record<string, AnyHandler>>>(handlers: H, fork: string | undefined): H => {
  if (fork === undefined) return handlers
  const value = outwardNetwork(fork)
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]): readonly [string, AnyHandler] => [
      name,
      async (params, call) => {
        const answer = await handler(params, call)
        return { ...answer, headers: { ...answer.headers, 'X-Fork': value } }
      },
    ]),
  ) as H
}

export type Indexed = ReturnType<typeof openIndexed>

/** Starts the index in the background. Until the index has its first block, methods of v2 read the chain, and methods of v3 are unavailable. */
export const openIndexed = (config: NetworkConfig, deps: IndexedDeps) => {
  const { from, chain, database, networks, tvm, keyOwners, log, clock } = deps
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
  const fetcher = startFetcher(config, { connection: index.connection, log, now: clock.now })
  const want = fetcher?.want
  const pages = createPageThreads({ slowQuery: config.slowQuery, want, log })
  const live = createHub({ reader, source: createEventSource({ want, isPartial: fork !== undefined }), onHead, log })
  const emulator = createEmulator({ chain, tvm })
  const recognizer = createTraceRecognizer({ chain, tvm })
  const isTestnet = config.name === 'testnet'
  const pending = createPending({
    ...deps,
    source,
    confirmedServers: config.confirmedServers,
    relayed: from.relayed,
    emulator,
    recognizer,
    reader,
    reached,
    onHead,
    isTestnet,
    live,
  })
  const hooks = createHooks({
    hub: live,
    connection: index.connection,
    allowed: config.hooksAllow,
    loopback: config.local && !checksKeys(config),
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
    reader,
    /** Called for a token whose off-chain data was not fetched yet; undefined if off-chain data is not fetched. */
    want,
    handlers: (v2: V2, chainOf: V3Index['chainOf']): Readonly<Record<string, AnyHandler>> => ({
      ...withForkHeader(
        createV3Handlers({ reader, want, v2, pending, chainOf, inThreads: (own) => inThreads(own, pages, readable) }),
        fork,
      ),
      ...answering(pictureHandlers({ reader, want, fetch: createPictureFetch(config) })),
      ...subscriptionHandlers(live),
      ...hooks.handlers,
    }),
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
