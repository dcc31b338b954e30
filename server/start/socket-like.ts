import type { Duplex } from 'node:stream'
import type { InnerConnection } from '../base/call.ts'

const same = function <T>(this: T): T {
  return this
}

/**
 * Adds the members of a socket that node's HTTP and `ws` use to a stream; they have no effect. `waitsForBlock`, for the service's end: true if messages
 * over this connection are answered only when they are in a block.
 */
export const likeSocket = <T extends Duplex>(stream: T, waitsForBlock: boolean): T & InnerConnection =>
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
