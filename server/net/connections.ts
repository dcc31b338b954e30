import type { Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { createConcurrencyLimit } from '../base/limits/concurrency-limit.ts'
import { portionsOf } from '../base/memory/portions.ts'
import { yieldToEventLoop } from '../base/yield.ts'
import { clientNet } from './client-net.ts'
import { createGiveWay } from './give-way.ts'

/** Limits the open connections of each client. A client is an IPv4 address or an IPv6 /64. */
export interface ConnectionLimit {
  readonly most: number
  /** Returns whether an address belongs to many clients, and so has no limit: this machine, trusted proxies. */
  readonly exempt: (address: string) => boolean
  /** Time (ms) without a byte in either direction after which a connection is destroyed; by default it is not limited. */
  readonly idle?: number
}

export type Connections = ReturnType<typeof watchConnections>

/** Tracks every connection. If its client has too many, destroys a new connection before reading from it. */
export const watchConnections = (server: Server, { most, exempt, idle }: ConnectionLimit) => {
  const slots = createConcurrencyLimit()
  const open = new Set<Socket>()
  /** WebSockets too. */
  const all = new Set<Socket>()
  if (idle !== undefined) destroyIdle(server, open, idle)
  const turns = createGiveWay(all)
  server.on('connection', (socket) => {
    // The server emits a connection again if its upgrade is ignored (ignore-upgrade.ts).
    if (all.has(socket)) return
    all.add(socket)
    open.add(socket)
    socket.once('close', () => {
      all.delete(socket)
      open.delete(socket)
    })
    const address = socket.remoteAddress
    // A connection that is already closed has no remote address.
    if (address === undefined || exempt(address)) return
    const release = slots.acquire(clientNet(address), most)
    if (typeof release === 'number') socket.destroy()
    else socket.once('close', release)
  })
  return {
    /** Called when `ws` has a connection. A WebSocket has other limits, its own shutdown, and is read in turns of its own. */
    release(socket: Duplex): void {
      open.delete(socket as Socket)
      turns.unwatch(socket as Socket)
    },
    destroy(): void {
      void destroyAll([...open])
    },
    /** Called when a request begins whose bytes can take long to parse. If the turn is long already, nothing more is read before the next turn. */
    giveWay: turns.giveWay,
    /** Bounds each further read of a connection in the same way. It may be long after its request began. */
    watch: turns.watch,
  }
}

/** Connections that are destroyed in one turn. What is done when they have closed takes longer, and comes later in the turn. */
const DESTROYED_AT_ONCE = 100

/** `isMeant`: whether a connection is still to be destroyed when its turn comes. */
const destroyAll = async (sockets: readonly Socket[], isMeant: (socket: Socket) => boolean = () => true): Promise<void> => {
  for (const some of portionsOf(sockets, DESTROYED_AT_ONCE)) {
    for (const socket of some) if (isMeant(socket)) socket.destroy()
    await yieldToEventLoop()
  }
}

/** Parts of the idle time in which all connections are looked at. */
const LOOKS = 15

/** Destroys connections without traffic. node's own `server.timeout` would set a timer for every request. */
const destroyIdle = (server: Server, open: ReadonlySet<Socket>, idle: number): void => {
  const seen = new WeakMap<Socket, { readonly bytes: number; readonly at: number }>()
  const bytesOf = ({ bytesRead, bytesWritten }: Socket): number => bytesRead + bytesWritten
  const isQuiet = (socket: Socket): boolean => seen.get(socket)?.bytes === bytesOf(socket)
  const look = setInterval(() => {
    const at = performance.now()
    const idleNow: Socket[] = []
    for (const socket of open) {
      if (!isQuiet(socket)) seen.set(socket, { bytes: bytesOf(socket), at })
      else if (at - seen.get(socket)!.at >= idle) idleNow.push(socket)
    }
    void destroyAll(idleNow, isQuiet)
  }, idle / LOOKS).unref()
  server.once('close', () => clearInterval(look))
}
