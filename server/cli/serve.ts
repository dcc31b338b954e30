import type { App } from '../app.ts'
import { isJson, type Log } from '../base/log.ts'
import { VERSION } from '../base/version.ts'
import { isIndexed } from '../config/networks.ts'
import type { Config } from '../config/settings.ts'
import type { Supervisor } from '../network/supervisor.ts'
import { bannerOf, formatBanner } from './banner.ts'
import { runService, showProgress } from './run-service.ts'
import type { Given, Streams } from './streams.ts'
import type { WorkerStart } from './workers.ts'

/** State of the index of a network. The service does not wait for it: calls of v2 need none. */
const indexState = (supervisor: Supervisor): string => {
  const { phase, error } = supervisor.network()?.index?.status() ?? { phase: isIndexed(supervisor.config) ? 'starting' : 'off', error: '' }
  return error === '' ? phase : `${phase}: ${error}`
}

/**
 * Reports that the service has started. A terminal, or an output with a text log, gets the banner. With a JSON log, programs read the event
 * `service.started` instead; if the log level omits the event, it is printed on standard output.
 */
const announce = async ({ url, wsUrl, networks }: App, config: Config, { print, isTerminal }: Streams, log: Log): Promise<void> => {
  const { dataDir, logFormat } = config
  if (isTerminal || !isJson(logFormat)) {
    const all = await Promise.all(networks.supervisors.map((supervisor) => bannerOf(supervisor, isTerminal)))
    print(formatBanner({ url, wsUrl }, dataDir, all))
  }
  const index = Object.fromEntries(networks.supervisors.map((supervisor) => [supervisor.config.name, indexState(supervisor)]))
  const started = { url, version: VERSION, networks: config.network, index, data_dir: dataDir, ms: Math.round(performance.now()) }
  const isLogged = config.log === 'info' || config.log === 'debug'
  if (isLogged) log.info('service.started', started)
  else if (!isTerminal && isJson(logFormat)) print(JSON.stringify({ ...started, event: 'service.started' }))
}

/** Serves in this process. `worker`: start data if this is one of several processes. */
export const serveHere = async (config: Config, streams: Streams, worker?: WorkerStart): Promise<void> => {
  const start = async (log: Log): Promise<App> => {
    // Imported here, after the process is watched, because it is nearly all of the code.
    const { startApp } = await import('../app.ts')
    const app = await startApp(config, { log, worker: worker?.number, sources: worker?.sources })
    if (worker?.announces === false) return app
    await announce(app, config, streams, log)
    await showProgress(app.networks.supervisors, streams)
    return app
  }
  await runService(config, streams, start, worker)
  if (worker) process.send!('serving')
}

/** `tonway serve`: serves until a signal arrives, in this process or in several. */
export const serve = async ({ config }: Given, streams: Streams): Promise<undefined> => {
  if (config.workers > 1) await (await import('./workers.ts')).serveByWorkers(config, streams)
  else await serveHere(config, streams)
  return undefined
}
