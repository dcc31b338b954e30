import { type Duplex, duplexPair } from 'node:stream'
import type { InnerConnection } from '../base/call.ts'

/* Connections inside this process, which need no port. HTTP and `ws` use them like sockets. */

const same = function <T>(this: T): T {
  return this
}

/**
 * Adds the members of a socket that node's HTTP and `ws` use to a stream; they have no effect. `waitsForBlock`, for the service's end: true if messages
 * over this connection are answered only when they are in a block.
 */
const likeSocket = <T extends Duplex>(stream: T, waitsForBlock: boolean): T & InnerConnection =>
  Object.assign(stream, {
    // The service sees this as the peer's address.
    remoteAddress: '127.0.0.1',
    waitsForBlock,
    setNoDelay: same,
    setKeepAlive: same,
    setTimeout: same,
    ref: same,
    unref: same,
  })

/** Creates a connection inside this thread. `accept` receives the server's end; the client's end is returned. `waitsForBlock`: see likeSocket. */
export const connectInMemory = (accept: (socket: Duplex) => void, waitsForBlock: boolean): Duplex => {
  const [ours, theirs] = duplexPair()
  // When one end is destroyed, the other end is too, after it has read what was written before.
  ours.once('close', () => setImmediate(() => theirs.destroy()))
  theirs.once('close', () => setImmediate(() => ours.destroy()))
  accept(likeSocket(theirs, waitsForBlock))
  return likeSocket(ours, false)
}
