import { formatFriendly } from '../../shared/fields/address.ts'
import type { App } from '../app.ts'
import { isJson, type Log } from '../base/log.ts'
import { onFaults, onSignals, PATIENCE } from '../base/shutdown.ts'
import { watchStalls } from '../base/stalls/watch.ts'
import { urlAt } from '../base/url.ts'
import { VERSION } from '../base/version.ts'
import type { Config } from '../config/settings.ts'
import type { Supervisor } from '../network/supervisor.ts'
import { formatBanner, type NetworkBanner } from './banner.ts'
import { startFailure } from './start-failure.ts'
import type { Streams } from './streams.ts'

/** `isShown`: whether the words of wallets are printed, which belong in no log. */
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

/** The running service, in this process or in several. */
type Serving = Pick<App, 'url' | 'wsUrl' | 'networks'> & { close(patience: number): Promise<void> }

/**
 * Prints the banner, for people: on a terminal, or beside a log in text. Where the log is JSON, standard output goes to the same place as a rule (a container, a
 * supervisor), so `service.started` says what programs need: in the log, or on standard output if the log leaves it out.
 */
const tell = async ({ url, wsUrl, networks }: Serving, config: Config, { print, isTerminal }: Streams, log: Log): Promise<void> => {
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

const startServing = async (config: Config, log: Log): Promise<Serving> => {
  if (config.workers === 1) return (await import('../app.ts')).startApp(config, { log })
  const { startPrimary } = await import('../cluster/primary.ts')
  const { port, networks, close } = await startPrimary(config, { log })
  return { url: urlAt('http', config.host, port), wsUrl: `${urlAt('ws', config.host, port)}/jsonRPC`, networks, close }
}

/** Draws the progress of the indexes; on a terminal only. */
export const showProgress = async (supervisors: readonly Supervisor[], { draw }: Streams): Promise<void> => {
  if (draw === undefined) return
  const { formatProgress } = await import('../index/service/progress.ts')
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

/** `tonway serve`: serves until a signal ends it. */
export const serve = async (config: Config, streams: Streams): Promise<void> => {
  // Imported here, because --help and errors of settings do not need it.
  const several = config.workers > 1
  const [{ createLog }] = await Promise.all([import('../base/log.ts'), several ? import('../cluster/primary.ts') : import('../app.ts')])
  const log = createLog(config.log, undefined, config.logFormat)
  let stop: (patience: number) => Promise<void> = async () => {}
  const exit = (code: number): never => process.exit(code)
  onSignals({ log, close: () => stop(PATIENCE), exit })
  onFaults({ log, exit })
  watchStalls(config)
  try {
    const app = await startServing(config, log)
    stop = app.close
    await tell(app, config, streams, log)
    await showProgress(app.networks.supervisors, streams)
  } catch (error) {
    log.debug('service.failed', { err: error })
    streams.complain(`tonway: ${startFailure(error, config)}`)
    process.exit(1)
  }
}
