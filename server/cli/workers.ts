import cluster, { type Worker } from 'node:cluster'
import { createLog, type Log } from '../base/log.ts'
import { onFaults, onSignals } from '../base/shutdown.ts'
import { networkConfigs } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import { freePort, planSharedSource, type SharedSource } from '../network/shared-lite-server.ts'
import { startFailure } from './start-failure.ts'
import type { Streams } from './streams.ts'
import { ASKS, STARTED, STOP, type WorkerStart } from './worker-messages.ts'

/*
 * `TONWAY_WORKERS`: several ordinary `serve` processes that listen on the same port. This primary process starts them, restarts those that die, and stops
 * them. It does not serve calls.
 */

/** A worker that dies within this time (ms) after it began to serve would probably die again, so the pause before its restart grows. */
const SHORT_LIFE = 2_000
const LONGEST_PAUSE = 10_000
/** Time (ms) for a worker to end. A worker whose event loop runs ends itself earlier. */
const PATIENCE = 5_000

interface WorkerDeps {
  readonly log: Log
  /** `isFirst`: true if this worker has not served before. */
  readonly start: (isFirst: boolean) => WorkerStart
  readonly isStopping: () => boolean
  readonly onStarted?: (() => void) | undefined
  readonly onFailed?: ((code: number) => void) | undefined
}

/** `onEnd` is called once, when the worker has ended or could not be started. */
const forkWorker = (
  onMessage: (worker: Worker, message: unknown) => void,
  onEnd: (code: number, signal: string | null) => void,
): Worker => {
  // main.ts detects by this variable that it runs as a worker.
  const worker = cluster.fork({ WORKER_OF_TONWAY: '1' })
  let hasEnded = false
  const end = (code: number, signal: string | null): void => {
    if (!hasEnded) onEnd(code, signal)
    hasEnded = true
  }
  worker.on('message', (message) => onMessage(worker, message))
  worker.on('exit', end)
  // A process that could not be started emits no exit event.
  worker.on('error', () => worker.process.pid === undefined && end(1, null))
  return worker
}

/** Stops a worker. Resolves with true if the worker ended in time, with false if it had to be killed. */
const endWorker = async (worker: Worker): Promise<boolean> => {
  if (worker.process.pid === undefined || worker.isDead()) return true
  let isInTime = true
  const gone = new Promise((resolve) => worker.once('exit', resolve))
  const timeout = setTimeout(() => {
    isInTime = false
    worker.process.kill('SIGKILL')
  }, PATIENCE)
  if (worker.isConnected()) worker.send(STOP)
  await gone
  clearTimeout(timeout)
  return isInTime
}

/** Starts a worker, and restarts it whenever it dies. Returns a function that stops it for good. */
const keepWorker = (number: number, { log, start, isStopping, onStarted, onFailed }: WorkerDeps): (() => Promise<boolean>) => {
  let hasServed = false
  let failures = 0
  const fork = (): Worker => {
    // Until the worker serves, Infinity makes its life count as short.
    let startedAt = Number.POSITIVE_INFINITY
    const onMessage = (from: Worker, message: unknown): void => {
      if (message === ASKS) from.send(start(!hasServed))
      if (message !== STARTED) return
      startedAt = performance.now()
      if (!hasServed) onStarted?.()
      hasServed = true
    }
    return forkWorker(onMessage, (code, signal) => {
      if (isStopping()) return
      log.error('worker.lost', { worker: number, code, signal })
      if (!hasServed) onFailed?.(code || 1)
      failures = performance.now() - startedAt < SHORT_LIFE ? failures + 1 : 0
      const pause = failures === 0 ? 0 : Math.min(LONGEST_PAUSE, 100 * 2 ** failures)
      setTimeout(() => {
        if (!isStopping()) worker = fork()
      }, pause)
    })
  }
  let worker = fork()
  return () => endWorker(worker)
}

/** Worker 1 has the port of the settings, worker 2 the next port, and so on. */
const metricsOf = ({ metrics }: Config, number: number): Config['metrics'] =>
  typeof metrics === 'number' && metrics !== 0 ? metrics + number - 1 : metrics

/** Start data that is the same for all workers. Rejects with the system's error if a port is in use. */
const plan = async (given: Config): Promise<{ readonly config: Config; readonly sources: ReadonlyMap<string, SharedSource> }> => {
  const config = { ...given, port: await freePort(given.host, given.port) }
  for (let number = 1; number <= config.workers; number++) {
    const metrics = metricsOf(config, number)
    if (typeof metrics === 'number') await freePort(config.host, metrics)
  }
  const planned = networkConfigs(config).map(async (each) => [each.name, await planSharedSource(each)] as const)
  return { config, sources: new Map(await Promise.all(planned)) }
}

/** `tonway serve` with several processes: serves until a signal arrives. */
export const serveByWorkers = async (given: Config, { printError }: Streams): Promise<void> => {
  const log = createLog(given.log, undefined, given.logFormat)
  const exit = (code: number): never => process.exit(code)
  const { config, sources } = await plan(given).catch((error) => {
    printError(`tonway: ${startFailure(error, given)}`)
    return exit(1)
  })
  // Each worker accepts connections itself; the primary process does not distribute them.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ serialization: 'advanced' })
  let stopping = false
  const ends: (() => Promise<boolean>)[] = []
  const keep = (number: number, on: Pick<WorkerDeps, 'onStarted' | 'onFailed'> = {}): void => {
    const start = (isFirst: boolean): WorkerStart => ({
      number,
      config: { ...config, metrics: metricsOf(config, number) },
      sources: new Map([...sources].map(([name, source]) => [name, { ...source, opens: number === 1 }])),
      announces: isFirst && number === 1,
    })
    ends.push(keepWorker(number, { log, start, isStopping: () => stopping, ...on }))
  }
  const startOthers = (): void => {
    for (let number = 2; number <= config.workers && !stopping; number++) keep(number)
  }
  keep(1, { onStarted: startOthers, onFailed: exit })
  onFaults({ log, exit })
  onSignals({
    log,
    // Worker 1 stops last, because the other workers need its connections to the network for their last answers.
    async close() {
      stopping = true
      const [first, ...others] = ends
      const inTime = [...(await Promise.all(others.map((end) => end()))), await first!()]
      if (inTime.includes(false)) throw new Error('a worker did not end in time and was killed')
    },
    exit,
    deadline: 3 * PATIENCE,
  })
}
