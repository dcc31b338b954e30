import type { Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { clientNet } from './client-net.ts'

/** How many connections one client may have at a time: an IPv4 address, or a /64 of IPv6. */
export interface ConnectionLimit {
  readonly most: number
  /** Addresses behind which there are many: this machine's own callers, trusted proxies. */
  readonly exempt: (address: string) => boolean
}

export const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address)

/** How many each client has at a time. */
export interface ClientCount {
  of(address: string): number
  /** One more; gives the way to take it back. */
  enter(address: string): () => void
}

export const createClientCount = (): ClientCount => {
  const counts = new Map<string, number>()
  const of = (address: string): number => counts.get(clientNet(address)) ?? 0
  return {
    of,
    enter(address) {
      const client = clientNet(address)
      counts.set(client, of(address) + 1)
      return () => {
        const left = of(address) - 1
        if (left > 0) counts.set(client, left)
        else counts.delete(client)
      }
    },
  }
}

/** Every connection of a server, until it has ended or somebody else answers for it. */
export interface Connections {
  /** Leaves a connection to its new owner: a WebSocket has limits and an end of its own. */
  release(socket: Duplex): void
  /** Ends what is left, whatever it is doing. */
  destroy(): void
}

/** Keeps an eye on every connection, and lets go of those of a client that has too many, before a byte of them is read. */
export const watchConnections = (server: Server, { most, exempt }: ConnectionLimit): Connections => {
  const count = createClientCount()
  const open = new Set<Duplex>()
  server.on('connection', (socket) => {
    // A connection comes a second time when its request for an upgrade is not heeded (without-upgrade.ts).
    if (open.has(socket)) return
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const address = socket.remoteAddress
    // A connection that is gone already has none.
    if (address === undefined || exempt(address)) return
    if (count.of(address) >= most) socket.destroy()
    else socket.once('close', count.enter(address))
  })
  return {
    release: (socket) => void open.delete(socket),
    destroy() {
      for (const socket of open) socket.destroy()
    },
  }
}
