import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { AdnlKey } from '../chain/adnl/keys.ts'
import { endpointKey } from '../chain/endpoint/key-file.ts'
import type { ServerPeer } from '../config/lite-servers.ts'
import type { NetworkConfig } from '../config/networks.ts'
import { checkDataDirectory } from './data-directory.ts'

/* The processes of `TONWAY_WORKERS` have one connection to each lite-server: the first one opens a lite-server port on loopback, and the others read from it. */

/** The lite-server ports of a network that several processes of one service have in common. */
export interface SharedSource {
  /** Whether this process opens them. It also writes what is stored in the data directory. */
  readonly opens: boolean
  /** The port that the other processes read, on loopback. */
  readonly port: number
  /** The port of the settings, for everybody; undefined if it is off. */
  readonly publicPort: number | undefined
  /** The key of both. */
  readonly key: AdnlKey
}

export const LOOPBACK = '127.0.0.1'

/** A port that is free now. Rejects with the system's error if `port` is given and taken. */
export const freePort = async (host: string, port = 0): Promise<number> => {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}

/** The ports of a network, for the process that opens them. They are the same for as long as the service runs, so that the others find them again. */
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

/** Limits of the port on loopback. Each process asks for many callers, on one connection. */
export const SHARED_LIMITS = { running: 64, waiting: 1_024, backlog: 64 << 20 }

/** Longest pause before a process that reads it connects again, or opens the network again (ms): the first process is back soon. */
export const SHARED_PAUSE = 1_000

/** The peer that stands for the lite-servers. */
export const sharedPeer = ({ port, key }: SharedSource): ServerPeer => ({ host: LOOPBACK, port, key: key.publicKey })
