import type { Duplex } from 'node:stream'
import type { InnerConnection } from '../base/call.ts'

const same = function <T>(this: T): T {
  return this
}

/**
 * Gives a stream the members of a socket that node's HTTP and `ws` use; they do nothing here. `waitsForBlock`: of the service's end, whether messages sent over
 * the connection are answered when they are in a block.
 */
export const likeSocket = <T extends Duplex>(stream: T, waitsForBlock: boolean): T & InnerConnection =>
  Object.assign(stream, {
    // The address of the peer as the service sees it: this machine.
    remoteAddress: '127.0.0.1',
    waitsForBlock,
    setNoDelay: same,
    setKeepAlive: same,
    setTimeout: same,
    ref: same,
    unref: same,
  })
