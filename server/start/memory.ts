import { Agent } from 'node:http'
import { Duplex } from 'node:stream'

/* Connections inside this process. HTTP and WebSocket use them like sockets, and no port is open for them. */

/** One end of a connection. What is written to it comes out of the other end. */
class MemorySocket extends Duplex {
  /** The address of the peer as the service sees it: this machine. */
  readonly remoteAddress = '127.0.0.1'
  #other: MemorySocket | undefined
  /** Called when the other end has taken what was written. */
  #taken: (() => void) | undefined

  constructor() {
    super({ allowHalfOpen: true })
  }

  join(other: MemorySocket): void {
    this.#other = other
  }

  // Node's HTTP calls this on a socket. Here it does nothing.
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  setTimeout(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
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

/** Connections to a server in this process. */
export interface MemoryPort {
  /** The client's end of a new connection. */
  connect(): Duplex
  /** For `http.request`: connections are kept and used again. */
  readonly agent: Agent
  /** Ends all connections; no more are made. */
  close(): void
}

/** `accept` takes the server's end of each connection. */
export const createMemoryPort = (accept: (socket: Duplex) => void): MemoryPort => {
  const open = new Set<Duplex>()
  let closed = false
  const connect = (): Duplex => {
    if (closed) throw new Error('this tonway is closed')
    const [ours, theirs] = [new MemorySocket(), new MemorySocket()]
    ours.join(theirs)
    theirs.join(ours)
    open.add(theirs)
    theirs.once('close', () => open.delete(theirs))
    accept(theirs)
    return ours
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
