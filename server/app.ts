import { registry } from '../shared/registry.ts'
import { createAccess } from './access/access.ts'
import { createProxyCheck } from './access/client-address.ts'
import { type Clock, systemClock } from './base/clock.ts'
import type { Log } from './base/log.ts'
import { urlAt } from './base/url.ts'
import { API_VERSION } from './base/version.ts'
import { networkConfigs } from './config/networks.ts'
import type { Config } from './config/settings.ts'
import type { Documents } from './http/docs/documents.ts'
import { createHttp } from './http/http.ts'
import { createMeter } from './metrics/meter.ts'
import { checkDataDirectory, readDisks } from './network/data-directory.ts'
import type { Network } from './network/network.ts'
import { type Networks, type OpenDeps, openNetworks } from './network/networks.ts'
import { servedBy } from './network/supervisor.ts'
import { createDatabase } from './store/postgres/database-server.ts'

export interface AppDeps extends Pick<OpenDeps, 'tvm' | 'from' | 'database' | 'sources'> {
  readonly log: Log
  readonly clock?: Clock
  /** Number of this process, if it is one of several. It is a label of the process's metrics. */
  readonly worker?: number | undefined
  /** Opens no port, so that connections only come by `accept`. The value is the origin in the service's URLs. */
  readonly portless?: string | undefined
  /** True if the process may end while the port is open. By default the open port keeps it running. */
  readonly unref?: boolean | undefined
}

export type App = Awaited<ReturnType<typeof startApp>>

/**
 * Wires and starts the service. The port is opened first, so that a second start fails at once. Calls that arrive before their network is ready wait for
 * it. Rejects with the system's error if the port cannot be opened, and with a network's error if no network can be served.
 */
export const startApp = async (config: Config, deps: AppDeps) => {
  const { log, clock = systemClock, database: given } = deps
  const configs = networkConfigs(config)
  // The key database may be in one of these directories, so they are checked before it is opened.
  for (const each of configs) checkDataDirectory(each)
  const meter = createMeter()
  const database = given ?? createDatabase(config)
  let networks: Networks | undefined
  let origin = config.publicUrl
  const documents = configs.map((each) => {
    let made: Promise<Documents> | undefined
    const create = async (): Promise<Documents> => {
      const { createDocuments } = await import('./http/docs/documents.ts')
      return createDocuments({ served: servedBy(each), version: API_VERSION, origin: () => origin ?? '' })
    }
    return (): Promise<Documents> => {
      made ??= create()
      return made
    }
  })
  const served = configs.map(({ name, hosts }, i) => ({
    name,
    hosts,
    served: servedBy(configs[i]!),
    documents: documents[i]!,
    globalConfig: async (host: string, signal: AbortSignal) => {
      const supervisor = networks?.supervisor(name)
      await supervisor?.opened
      return supervisor?.network()?.globalConfig(host, signal)
    },
  }))
  const access = await createAccess(config, { database, networks: configs, log, clock, refused: meter.refused })
  const http = createHttp({
    dispatch: (name, raw, call, source) => dispatch(name, raw, call, source),
    gate: access.gate,
    clientAddress: access.clientAddress,
    isProxy: createProxyCheck(config.trustedProxies),
    methods: registry,
    log,
    allowLocal: config.allowLocal,
    networks: served,
    status: {
      networks: () => networks?.supervisors.map((supervisor) => supervisor.figures()) ?? [],
      access: access.figures,
      disks: () => readDisks(configs),
    },
    meter,
    metrics: config.metrics,
    worker: deps.worker,
    hub: (name) => {
      const network = networks?.supervisor(name)?.network()
      return network === undefined ? 'away' : network.live
    },
    accessLog: config.accessLog,
    page: config.page,
    mcp: config.mcp,
  })
  const open = (): Promise<number> => http.listen(config.host, config.port, deps.unref)
  const port = await (deps.portless === undefined ? open() : Promise.resolve(0)).catch(async (error) => {
    await access.close()
    if (given === undefined) await database.close()
    throw error
  })
  const url = deps.portless ?? urlAt('http', config.host, port)
  origin ??= url
  const openrpc = async (network: string): Promise<string> => (await documents[config.network.indexOf(network)]!()).openrpc()
  const all = openNetworks(config, configs, { ...deps, meter, database, openrpc, keyOwners: access.owners })
  networks = all
  const { dispatch } = all
  /** Closes the service, then the networks. Running calls have `patience` milliseconds to finish. */
  const close = async (patience = 0): Promise<void> => {
    await http.close(patience)
    await all.close()
    await access.close()
    if (given === undefined) await database.close()
  }
  try {
    await all.started()
  } catch (error) {
    await close()
    throw error
  }
  return {
    url,
    wsUrl: `${url.replace(/^http/, 'ws')}/jsonRPC`,
    networks: all,
    /** The default network; throws while it is not ready. */
    get network(): Network {
      const [first] = all.supervisors
      const network = first?.network()
      if (network === undefined) throw new Error(`network ${first?.config.name} is not available: ${first?.fault()}`)
      return network
    },
    dispatch,
    access,
    /** Answers JSON-RPC of the program that embeds the service. */
    ask: http.ask,
    /** Serves a connection that did not come through the port. */
    accept: http.accept,
    close,
  }
}
