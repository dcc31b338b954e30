import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { inOwnTurn } from '../base/yield.ts'
import type { AccessFigures, AnswerFigures, DiskFigures, IndexStatus, NetworkFigures } from './figures.ts'
import { type AnswerCounter, BUCKETS, type Labels, type Meter } from './meter.ts'

export interface ExpositionDeps {
  readonly meter: Meter
  readonly networks: () => readonly NetworkFigures[]
  readonly access?: (() => AccessFigures) | undefined
  readonly disks?: (() => Promise<readonly DiskFigures[]>) | undefined
  readonly sockets: () => number
  readonly answers: () => AnswerFigures
  /** Becomes a label of every metric; undefined if there is only one process. */
  readonly worker?: number | undefined
  readonly version: string
}

interface Value {
  readonly value: number
  readonly labels: Labels
  readonly metricName?: string
}
type Type = 'counter' | 'gauge' | 'histogram'
type Read = () => readonly Value[] | Promise<readonly Value[]>

/** A metric that reads figures of the service on each scrape. prom-client's registry accepts any object with a name and a `get`. */
/** Phases of a working index. In `waiting`, another process writes it. */
const UP: ReadonlySet<IndexStatus['phase']> = new Set(['following', 'backfill', 'waiting'])

const metric = (type: Type, name: string, help: string, read: Read): Metric =>
  ({ name, get: async () => ({ name, help, type, values: await read() }) }) as unknown as Metric

const one =
  (read: () => number): Read =>
  () => [{ labels: {}, value: read() }]

const ifDefined = (labels: Labels, value: number | null | undefined): readonly Value[] =>
  value === undefined || value === null ? [] : [{ labels, value }]

const seconds = (milliseconds: number): number => milliseconds / 1000

const statusValues = ({ labels, statuses }: AnswerCounter): Value[] =>
  [...statuses].map(([status, value]) => ({ labels: { ...labels, status }, value }))

/** Prometheus's format: cumulative buckets, then sum and count. */
const histogramValues = (name: string, { labels, counts, sum }: AnswerCounter): Value[] => {
  let total = 0
  const buckets = counts.map((count, i): Value => {
    total += count
    const bound = BUCKETS[i]
    return { metricName: `${name}_bucket`, labels: { le: bound === undefined ? '+Inf' : seconds(bound), ...labels }, value: total }
  })
  return [...buckets, { metricName: `${name}_sum`, labels, value: seconds(sum) }, { metricName: `${name}_count`, labels, value: total }]
}

const callMetrics = ({ meter }: ExpositionDeps): Metric[] => {
  const name = 'tonway_call_duration_seconds'
  const calls = () => meter.figures().calls
  return [
    metric('counter', 'tonway_calls_total', 'Calls over all transports, by method and HTTP status of the answer.', () =>
      calls().flatMap(({ answers }) => statusValues(answers)),
    ),
    metric('histogram', name, 'Duration of calls, including those answered from a cache.', () =>
      calls().flatMap(({ answers }) => histogramValues(name, answers)),
    ),
    metric('counter', 'tonway_call_cache_hits_total', 'Calls answered from a cache.', () =>
      calls().map(({ answers, hits }) => ({ labels: answers.labels, value: hits })),
    ),
  ]
}

const requestMetrics = ({ meter, sockets, answers }: ExpositionDeps): Metric[] => {
  const name = 'tonway_http_request_duration_seconds'
  const requests = () => meter.figures().requests
  return [
    metric('counter', 'tonway_http_requests_total', 'HTTP requests by group of endpoints (door) and status.', () =>
      requests().flatMap(statusValues),
    ),
    metric('histogram', name, 'Time from an HTTP request to its answer.', () => requests().flatMap((each) => histogramValues(name, each))),
    metric(
      'counter',
      'tonway_refused_total',
      'Calls refused because of a limit or a key, including batch items and WebSocket messages.',
      () => [...meter.figures().refused].map(([reason, value]) => ({ labels: { reason }, value })),
    ),
    metric('gauge', 'tonway_sockets', 'Open WebSockets.', one(sockets)),
    metric('gauge', 'tonway_unread_bytes', 'Bytes of answers and events that their readers have not taken yet.', () =>
      Object.entries(answers().unread_bytes).map(([transport, value]) => ({ labels: { transport }, value })),
    ),
    metric(
      'gauge',
      'tonway_batch_bytes',
      'Bytes of the answers of batches that are being made.',
      one(() => answers().batch_bytes),
    ),
    metric(
      'gauge',
      'tonway_unfinished_bytes',
      'Bytes of requests and WebSocket messages that have not arrived completely.',
      one(() => answers().unfinished_bytes),
    ),
  ]
}

const accessMetrics = ({ access }: ExpositionDeps): Metric[] => {
  if (access === undefined) return []
  return [
    metric(
      'gauge',
      'tonway_keys_up',
      '1 while API keys can be checked, or are not checked at all; 0 while their database is away.',
      one(() => (access().keys === 'away' ? 0 : 1)),
    ),
    metric(
      'gauge',
      'tonway_limits_up',
      '1 while limits are counted as the settings say; 0 while Redis is away.',
      one(() => (access().limits === 'redis away' ? 0 : 1)),
    ),
  ]
}

/** Returns a function that makes metrics with a value for each item of each network. `itemsOf` returns the items with their labels. */
const metricsOf =
  <T>({ networks }: ExpositionDeps, prefix: string, itemsOf: (figures: NetworkFigures) => readonly (readonly [Labels, T])[]) =>
  (type: Type, name: string, help: string, read: (item: T) => number | null | undefined): Metric =>
    metric(type, prefix + name, help, () =>
      networks().flatMap((figures) =>
        itemsOf(figures).flatMap(([labels, item]) => ifDefined({ network: figures.network, ...labels }, read(item))),
      ),
    )

const asOne = (figures: NetworkFigures) => [[{}, figures]] as const

const byServer = <S extends { readonly server: string }>(servers: readonly S[] = []) =>
  servers.map((each) => [{ server: each.server }, each] as const)

const byKind = <F extends object, K extends keyof F & string>(label: string, kinds: readonly K[], of: F | undefined) =>
  of === undefined ? [] : kinds.map((kind) => [{ [label]: kind }, of[kind]] as const)

const networkMetrics = (deps: ExpositionDeps): Metric[] => {
  const each = metricsOf(deps, 'tonway_', asOne)
  return [
    each('gauge', 'ready', '1 while head and index are current, as /ready says.', (it) =>
      it.phase === 'ready' && it.troubles.length === 0 ? 1 : 0,
    ),
    each('gauge', 'head_seqno', 'Seqno of the newest masterchain block.', ({ head }) => head?.seqno),
    each('gauge', 'head_utime_seconds', 'Unix time of the newest masterchain block.', ({ head }) => head?.utime),
    each('gauge', 'head_age_seconds', 'Seconds since a new masterchain block was seen.', ({ head, head_age }) => head && head_age),
    each('gauge', 'index_seqno', 'Last masterchain block that readers of the index see; -1 before the first.', ({ index }) => index?.seqno),
    each('gauge', 'index_lag_blocks', 'Masterchain blocks between the index and the head.', ({ index }) => index?.lag),
    each(
      'gauge',
      'index_up',
      '1 while the index follows the head, is in backfill, or waits while another process writes it.',
      ({ index }) => index && (UP.has(index.phase) ? 1 : 0),
    ),
    each('counter', 'index_transactions_total', 'Transactions written by the index.', ({ index }) => index?.transactions),
    each(
      'counter',
      'index_left_out_total',
      'Parts of blocks that are larger than anybody uses and are not in the index.',
      ({ index }) => index?.leftOut,
    ),
    each('counter', 'index_failed_traces_total', 'Traces whose actions could not be derived in full.', ({ index }) => index?.failedTraces),
    each('gauge', 'tvm_workers', 'Threads that run the TVM.', ({ tvm }) => tvm?.workers),
    each('gauge', 'tvm_busy', 'TVM threads that are running a job.', ({ tvm }) => tvm?.busy),
    each('gauge', 'tvm_queued', 'TVM jobs that wait for a thread.', ({ tvm }) => tvm?.queued),
    each('counter', 'tvm_replaced_total', 'TVM threads replaced after a fault or a timeout.', ({ tvm }) => tvm?.replaced),
  ]
}

const cacheMetrics = (deps: ExpositionDeps): Metric[] => {
  const each = metricsOf(deps, 'tonway_cache_', ({ cache }) => byKind('cache', ['head', 'index', 'final'], cache))
  return [
    each(
      'gauge',
      'entries',
      'Cached answers: valid until the next head of the chain (head) or of the index (index), or permanently (final).',
      ({ entries }) => entries,
    ),
    each('gauge', 'bytes', 'Size of the cached answers in bytes.', ({ bytes }) => bytes),
    each('counter', 'hits_total', 'Cache lookups that found an answer.', ({ hits }) => hits),
    each('counter', 'misses_total', 'Cache lookups that found no answer.', ({ misses }) => misses),
  ]
}

const liteServerMetrics = (deps: ExpositionDeps): Metric[] => {
  const each = metricsOf(deps, 'tonway_liteserver_', ({ liteservers }) => byServer(liteservers?.servers))
  return [
    each('gauge', 'up', '1 while queries are sent to the lite-server.', ({ trouble }) => (trouble === null ? 1 : 0)),
    each('gauge', 'score', 'The lite-server with the lowest score is asked first.', ({ score }) => score),
    each('gauge', 'latency_seconds', 'Latency of recent queries.', ({ latency }) => seconds(latency)),
    each('gauge', 'in_flight', 'Queries that are not answered yet.', ({ in_flight }) => in_flight),
    each('gauge', 'seqno', 'Newest masterchain block that it has proven; -1 before the first.', ({ seqno }) => seqno ?? -1),
    each('counter', 'queries_total', 'Queries sent to it.', ({ queries }) => queries),
    each('counter', 'faults_total', 'Queries that failed or took too long.', ({ faults }) => faults),
    each('counter', 'lies_total', 'Answers whose proof was wrong.', ({ lies }) => lies),
  ]
}

const replicaMetrics = (deps: ExpositionDeps): Metric[] => {
  const each = metricsOf(deps, 'tonway_replica_', ({ replicas }) => byServer(replicas))
  return [
    each('gauge', 'up', '1 while the read replica is read; 0 while it is left out.', ({ trouble }) => (trouble === null ? 1 : 0)),
    each('gauge', 'lag_seconds', 'How far the read replica is behind its primary.', ({ lag_ms }) => lag_ms && seconds(lag_ms)),
    each('gauge', 'seqno', 'Last masterchain block that the read replica has.', ({ seqno }) => seqno),
  ]
}

const diskMetrics = ({ disks }: ExpositionDeps): Metric[] => {
  const each = (what: 'free' | 'size', help: string): Metric =>
    metric('gauge', `tonway_data_${what}_bytes`, help, async () =>
      ((await disks?.()) ?? []).map((disk) => ({ labels: { network: disk.network }, value: disk[what] })),
    )
  return [
    each('free', 'Free bytes of the file system of the data directory (of temporary files, if there is none).'),
    each('size', 'All bytes of that file system.'),
  ]
}

/** Metrics of this process's connections to the database. All worker processes together have the sum of them. */
const databaseMetrics = (deps: ExpositionDeps): Metric[] => {
  const pools = metricsOf(deps, 'tonway_database_', ({ pool }) => byKind('state', ['used', 'idle'], pool))
  const networks = metricsOf(deps, 'tonway_database_', asOne)
  return [
    pools('gauge', 'connections', 'Connections by which the index is read, besides those of large pages.', (count) => count),
    networks('gauge', 'waiting', 'Calls that wait for such a connection.', ({ pool }) => pool?.waiting),
  ]
}

const hookMetrics = (deps: ExpositionDeps): Metric[] => {
  const states = metricsOf(deps, 'tonway_', ({ hooks }) => byKind('state', ['active', 'failing', 'paused'], hooks))
  const results = metricsOf(deps, 'tonway_', ({ hooks }) => byKind('result', ['delivered', 'failed'], hooks))
  return [
    states('gauge', 'hooks', 'Webhooks by state, in the process that sends them.', (count) => count),
    results('counter', 'hook_deliveries_total', 'Deliveries to webhooks.', (count) => count),
  ]
}

export type Exposition = ReturnType<typeof createExposition>

/** To be created on the first scrape, so that a service without monitoring needs no observer of garbage collection and no histogram of the event loop. */
export const createExposition = (deps: ExpositionDeps) => {
  const registry = new Registry()
  if (deps.worker !== undefined) registry.setDefaultLabels({ worker: deps.worker })
  const own = [
    ...[callMetrics, requestMetrics, accessMetrics, networkMetrics, cacheMetrics, liteServerMetrics, replicaMetrics],
    ...[databaseMetrics, diskMetrics, hookMetrics],
  ].flatMap((make) => make(deps))
  const build = metric('gauge', 'tonway_build_info', 'Version of the program.', () => [{ labels: { version: deps.version }, value: 1 }])
  for (const each of [build, ...own]) registry.registerMetric(each)
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
  // These are gauges, and promtool warns about `_total` in their names. Metrics by type have the same figures.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  return {
    contentType: registry.contentType,
    /** Many simultaneous calls are answered in several event-loop turns, because each takes milliseconds. */
    text: async (): Promise<string> => await inOwnTurn(() => registry.metrics()),
  }
}
