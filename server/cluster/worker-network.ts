import type { ClientConfig } from 'pg'
import { TonError } from '../../shared/errors.ts'
import { methodNames, registry } from '../../shared/registry.ts'
import type { Call, Handlers } from '../base/call.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Link } from '../base/threads/link.ts'
import { createChain, type RunningChain } from '../chain/chain.ts'
import { createLiteClient, type LiteClient } from '../chain/lite/client.ts'
import { COMMON } from '../chain/lite/groups.ts'
import type { LiteServer } from '../chain/liteserver.ts'
import { createHeadHub, type HeadHub } from '../chain/local/store/head-hub.ts'
import { createLiteTl } from '../chain/tl/lite-tl.ts'
import { isIndexed, type NetworkConfig } from '../config/networks.ts'
import { createIndexReader, type IndexReader, type IndexReaderOptions } from '../index/service/index-reader.ts'
import { STARTING } from '../index/service/status.ts'
import { createHub } from '../live/hub.ts'
import { createPictureFetch, startMetadata } from '../metadata/from-settings.ts'
import { createHeadTimes } from '../metrics/head-times.ts'
import { createHandlers } from '../network/handlers.ts'
import { followHeads } from '../network/heads.ts'
import { createIndexedHandlers } from '../network/index-handlers.ts'
import type { Network } from '../network/network.ts'
import { watchVersion } from '../network/tvm-version.ts'
import { readersOfWorker } from '../store/postgres/connection-budget.ts'
import { createReader, type Reader } from '../store/postgres/pool.ts'
import { createSlowQueries } from '../store/postgres/slow-statements.ts'
import { createTvm } from '../tvm/create.ts'
import { createPageThreads } from '../v3/large-pages/thread.ts'
import { createEventSource } from '../v3/live/source.ts'
import { type FiguresNews, type LocalCall, type NetworkState, NO_PRIMARY, type WorkerPeer } from './messages.ts'
import { asInPrimary } from './source-errors.ts'
import { createWorkerPending, type WorkerPendingDeps } from './worker-pending.ts'

/* A network of the primary, in a worker: read over lite-servers on loopback. The primary sends heads and figures. The database has the index. */

export interface WorkerNetworkDeps {
  readonly log: Log
  readonly clock: Clock
  /** How many networks this process reads. */
  readonly networks: number
  readonly link: Link
  readonly state: NetworkState & { phase: 'ready' }
  /** The last figures from the primary. */
  readonly figures: () => FiguresNews | undefined
  /** Resolves with the reason when the primary has lost the network or has opened it again. */
  readonly lost: Promise<string>
  /** Called with the hub that takes the primary's heads. */
  readonly onHub: (hub: HeadHub) => void
  /** Called with what takes the primary's news of pending traces. */
  readonly onPending: WorkerPendingDeps['onTake']
}

/** The connection is on this machine: it opens at once, or the primary is gone. */
const TIMES = { connectMs: 2_000, backoffMs: [20, 500] } as const

const createSource = (client: LiteClient, hub: HeadHub): LiteServer => ({
  async query(fn, args, signal) {
    try {
      return await client.query(fn, args, signal)
    } catch (error) {
      if ((error as Error).name !== 'LinkError') throw asInPrimary(error)
      throw new TonError('UNAVAILABLE', NO_PRIMARY, { retryAfter: 1, cause: error })
    }
  },
  heads: hub.heads,
  head: hub.head,
})

/** Reads the index in the database that the primary process names, and in its replicas. */
const createWorkerReader = (
  figures: () => FiguresNews | undefined,
  options: Pick<IndexReaderOptions, 'connections' | 'slowQuery' | 'replicaUrls' | 'suffix' | 'log'>,
): IndexReader => {
  const { connections, slowQuery, log } = options
  const slow = createSlowQueries(slowQuery, log)
  let open: { readonly at: string; readonly reader: Reader } | undefined
  const readerAt = (connection: ClientConfig): Reader => {
    const at = JSON.stringify(connection)
    if (open?.at !== at) {
      void open?.reader.close().catch(() => {})
      open = { at, reader: createReader(connection, { connections, slow }) }
    }
    return open.reader
  }
  const index = createIndexReader({
    ...options,
    primary() {
      const connection = figures()?.connection
      return connection && { connection, reader: readerAt(connection) }
    },
    status: () => figures()?.index ?? STARTING,
  })
  return {
    ...index,
    async close() {
      await Promise.all([open?.reader.close(), index.close()])
    },
  }
}

/** `local.*` runs in the primary, which has the chain. */
const forwarded = (link: Link, network: string): Partial<Handlers> =>
  Object.fromEntries(
    methodNames
      .filter((method) => registry[method].needs === 'local')
      .map((method) => {
        const handler = (params: unknown, { requestId, signal }: Call): Promise<never> => {
          const call: LocalCall = { network, method, params, requestId }
          return link.ask('local', call, signal)
        }
        return [method, handler]
      }),
  )

export const createWorkerNetwork = async (config: NetworkConfig, deps: WorkerNetworkDeps): Promise<Network> => {
  const { link, clock, log, state, figures } = deps
  const hub = createHeadHub(state.head)
  deps.onHub(hub)
  const tl = createLiteTl()
  const tvm = createTvm({ workers: config.tvmWorkers })
  const clients = state.peers.map((peer: WorkerPeer) => ({
    group: peer.group,
    client: createLiteClient(peer, { tl, onChange: () => {}, times: TIMES }),
  }))
  const chains = await Promise.all(
    clients.map(async ({ group, client }): Promise<readonly [string, RunningChain]> => {
      const source = createSource(client, hub)
      return [group, await createChain({ source, tvm, isOwn: config.local })]
    }),
  )
  const common = chains.find(([group]) => group === COMMON)![1]
  const groups = new Map(chains.filter(([group]) => group !== COMMON))
  const times = createHeadTimes(config.readyWithin, clock.ticks)
  const following = new AbortController()
  void followHeads(common, times, log, following.signal)
  const versions = watchVersion(common, clock.ticks)
  const indexed = isIndexed(config)
  const indexReader = createWorkerReader(figures, {
    connections: readersOfWorker(config.workers, deps.networks),
    slowQuery: config.slowQuery,
    replicaUrls: indexed ? config.databaseReadUrl : [],
    suffix: config.database,
    log,
  })
  const { reader, onHead } = indexReader
  const connection = () => figures()?.connection
  const fetcher = startMetadata(indexed ? { connection } : undefined, config, { log, clock })
  const pages = indexed ? createPageThreads({ slowQuery: config.slowQuery, want: fetcher?.want, log }) : undefined
  const events = createEventSource({ want: fetcher?.want, isPartial: state.fork !== undefined })
  const live = indexed ? createHub({ reader, source: events, onHead, log }) : undefined
  const pending =
    live && createWorkerPending({ link, network: config.name, live, log, figures: () => figures()?.pending, onTake: deps.onPending })
  const status = () => figures()?.index ?? { ...STARTING, database: '' }
  return {
    chain: common,
    control: undefined,
    pool: undefined,
    tvm,
    source: createSource(clients[0]!.client, hub),
    endpoint: undefined,
    globalConfig: (host, signal) => link.ask('global-config', { network: config.name, host }, signal),
    index: indexed
      ? {
          ...indexReader,
          status: status as NonNullable<Network['index']>['status'],
          connection,
          async reached(seqno, signal) {
            while (status().seqno < seqno) {
              signal.throwIfAborted()
              await new Promise((resolve) => setTimeout(resolve, 20))
            }
          },
        }
      : undefined,
    live,
    pending,
    fork: state.fork,
    handlers: createHandlers({
      chain: common,
      groups,
      tvm,
      emulator: undefined,
      now: clock.now,
      indexed: indexed
        ? createIndexedHandlers({
            reader,
            pages,
            readable: indexReader.readable,
            want: fetcher?.want,
            pictures: createPictureFetch(config),
            live,
            pending,
            fork: state.fork,
          })
        : undefined,
      local: config.local ? forwarded(link, config.name) : undefined,
      emulateErrors: config.emulateErrors,
    }),
    liteservers: () => figures()?.liteservers,
    versions: versions.figures,
    notes: () => figures()?.notes ?? [],
    trouble: () => figures()?.trouble ?? '',
    times,
    lost: deps.lost,
    async close() {
      following.abort()
      hub.close()
      pending?.close()
      await live?.close()
      for (const [, chain] of chains) chain.close()
      for (const { client } of clients) client.close()
      await fetcher?.close()
      await pages?.close()
      await indexReader.close()
      await tvm.close()
    },
  }
}
