import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { AdnlKey } from '../chain/adnl/keys.ts'
import { endpointKey } from '../chain/endpoint/key-file.ts'
import type { NetworkConfig } from '../config/networks.ts'

/* The processes of `TONWAY_WORKERS` have one connection to each lite-server: the first process opens a lite-server port, and the others read from it. */

/** The lite-server port of a network that several processes of one service read. */
export interface SharedSource {
  /** Whether this process opens it. The others read it. */
  readonly opens: boolean
  readonly host: string
  readonly port: number
  readonly key: AdnlKey
  /** Whether it is the port of the settings, which /global.config.json names. */
  readonly isPublic: boolean
}

const LOOPBACK = '127.0.0.1'

export const isAnyHost = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** The host by which processes on this machine reach a listener. */
export const reachedAt = (host: string): string => (isAnyHost(host) ? LOOPBACK : host)

/** A port that is free now. Rejects with the system's error if `port` is given and taken. */
export const freePort = async (host: string, port = 0): Promise<number> => {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}

/** The port of a network, for the process that opens it. It is the same for as long as the service runs, so that the others find it again. */
export const planSharedSource = async ({ host, liteserverPort, dataDir }: NetworkConfig): Promise<SharedSource> => {
  const isPublic = typeof liteserverPort === 'number'
  const at = isPublic ? host : LOOPBACK
  return { opens: true, host: at, port: await freePort(at, isPublic ? liteserverPort : 0), key: await endpointKey(dataDir), isPublic }
}
