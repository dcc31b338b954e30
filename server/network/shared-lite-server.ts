import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { AdnlKey } from '../chain/adnl/keys.ts'
import { endpointKey } from '../chain/endpoint/key-file.ts'
import type { PoolStatus } from '../chain/lite/pool.ts'
import type { ServerPeer } from '../config/lite-servers.ts'
import type { NetworkConfig } from '../config/networks.ts'
import type { NetworkFigures } from '../metrics/figures.ts'
import { checkDataDirectory } from './data-directory.ts'

/*
 * With `TONWAY_WORKERS` the service has only one connection to each lite-server: the first process opens a lite-server port on loopback, and the other
 * processes read from this port.
 */

export interface SharedSource {
  /** True in the process that opens the ports. Only this process writes to the data directory. */
  readonly opens: boolean
  /** The loopback port that the other processes read from. */
  readonly port: number
  /** The public port of the settings; undefined if it is off. */
  readonly publicPort: number | undefined
  readonly key: AdnlKey
}

export const LOOPBACK = '127.0.0.1'

/** Returns an unused port. Rejects with the system's error if `port` is given and in use. */
export const freePort = async (host: string, port = 0): Promise<number> => {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}

/** Chooses the ports of a network. The ports do not change while the service runs, so that the other processes can reconnect. */
export const planSharedSource = async (config: NetworkConfig): Promise<SharedSource> => {
  const { host, liteserverPort, dataDir } = config
  checkDataDirectory(config)
  return {
    opens: true,
    port: await freePort(LOOPBACK),
    publicPort: typeof liteserverPort === 'number' ? await freePort(host, liteserverPort) : undefined,
    key: await endpointKey(dataDir),
  }
}

/** Limits of the loopback port. They are high because each process sends the queries of many clients over one connection. */
export const SHARED_LIMITS = { running: 64, waiting: 1_024, atOnce: 10_000, bytes: 64 << 20, backlog: 64 << 20 }

/**
 * Maximum milliseconds before a process that reads from the loopback port reconnects or reopens the network. The time is short because the first process
 * restarts quickly.
 */
export const SHARED_PAUSE = 1_000

/** The only peer of a process that reads lite-servers through the loopback port. */
export const sharedPeer = ({ port, key }: SharedSource): ServerPeer => ({ host: LOOPBACK, port, key: key.publicKey })

/**
 * Figures of the lite-servers that this process is connected to. The loopback port is not a lite-server: it is open even while the first process has none
 * that works, so counting it would hide that.
 */
export const liteServerFigures = (status: PoolStatus | undefined, shared: SharedSource | undefined): NetworkFigures['liteservers'] => {
  if (status === undefined || shared === undefined || shared.opens) return status
  const servers = status.servers.filter(({ server }) => server !== `${LOOPBACK}:${shared.port}`)
  return { ...status, servers, note: 'worker 1 has those without a group' }
}
