import { Agent } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { likeSocket } from './socket-like.ts'

/* Connections inside this process, which need no port. HTTP and `ws` use them like sockets. */

export interface MemoryPort {
  connect(): Duplex
  readonly agent: Agent
  /** Closes all connections. Further ones cannot be created. */
  close(): void
}

/** Creates a connection inside this thread. `accept` receives the server's end; the client's end is returned. `waitsForBlock`: see likeSocket. */
export const connectInMemory = (accept: (socket: Duplex) => void, waitsForBlock: boolean): Duplex => {
  const [ours, theirs] = duplexPair()
  // When one end is destroyed, the other end is too, after it has read what was written before.
  ours.once('close', () => setImmediate(() => theirs.destroy()))
  theirs.once('close', () => setImmediate(() => ours.destroy()))
  accept(likeSocket(theirs, waitsForBlock))
  return likeSocket(ours, false)
}

export const createMemoryPort = (dial: () => Duplex): MemoryPort => {
  const open = new Set<Duplex>()
  let closed = false
  const connect = (): Duplex => {
    if (closed) throw new Error('this tonway is closed')
    const socket = dial()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    return socket
  }
  const agent = new Agent({ keepAlive: true })
  agent.createConnection = connect as Agent['createConnection']
  return {
    connect,
    agent,
    close() {
      closed = true
      agent.destroy()
      for (const socket of open) socket.destroy()
    },
  }
}
