import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInflow } from '../../base/limits/inflow.ts'
import { isLoopback } from '../../net/address-ranges.ts'
import { clientNet } from '../../net/client-net.ts'
import { watchConnections } from '../../net/connections.ts'
import { createHandshakeReader } from '../adnl/handshake.ts'
import type { AdnlKey } from '../adnl/keys.ts'
import type { LiteServer } from '../liteserver.ts'
import { createLiteTl } from '../tl/lite-queries.ts'
import { createAnswerer, type EndpointLog } from './answer.ts'
import { type SessionLimits, serveSession } from './session.ts'

export interface EndpointOptions {
  readonly host: string
  /** 0 means any free port. */
  readonly port: number
  readonly key: AdnlKey
  /** The client of an address, which takes turns with others; '' is the service itself. By default each address is a client (for IPv6: each /64). */
  readonly clientOf?: (address: string) => string
  readonly limits?: Partial<EndpointLimits>
}

export interface EndpointLimits extends SessionLimits {
  readonly connections: number
  /** Maximum number of queries of all connections that the source has at a time. */
  readonly atOnce: number
  /** Maximum number of unread answer bytes of all connections. Above it, those with the most for the longest time are closed. */
  readonly unread: number
  /**
   * Maximum number of connections from one address (for IPv6: from one /64). Addresses for which `exempt` returns true have no limit, because many clients
   * may share them.
   */
  readonly connectionsPerAddress: number
  readonly exempt: (address: string) => boolean
}

const LIMITS: EndpointLimits = {
  connections: 1024,
  atOnce: 32,
  connectionsPerAddress: 64,
  exempt: isLoopback,
  maxPacket: 256 << 10,
  running: 8,
  waiting: 64,
  bytes: 256 << 10,
  backlog: 4 << 20,
  unread: 256 << 20,
  connectMs: 10_000,
  packetMs: 20_000,
  idleMs: 300_000,
  stuckMs: 30_000,
  queryMs: 15_000,
}

/** Serves the lite_api of a source over ADNL. Rejects with the system's error if the port cannot be bound. */
export const startEndpoint = async (
  source: LiteServer,
  { host, port, key, clientOf = clientNet, limits: given }: EndpointOptions,
  { log }: { readonly log: EndpointLog },
) => {
  const limits = { ...LIMITS, ...given }
  const readHandshake = createHandshakeReader(key)
  const answer = createAnswerer({ source, tl: createLiteTl(), log, atOnce: limits.atOnce })
  const unread = createInflow(limits.unread)
  const sessions = new Set<(reason?: Error) => void>()
  const server = createServer({ noDelay: true }, (socket) => {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`
    const end = serveSession(socket, {
      readHandshake,
      answer,
      unread,
      client: clientOf(socket.remoteAddress ?? ''),
      limits,
      onClose(reason) {
        sessions.delete(end)
        if (reason) log.debug('liteserver.closed', { peer, reason: reason.message })
      },
    })
    sessions.add(end)
  })
  // Node itself closes connections above this number, before any code of tonway runs.
  server.maxConnections = limits.connections
  watchConnections(server, { most: limits.connectionsPerAddress, exempt: limits.exempt })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    host,
    port: (server.address() as AddressInfo).port,
    publicKey: key.publicKey,
    connections: (): number => sessions.size,
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const end of [...sessions]) end()
      await closed
    },
  }
}
export type Endpoint = Awaited<ReturnType<typeof startEndpoint>>
