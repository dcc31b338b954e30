import type { Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createConcurrencyLimit } from '../base/limits/concurrency-limit.ts'
import { clientNet } from './client-net.ts'

/** Limits the open connections of each client. A client is an IPv4 address or an IPv6 /64. */
export interface ConnectionLimit {
  readonly most: number
  /** Returns whether an address belongs to many clients, and so has no limit: this machine, trusted proxies. */
  readonly exempt: (address: string) => boolean
  /** Time (ms) without a byte in either direction after which a connection is destroyed; by default it is not limited. */
  readonly idle?: number
}

export type Connections = ReturnType<typeof watchConnections>

/**
 * Once chunked bodies have taken this many milliseconds of an event-loop turn, nothing more is read in it. node parses up to 2 MB of each connection in a
 * turn, 64 KB at a time. 64 KB in chunks of one byte take 25 ms, so sixty connections could fill a turn of seconds.
 */
const LONG_TURN = 50

/** Tracks every connection. If its client has too many, destroys a new connection before reading from it. */
export const watchConnections = (server: Server, { most, exempt, idle }: ConnectionLimit) => {
  const slots = createConcurrencyLimit()
  const open = new Set<Socket>()
  if (idle !== undefined) destroyIdle(server, open, idle)
  /** Time (monotonic ms) at which the first connection of this turn called `giveWay`. */
  let began: number | undefined
  let paused: readonly Socket[] = []
  const endTurn = (): void => {
    // A socket without a reader must not be resumed: a WebSocket that waits for its handshake would lose what arrives.
    for (const socket of paused) if (socket.readableFlowing === false) socket.resume()
    began = undefined
    paused = []
  }
  const giveWay = (): void => {
    if (began === undefined) {
      began = performance.now()
      setImmediate(endTurn)
    }
    if (paused.length > 0 || performance.now() - began < LONG_TURN) return
    paused = [...open].filter((socket) => socket.readableFlowing)
    for (const socket of paused) socket.pause()
  }
  server.on('connection', (socket) => {
    // The server emits a connection again if its upgrade is ignored (ignore-upgrade.ts).
    if (open.has(socket)) return
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const address = socket.remoteAddress
    // A connection that is already closed has no remote address.
    if (address === undefined || exempt(address)) return
    const release = slots.acquire(clientNet(address), most)
    if (typeof release === 'number') socket.destroy()
    else socket.once('close', release)
  })
  return {
    /** Stops tracking a connection, because it becomes a WebSocket. A WebSocket has other limits and its own shutdown. */
    release(socket: Duplex): void {
      open.delete(socket as Socket)
      socket.off('data', giveWay)
    },
    destroy(): void {
      for (const socket of open) socket.destroy()
    },
    /**
     * Called when a request begins whose bytes can take long to parse. If the turn is long already, nothing more is read before the next turn; so too before
     * each further read of this connection, which may be long after the request began.
     */
    giveWay(socket: Socket): void {
      if (!socket.listeners('data').includes(giveWay)) socket.prependListener('data', giveWay)
      giveWay()
    },
  }
}

/** Parts of the idle time in which all connections are looked at. */
const LOOKS = 15

/** Destroys connections without traffic. node's own `server.timeout` would set a timer for every request. */
const destroyIdle = (server: Server, open: ReadonlySet<Socket>, idle: number): void => {
  const seen = new WeakMap<Socket, { readonly bytes: number; readonly at: number }>()
  const look = setInterval(() => {
    const at = performance.now()
    for (const socket of open) {
      const bytes = socket.bytesRead + socket.bytesWritten
      const before = seen.get(socket)
      if (before?.bytes !== bytes) seen.set(socket, { bytes, at })
      else if (at - before.at >= idle) socket.destroy()
    }
  }, idle / LOOKS).unref()
  server.once('close', () => clearInterval(look))
}
