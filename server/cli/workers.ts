import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createLog } from '../base/log.ts'
import { onFaults, onSignals } from '../base/shutdown.ts'
import { networkConfigs } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import { freePort, planSharedSource, type SharedSource } from '../network/shared-lite-server.ts'
import { startFailure } from './start-failure.ts'
import type { Streams } from './streams.ts'

/*
 * `TONWAY_WORKERS`: several ordinary `serve` processes that listen on the same port. This primary process starts them, restarts those that die, and stops
 * them. It does not serve calls. A worker that listens says `ready` and gets its
 * WorkerStart, then says `serving`. The second message to it asks it to stop.
 */

export interface WorkerStart {
  /** Number of the worker, from 1. Worker 1 opens the shared sources. */
  readonly number: number
  readonly config: Config
  readonly sources: ReadonlyMap<string, SharedSource>
  readonly announces: boolean
}

/** Time (ms) after which a worker that has died is restarted. It would probably die again at once. */
const PAUSE = 1_000
/** Time (ms) for a worker to end. A worker whose event loop runs ends itself earlier. */
const PATIENCE = 5_000

/** Stops a worker. Resolves with true if the worker ended in time, with false if it had to be killed. */
const endWorker = async (worker: Worker): Promise<boolean> => {
  if (worker.process.pid === undefined || worker.isDead()) return true
  using _timeout = setTimeout(() => worker.process.kill('SIGKILL'), PATIENCE)
  const ended = once(worker, 'exit')
  if (worker.isConnected()) worker.send('stop')
  const [, signal] = await ended
  return signal !== 'SIGKILL'
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
  const workers = new Map<number, Worker>()
  let hasServed = false
  let isStopping = false

  /** Starts a worker, and again whenever it dies. The others are started once the first one serves; if it never does, the service ends. */
  const startWorker = (number: number): void => {
    // main.ts detects by this variable that it runs as a worker.
    const worker = cluster.fork({ WORKER_OF_TONWAY: '1' })
    workers.set(number, worker)
    const start: WorkerStart = {
      number,
      config: { ...config, metrics: metricsOf(config, number) },
      sources: new Map([...sources].map(([name, source]) => [name, { ...source, opens: number === 1 }])),
      announces: number === 1 && !hasServed,
    }
    worker.on('message', (message) => {
      if (message === 'ready') worker.send(start)
      if (message !== 'serving' || hasServed) return
      hasServed = true
      for (let other = 2; other <= config.workers && !isStopping; other++) startWorker(other)
    })
    const onEnd = (code: number, signal: string | null): void => {
      if (isStopping) return
      log.error('worker.lost', { worker: number, code, signal })
      if (!hasServed) exit(code || 1)
      setTimeout(() => !isStopping && startWorker(number), PAUSE)
    }
    worker.once('exit', onEnd)
    // A process that could not be started emits no exit event.
    worker.on('error', () => worker.process.pid === undefined && onEnd(1, null))
  }

  startWorker(1)
  onFaults({ log, exit })
  onSignals({
    log,
    // Worker 1 stops last, because the other workers need its connections to the network for their last answers.
    async close() {
      isStopping = true
      const [first, ...others] = [...workers.values()] as [Worker, ...Worker[]]
      const inTime = [...(await Promise.all(others.map(endWorker))), await endWorker(first)]
      if (inTime.includes(false)) throw new Error('a worker did not end in time and was killed')
    },
    exit,
    deadline: 3 * PATIENCE,
  })
}
