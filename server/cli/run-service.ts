import { createLog, type Log, withFields } from '../base/log.ts'
import { onFaults, onSignals, PATIENCE, shutDown } from '../base/shutdown.ts'
import { watchStalls } from '../base/stalls/watch.ts'
import { startTracing } from '../base/tracing/tracer.ts'
import type { Config } from '../config/settings.ts'
import { drawProgress } from '../network/draw-progress.ts'
import type { Supervisor } from '../network/supervisor.ts'
import { startFailure } from './start-failure.ts'
import type { Streams } from './streams.ts'
import type { WorkerStart } from './workers.ts'

/**
 * Starts a service, which runs until a signal arrives: then it is closed, and the process ends. A start that fails ends the process with code 1. `worker`:
 * start data if this is one of several processes, which the primary process stops. Running calls have the time that `close` gets to finish.
 */
export const runService = async <S extends { close(patience: number): Promise<void> }>(
  config: Config,
  { printError }: Streams,
  start: (log: Log) => Promise<S>,
  worker?: WorkerStart,
): Promise<S> => {
  const fields = worker && { worker: worker.number }
  // This must come first: a process that blocks before it is watched would stay blocked for ever.
  watchStalls(config, fields)
  const log = withFields(createLog(config.log, undefined, config.logFormat), fields ?? {})
  let stop: () => Promise<void> = async () => {}
  const exit = (code: number): never => process.exit(code)
  const ending = { log, close: () => stop(), exit }
  if (worker) {
    // The primary process handles signals, which a terminal sends to all processes.
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => {})
    process.once('message', () => shutDown(ending, 'stop'))
  } else onSignals(ending)
  onFaults({ log, exit })
  try {
    const stopTracing = await startTracing(config.otlpEndpoint, (reason) => log.warn('tracing.trouble', { reason }))
    const service = await start(log)
    stop = async () => {
      await service.close(PATIENCE)
      await stopTracing()
    }
    return service
  } catch (error) {
    log.debug('service.failed', { err: error })
    printError(`tonway: ${startFailure(error, config)}`)
    return exit(1)
  }
}

/** Draws the progress of the indexes. */
export const showProgress = async (supervisors: readonly Supervisor[], { draw }: Streams): Promise<void> => {
  if (draw === undefined) return
  const { formatProgress } = await import('../index/service/progress-line.ts')
  const text = (): string =>
    supervisors
      .flatMap((supervisor) => {
        const status = supervisor.network()?.index?.status()
        const progress = status && formatProgress(status)
        return progress ? [supervisors.length === 1 ? progress : `${supervisor.config.name} ${progress}`] : []
      })
      .join('  ')
  void drawProgress(text, draw)
}
