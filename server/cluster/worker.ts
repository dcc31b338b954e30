import cluster from 'node:cluster'
import { TonError } from '../../shared/errors.ts'
import type { Limiter } from '../access/limiter.ts'
import { startApp } from '../app.ts'
import { systemClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { createLog, withFields } from '../base/log.ts'
import { onFaults } from '../base/shutdown.ts'
import { createLink, type Link } from '../base/threads/link.ts'
import type { NetworkConfig } from '../config/networks.ts'
import type { Metrics } from '../metrics/exposition.ts'
import type { Database } from '../store/postgres/database.ts'
import { placesOf } from './held-places.ts'
import type { FiguresNews, HeadNews, PendingNewsOf, Start, StateNews, TakeUnits } from './messages.ts'
import { createNetworkMirror, type NetworkMirror } from './network-mirror.ts'
import { createWorkerNetwork } from './worker-network.ts'
import type { StartFault } from './workers.ts'

const NEVER = new Promise<never>(() => {})

/** The primary's PostgreSQL. */
const databaseOf = (link: Link): Database => ({
  open: async (suffix, signal) => ({ ...(await link.ask<{ connection: object; what: string }>('database', suffix, signal)), lost: NEVER }),
  close: async () => {},
})

/** Units are counted in the primary, for all workers together. */
const limiterOf = (link: Link): Limiter => ({
  take: (bucket, limit, weight) => link.ask<boolean>('take', { bucket, limit, weight } satisfies TakeUnits),
  // Nobody waits for it. If the primary is gone, nothing is counted.
  charge: (bucket, limit, weight) => void link.ask('charge', { bucket, limit, weight } satisfies TakeUnits).catch(() => {}),
  place: () => 'primary',
  close: async () => {},
})

/** Returns a function that gives the mirror of a network. It is created on first use. */
const createMirrors = (): ((network: string) => NetworkMirror) => {
  const mirrors = new Map<string, NetworkMirror>()
  return (network) => {
    const mirror = mirrors.get(network) ?? createNetworkMirror()
    mirrors.set(network, mirror)
    return mirror
  }
}

/** Runs one process of `TONWAY_WORKERS`: HTTP and everything above the chain. The primary has what exists only once. */
export const runWorker = async (): Promise<void> => {
  const mirrorOf = createMirrors()
  let drain: (patience: number) => Promise<void> = async () => {}
  let metrics: () => Promise<Metrics> = async () => []
  const end = (patience: number): void => {
    // A worker keeps nothing, so it may exit after its last answer.
    drain(patience).then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  const link = createLink(
    { send: (message) => process.connected && process.send!(message) !== undefined },
    { metrics: () => metrics() },
    {
      network: ({ network, state }: StateNews) => mirrorOf(network).set(state),
      figures: (news: FiguresNews) => mirrorOf(news.network).setFigures(news),
      head({ network, head, ticket }: HeadNews) {
        mirrorOf(network).setHead(head)
        link.tell('seen', ticket)
      },
      pending: ({ network, news }: PendingNewsOf) => mirrorOf(network).takePending(news),
      stop: (patience: number) => end(patience),
    },
  )
  process.on('message', link.receive)
  process.on('disconnect', () => {
    link.close()
    end(0)
  })
  // A signal to every process of the service is meant for the primary, which then ends the workers.
  process.on('SIGTERM', () => {})
  process.on('SIGINT', () => {})

  const { config } = await link.ask<Start>('start', undefined)
  const fields = { worker: cluster.worker?.id }
  const log: Log = withFields(createLog(config.log, undefined, config.logFormat), fields)
  onFaults({ log, exit: (code) => process.exit(code) })

  const open = async (each: NetworkConfig) => {
    const mirror = mirrorOf(each.name)
    const state = await mirror.opening((fault) => new TonError('UNAVAILABLE', fault))
    return createWorkerNetwork(each, {
      log,
      clock: systemClock,
      networks: config.network.length,
      link,
      state,
      figures: mirror.figures,
      lost: mirror.over(state.opening),
      onHub: mirror.feed,
      onPending: mirror.feedPending,
    })
  }
  try {
    const database = databaseOf(link)
    const app = await startApp(config, {
      log,
      open,
      database,
      limiter: config.redisUrl === undefined ? limiterOf(link) : undefined,
      places: placesOf(link),
      gather: () => link.ask<readonly Metrics[]>('metrics', undefined),
      onListening: (port) => link.tell('listening', port),
    })
    drain = app.drain
    metrics = app.metrics
  } catch (error) {
    const { code, port, message } = error as StartFault
    log.error('worker.failed', { err: error })
    link.tell('failed', { code, port, message } satisfies StartFault)
    // The message must be sent before the channel closes.
    setTimeout(() => process.exit(1), 100)
  }
}
