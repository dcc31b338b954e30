import { formatFriendly } from '../../shared/fields/address.ts'
import type { App } from '../app.ts'
import { isJson, type Log } from '../base/log.ts'
import { onFaults, onSignals, PATIENCE, shutDown } from '../base/shutdown.ts'
import { watchStalls } from '../base/stalls/watch.ts'
import { startTracing } from '../base/tracing/tracer.ts'
import { VERSION } from '../base/version.ts'
import type { Config } from '../config/settings.ts'
import type { Supervisor } from '../network/supervisor.ts'
import { formatBanner, type NetworkBanner } from './banner.ts'
import { startFailure } from './start-failure.ts'
import type { Streams } from './streams.ts'
import { onStop, sayStarted, type WorkerStart } from './worker-messages.ts'

/** `isShown`: true if mnemonics of wallets are printed. Logs must not contain them. */
const bannerOf = async (supervisor: Supervisor, isShown: boolean): Promise<NetworkBanner> => {
  const network = supervisor.network()
  const { signal } = new AbortController()
  const wallets = await Promise.all(
    (network?.control?.wallets() ?? []).map(async ({ version, address, mnemonic, isPublic }) => ({
      version,
      address: formatFriendly(address, { bounceable: false }),
      mnemonic: isPublic ? (isShown ? mnemonic : []) : undefined,
      balance: (await network!.chain.account(address, undefined, signal)).balance.grams,
    })),
  )
  const fault = supervisor.fault() || (network ? '' : 'starting')
  return { name: supervisor.config.name, fault, liteserverPort: network?.endpoint?.port, wallets }
}

/**
 * Reports that the service has started. A terminal, or an output with a text log, gets the banner. With a JSON log, programs read the event
 * `service.started` instead; if the log level omits the event, it is printed on standard output.
 */
const tell = async ({ url, wsUrl, networks }: App, config: Config, { print, isTerminal }: Streams, log: Log): Promise<void> => {
  const { dataDir, logFormat } = config
  if (isTerminal || !isJson(logFormat)) {
    const all = await Promise.all(networks.supervisors.map((supervisor) => bannerOf(supervisor, isTerminal)))
    print(formatBanner({ version: VERSION, url, wsUrl, dataDir, networks: all }))
  }
  const started = { url, version: VERSION, networks: config.network, data_dir: dataDir, ms: Math.round(performance.now()) }
  const isLogged = config.log === 'info' || config.log === 'debug'
  if (isLogged) log.info('service.started', started)
  else if (!isTerminal && isJson(logFormat)) print(JSON.stringify({ ...started, event: 'service.started' }))
}

export const showProgress = async (supervisors: readonly Supervisor[], { draw }: Streams): Promise<void> => {
  if (draw === undefined) return
  const { formatProgress } = await import('../index/service/progress-line.ts')
  let drawn = ''
  const redraw = (): void => {
    const texts = supervisors.flatMap((supervisor) => {
      const status = supervisor.network()?.index?.status()
      const text = status && formatProgress(status)
      return text ? [supervisors.length === 1 ? text : `${supervisor.config.name} ${text}`] : []
    })
    const text = texts.join('  ')
    if (text === drawn) return
    drawn = text
    draw(text)
  }
  setInterval(redraw, 250).unref()
}

/** `tonway serve`: serves until a signal arrives. `worker`: start data if this is one of several processes. */
export const serve = async (config: Config, streams: Streams, worker?: WorkerStart): Promise<void> => {
  const fields = worker && { worker: worker.number }
  // This must come first: a process that blocks before it is watched would stay blocked for ever.
  watchStalls(config, fields)
  // Imported here because --help and errors in settings do not need these modules.
  const [{ createLog, withFields }, { startApp }] = await Promise.all([import('../base/log.ts'), import('../app.ts')])
  const log = withFields(createLog(config.log, undefined, config.logFormat), fields ?? {})
  let stop: (patience: number) => Promise<void> = async () => {}
  const exit = (code: number): never => process.exit(code)
  const ending = { log, close: () => stop(PATIENCE), exit }
  if (worker) onStop(() => shutDown(ending, 'stop'))
  else onSignals(ending)
  onFaults({ log, exit })
  try {
    const stopTracing = await startTracing(config.otlpEndpoint, (reason) => log.warn('tracing.trouble', { reason }))
    const app = await startApp(config, { log, worker: worker?.number, sources: worker?.sources })
    stop = async (patience) => {
      await app.close(patience)
      await stopTracing()
    }
    if (worker?.announces !== false) {
      await tell(app, config, streams, log)
      await showProgress(app.networks.supervisors, streams)
    }
    if (worker) sayStarted()
  } catch (error) {
    log.debug('service.failed', { err: error })
    streams.printError(`tonway: ${startFailure(error, config)}`)
    process.exit(1)
  }
}
