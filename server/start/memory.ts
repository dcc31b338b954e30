import { Agent } from 'node:http'
import type { Duplex } from 'node:stream'
import { SocketLike } from './socket-like.ts'

/* Connections inside this process. HTTP and WebSocket use them like sockets, and no port is open for them. */

/** One end of a connection. What is written to it comes out of the other end. */
class MemorySocket extends SocketLike {
  #other: MemorySocket | undefined
  /** Called when the other end has taken what was written. */
  #taken: (() => void) | undefined

  join(other: MemorySocket): void {
    this.#other = other
  }

  override _read(): void {
    const taken = this.#taken
    this.#taken = undefined
    taken?.()
  }

  /** Receives bytes from the other end, or null at its end. */
  #take(chunk: Buffer | null, done: () => void): void {
    if (this.destroyed || this.readableEnded) done()
    else if (this.push(chunk) || chunk === null) process.nextTick(done)
    else this.#taken = done
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    if (this.#other === undefined || this.#other.destroyed) done(new Error('the connection is closed'))
    else this.#other.#take(chunk, done)
  }

  override _final(done: () => void): void {
    if (this.#other === undefined) done()
    else this.#other.#take(null, done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const taken = this.#taken
    this.#taken = undefined
    taken?.()
    const other = this.#other
    // The other end sees a closed socket: after it has read what was already written.
    if (other !== undefined && !other.destroyed) process.nextTick(() => other.destroy())
    done(error)
  }
}

/** Connections to a service without a port. */
export interface MemoryPort {
  /** The client's end of a new connection. */
  connect(): Duplex
  /** For `http.request`: connections are kept and used again. */
  readonly agent: Agent
  /** Ends all connections; no more are made. */
  close(): void
}

/** A connection inside this thread. `accept` takes the server's end; the client's end is the answer. `waitsForBlock`: see SocketLike. */
export const connectInMemory = (accept: (socket: Duplex) => void, waitsForBlock: boolean): Duplex => {
  const [ours, theirs] = [new MemorySocket(false), new MemorySocket(waitsForBlock)]
  ours.join(theirs)
  theirs.join(ours)
  accept(theirs)
  return ours
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
