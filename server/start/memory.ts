import { Agent } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { likeSocket } from './socket-like.ts'

/* Connections inside this process. HTTP and WebSocket use them like sockets, and no port is open for them. */

/** Connections to a service without a port. */
export interface MemoryPort {
  /** The client's end of a new connection. */
  connect(): Duplex
  /** For `http.request`: connections stay open and are used again. */
  readonly agent: Agent
  /** Ends all connections; no more are made. */
  close(): void
}

/** A connection inside this thread. `accept` takes the server's end; the client's end is the answer. `waitsForBlock`: see likeSocket. */
export const connectInMemory = (accept: (socket: Duplex) => void, waitsForBlock: boolean): Duplex => {
  const [ours, theirs] = duplexPair()
  // An end that is destroyed is a closed connection for the other one, after it has read what was written.
  ours.once('close', () => setImmediate(() => theirs.destroy()))
  theirs.once('close', () => setImmediate(() => ours.destroy()))
  accept(likeSocket(theirs, waitsForBlock))
  return likeSocket(ours, false)
}

/** `dial` makes a connection and answers the client's end of it. */
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
