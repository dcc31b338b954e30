import cluster from 'node:cluster'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { TonError } from '../../shared/errors.ts'
import { createMemoryLimiter } from '../access/limiter.ts'
import type { Call } from '../base/call.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { createPlaces } from '../base/limits/places.ts'
import type { Log } from '../base/log.ts'
import { withFields } from '../base/log.ts'
import type { Asked } from '../base/threads/link.ts'
import { createKey } from '../chain/adnl/keys.ts'
import { type Endpoint, startEndpoint } from '../chain/endpoint/server.ts'
import { COMMON } from '../chain/lite/groups.ts'
import { networkConfigs } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import type { Network } from '../network/network.ts'
import type { Networks } from '../network/networks.ts'
import { openNetworks } from '../network/open.ts'
import { createDatabase } from '../store/postgres/database.ts'
import {
  type FiguresNews,
  type HeadNews,
  type LocalCall,
  type NetworkState,
  NO_PRIMARY,
  type PendingNewsOf,
  type SendMessage,
  type StateNews,
  type TakeUnits,
  type WorkerPeer,
} from './messages.ts'
import { forWorkers } from './source-errors.ts'
import { createTickets } from './tickets.ts'
import { createGather, createWorkers, type Member } from './workers.ts'

export interface Primary {
  /** The port on which the workers listen. */
  readonly port: number
  readonly networks: Networks
  /** Ends the workers first, each after its running answers (at most `patience` ms), then the networks, so that nothing accepted is lost. */
  close(patience: number): Promise<void>
}

/** Limits for workers, which are few and trusted. Each one asks for many callers. */
const ENDPOINT_LIMITS = { running: 64, waiting: 1_024, backlog: 64 << 20, idleMs: 3_600_000 }
/** Interval at which changed figures of indexes and lite-servers are sent to workers. */
const FIGURES_MS = 200
/** A call that changes the chain is answered when every worker knows the new head, or after this time. */
const SETTLE_MS = 1_000

/** A network that workers may read, through lite-servers on loopback. */
interface Offer {
  readonly network: Network
  readonly opening: number
  readonly peers: readonly WorkerPeer[]
  close(): Promise<void>
}

const offer = async (network: Network, opening: number, log: Log): Promise<Offer> => {
  const key = createKey()
  const groups = network.pool?.groups.filter((group) => group !== COMMON) ?? []
  const sources = [{ group: COMMON, source: network.source }, ...groups.map((group) => ({ group, source: network.pool!.group(group) }))]
  const endpoints = await Promise.all(
    sources.map(
      ({ source }): Promise<Endpoint> =>
        startEndpoint(forWorkers(source), { host: '127.0.0.1', port: 0, key, limits: ENDPOINT_LIMITS }, { log }),
    ),
  )
  return {
    network,
    opening,
    peers: endpoints.map(({ host, port }, i) => ({ group: sources[i]!.group, host, port, key: key.publicKey })),
    async close() {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    },
  }
}

const readyState = ({ opening, peers, network }: Offer): NetworkState => ({
  phase: 'ready',
  opening,
  peers,
  head: network.chain.head(),
  fork: network.fork,
})

/** The figures of a network that workers cannot see themselves; empty while it is not open. */
const figuresNews = (name: string, network: Network | undefined): FiguresNews => ({
  network: name,
  index: network?.index?.status(),
  pending: network?.pending?.figures(),
  liteservers: network?.liteservers(),
  notes: network?.notes() ?? [],
  trouble: network?.trouble() ?? '',
  connection: network?.index?.connection(),
})

/** Returns a function that sends the figures of each network whose figures have changed since its last call. */
const createTeller = (names: readonly string[], figuresOf: (name: string) => FiguresNews, tell: (news: FiguresNews) => void) => {
  const told = new Map<string, string>()
  return (): void => {
    for (const name of names) {
      const news = figuresOf(name)
      const text = JSON.stringify(news)
      if (told.get(name) === text) continue
      told.set(name, text)
      tell(news)
    }
  }
}

/** Answers for workers about pending traces, which the primary follows. */
const pendingAnswers = (of: (name: string) => Network | undefined): Asked => ({
  pending: (name: string) => of(name)?.pending?.board.all() ?? [],
  'send-message'({ network, boc, group }: SendMessage, signal: AbortSignal) {
    const pending = of(network)?.pending
    if (pending === undefined) throw new TonError('UNAVAILABLE', NO_PRIMARY, { retryAfter: 1 })
    return pending.send(boc, group, signal)
  },
})

/** A port that is free now, for port 0. Without it the workers' own port 0 would change each time that all of them have ended. */
const freePort = async (host: string): Promise<number> => {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the first of several processes. It has the chains, the indexes and the embedded database. Its workers have everything else. */
export const startPrimary = async (
  given: Config,
  { log, clock = systemClock }: { readonly log: Log; readonly clock?: Clock },
): Promise<Primary> => {
  const config = { ...given, port: given.port === 0 ? await freePort(given.host) : given.port }
  cluster.setupPrimary({ serialization: 'advanced' })
  const database = createDatabase(config)
  const limiter = createMemoryLimiter(clock.ticks)
  const stop = new AbortController()
  const offers = new Map<string, Offer>()
  const gatherMetrics = createGather(config.workers)
  let openings = 0

  const onChange = (name: string): void => {
    const network = networks.supervisor(name)?.network()
    if (network !== offers.get(name)?.network)
      void change(name, network).catch((err) => log.error('worker.offer_failed', { network: name, err }))
    else if (network === undefined) announce(name)
  }
  const networks = openNetworks(config, networkConfigs(config), { log, clock, database, onChange })

  const stateOf = (name: string): NetworkState | undefined => {
    const open = offers.get(name)
    if (open) return readyState(open)
    const fault = networks.supervisor(name)?.fault() ?? ''
    return fault === '' ? undefined : { phase: 'failed', fault }
  }
  const tellAll = (kind: string, news: unknown): void => {
    for (const { link } of workers.members()) link.tell(kind, news)
  }
  const announce = (name: string, members: Iterable<Member> = workers.members()): void => {
    const state = stateOf(name)
    if (state === undefined) return
    for (const { link } of members) link.tell('network', { network: name, state } satisfies StateNews)
  }

  /** Replaces the offer of a network when it is opened again or lost. */
  const change = async (name: string, network: Network | undefined): Promise<void> => {
    const before = offers.get(name)
    offers.delete(name)
    tickets.forget(name)
    if (network !== undefined) {
      const made = await offer(network, ++openings, log)
      if (networks.supervisor(name)?.network() === network && !stop.signal.aborted) {
        offers.set(name, made)
        // The board of a network has no news once the network is closed.
        network.pending?.board.onNews((news) => tellAll('pending', { network: name, news } satisfies PendingNewsOf))
        void follow(name, made)
      } else await made.close()
    }
    announce(name)
    await before?.close()
  }

  const follow = async (name: string, { network }: Offer): Promise<void> => {
    for await (const _head of network.chain.heads(stop.signal)) publish(name)
  }
  const publish = (name: string): number => {
    const open = offers.get(name)
    if (open === undefined) return 0
    const head = open.network.chain.head()
    return tickets.of(name, head, (ticket) => {
      tellAll('head', { network: name, head: { id: head.id, utime: head.utime, epoch: head.epoch }, ticket } satisfies HeadNews)
    })
  }
  const tickets = createTickets(() => [...workers.members()].map(({ seen }) => seen))

  const local = async ({ network: name, method, params, requestId }: LocalCall, signal: AbortSignal): Promise<unknown> => {
    const handler = offers.get(name)?.network.handlers[method]
    if (handler === undefined) throw new Error(`${method} is not served on ${name}`)
    // The worker that received the call has checked who may make it.
    const call: Call = { network: name, signal, requestId, log: withFields(log, { requestId }), localAllowed: true }
    const { body } = await handler(params as never, call)
    await tickets.settled(publish(name), SETTLE_MS)
    return body
  }

  const figuresOf = (name: string): FiguresNews => figuresNews(name, offers.get(name)?.network)
  const tellFigures = createTeller(config.network, figuresOf, (news) => tellAll('figures', news))
  const telling = setInterval(tellFigures, FIGURES_MS)

  const workers = createWorkers({
    settings: config,
    log,
    asked: {
      start: () => ({ config }),
      local,
      metrics: () => gatherMetrics(workers.members()),
      take: ({ bucket, limit, weight }: TakeUnits) => limiter.take(bucket, limit, weight),
      charge: ({ bucket, limit, weight }: TakeUnits) => limiter.charge(bucket, limit, weight),
      ...pendingAnswers((name) => offers.get(name)?.network),
      'global-config': ({ network, host }: { network: string; host: string }, signal) =>
        offers.get(network)?.network.globalConfig(host, signal),
      async database(suffix: string | undefined, signal) {
        const { connection, what } = await database.open(suffix, signal)
        return { connection, what }
      },
    },
    greet(member) {
      for (const name of config.network) {
        announce(name, [member])
        member.link.tell('figures', figuresOf(name))
      }
    },
    onSeen: () => tickets.seen(),
    places: createPlaces(),
  })

  const close = async (patience: number): Promise<void> => {
    await workers.close(patience)
    clearInterval(telling)
    stop.abort()
    await Promise.all([...offers.values()].map((each) => each.close()))
    await networks.close()
    await database.close()
  }
  try {
    const [port] = await Promise.all([workers.listening, networks.started()])
    return { port, networks, close }
  } catch (error) {
    await close(0)
    throw error
  }
}
