import type { Server } from 'node:net'
import { clientNet } from '../net/client-net.ts'

/** How many connections one client may have at a time: an IPv4 address, or a /64 of IPv6. */
export interface ConnectionLimit {
  readonly most: number
  /** Addresses behind which there are many: this machine's own callers, trusted proxies. */
  readonly exempt: (address: string) => boolean
}

export const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address)

/** Lets go of connections of a client that has too many, before a byte of them is read. */
export const limitConnections = (server: Server, { most, exempt }: ConnectionLimit): void => {
  const counts = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    // A connection that is gone already has none.
    if (address === undefined || exempt(address)) return
    const client = clientNet(address)
    const count = (counts.get(client) ?? 0) + 1
    if (count > most) {
      socket.destroy()
      return
    }
    counts.set(client, count)
    socket.once('close', () => {
      const left = (counts.get(client) ?? 1) - 1
      if (left > 0) counts.set(client, left)
      else counts.delete(client)
    })
  })
}
