import type { Server } from 'node:net'

/** How many connections one address may have at a time. */
export interface ConnectionLimit {
  readonly most: number
  /** Addresses behind which there are many: this machine's own callers, trusted proxies. */
  readonly exempt: (address: string) => boolean
}

export const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address)

/** Lets go of connections of an address that has too many, before a byte of them is read. */
export const limitConnections = (server: Server, { most, exempt }: ConnectionLimit): void => {
  const counts = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = socket.remoteAddress
    // A connection that is gone already has none.
    if (address === undefined || exempt(address)) return
    const count = (counts.get(address) ?? 0) + 1
    if (count > most) {
      socket.destroy()
      return
    }
    counts.set(address, count)
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1
      if (left > 0) counts.set(address, left)
      else counts.delete(address)
    })
  })
}
