import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { createLog, type Log } from '../base/log.ts'
import { onFaults, onSignals } from '../base/shutdown.ts'
import { networkConfigs } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import { freePort, planSharedSource, type SharedSource } from '../network/shared-source.ts'
import { startFailure } from './start-failure.ts'
import type { Streams } from './streams.ts'
import { ASKS, STARTED, type WorkerStart } from './worker-start.ts'

/*
 * `TONWAY_WORKERS`: several ordinary `serve` processes that listen on one port. The process here starts them, replaces those that die, and ends them. It serves
 * nothing itself.
 */

/** A worker that dies within this time (ms) did not die of a single call, so its successor waits longer. */
const SHORT_LIFE = 2_000
const LONGEST_PAUSE = 10_000
/** Milliseconds that a worker has to end. One that does not stand still ends itself earlier. */
const PATIENCE = 5_000

interface WorkerDeps {
  readonly log: Log
  /** `isFirst`: whether it has not served before. */
  readonly start: (isFirst: boolean) => WorkerStart
  readonly onStarted: () => void
  /** It has ended before it served for the first time. It has told why. */
  readonly onFailed: (code: number) => void
}

/** Keeps a worker running: one that dies is replaced. Returns a function that ends it for good. */
const keepWorker = (number: number, { log, start, onStarted, onFailed }: WorkerDeps): (() => Promise<void>) => {
  let hasStarted = false
  let isOver = false
  let short = 0
  const fork = (): Worker => {
    const since = performance.now()
    const forked = cluster.fork()
    forked.on('message', (message) => {
      if (message === ASKS) forked.send(start(!hasStarted))
      if (message !== STARTED || hasStarted) return
      hasStarted = true
      onStarted()
    })
    forked.on('error', (err) => log.warn('worker.channel_failed', { worker: number, err }))
    forked.once('exit', (code, signal) => {
      if (isOver) return
      if (!hasStarted) onFailed(code || 1)
      log.error('worker.lost', { worker: number, pid: forked.process.pid, code, signal })
      short = performance.now() - since < SHORT_LIFE ? short + 1 : 0
      const pause = short === 0 ? 0 : Math.min(LONGEST_PAUSE, 100 * 2 ** short)
      setTimeout(() => {
        if (!isOver) worker = fork()
      }, pause)
    })
    return forked
  }
  let worker = fork()
  return async () => {
    isOver = true
    if (worker.isDead()) return
    const gone = once(worker, 'exit')
    worker.process.kill('SIGTERM')
    const late = setTimeout(() => worker.process.kill('SIGKILL'), PATIENCE)
    await gone
    clearTimeout(late)
  }
}

/** The settings of a worker. A port for metrics is the first one's; each further worker takes the next port. */
const configOf = (config: Config, number: number): Config => ({
  ...config,
  metrics: typeof config.metrics === 'number' ? config.metrics + number - 1 : config.metrics,
})

/** What is the same for all workers for as long as the service runs. Rejects with the system's error if a port is taken. */
const plan = async (given: Config): Promise<{ readonly config: Config; readonly sources: ReadonlyMap<string, SharedSource> }> => {
  const config = { ...given, port: await freePort(given.host, given.port) }
  const planned = networkConfigs(config).map(async (each) => [each.name, await planSharedSource(each)] as const)
  return { config, sources: new Map(await Promise.all(planned)) }
}

/** `tonway serve` with several processes: serves until a signal ends it. */
export const serveByWorkers = async (given: Config, { complain }: Streams): Promise<void> => {
  const log = createLog(given.log, undefined, given.logFormat)
  const exit = (code: number): never => process.exit(code)
  const { config, sources } = await plan(given).catch((error) => {
    complain(`tonway: ${startFailure(error, given)}`)
    return exit(1)
  })
  // Each worker accepts connections by itself.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ serialization: 'advanced' })
  const ends: (() => Promise<void>)[] = []
  const keep = (number: number, onStarted: () => void, onFailed: (code: number) => void): void => {
    const start = (isFirst: boolean): WorkerStart => ({
      number,
      config: configOf(config, number),
      sources: new Map([...sources].map(([name, source]) => [name, { ...source, opens: number === 1 }])),
      announces: isFirst && number === 1,
    })
    ends.push(keepWorker(number, { log, start, onStarted, onFailed }))
  }
  const startOthers = (): void => {
    for (let number = 2; number <= config.workers; number++)
      keep(
        number,
        () => {},
        () => {},
      )
  }
  keep(1, startOthers, exit)
  onFaults({ log, exit })
  onSignals({
    log,
    // The first one has the connections to the network, which the others need for their last answers.
    async close() {
      const [first, ...others] = ends
      await Promise.all(others.map((end) => end()))
      await first?.()
    },
    exit,
    deadline: 3 * PATIENCE,
  })
}
