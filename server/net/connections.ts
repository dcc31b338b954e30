import type { Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { createConcurrencyLimit } from '../base/limits/concurrency-limit.ts'
import { clientNet } from './client-net.ts'

/** How many connections one client may have at a time. A client is an IPv4 address or an IPv6 /64. */
export interface ConnectionLimit {
  readonly most: number
  /** Addresses that stand for many clients: this machine, trusted proxies. */
  readonly exempt: (address: string) => boolean
}

/** The open connections of a server, except those that were released. */
export interface Connections {
  /** Stops tracking a connection that has a new owner: a WebSocket has its own limits and its own shutdown. */
  release(socket: Duplex): void
  /** Destroys all connections that are left, busy or not. */
  destroy(): void
}

/** Tracks every connection. If a client has too many, a new one is destroyed before a byte of it is read. */
export const watchConnections = (server: Server, { most, exempt }: ConnectionLimit): Connections => {
  const slots = createConcurrencyLimit()
  const open = new Set<Duplex>()
  server.on('connection', (socket) => {
    // A connection arrives a second time if its upgrade is ignored (without-upgrade.ts).
    if (open.has(socket)) return
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const address = socket.remoteAddress
    // A connection that is already closed has no address.
    if (address === undefined || exempt(address)) return
    const release = slots.acquire(clientNet(address), most)
    if (typeof release === 'number') socket.destroy()
    else socket.once('close', release)
  })
  return {
    release: (socket) => void open.delete(socket),
    destroy() {
      for (const socket of open) socket.destroy()
    },
  }
}
