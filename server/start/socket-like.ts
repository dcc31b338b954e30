import { Duplex } from 'node:stream'
import type { InnerConnection } from '../base/call.ts'

/** A stream with the members of a socket that node's HTTP and `ws` use. They do nothing here. */
export class SocketLike extends Duplex implements InnerConnection {
  /** The address of the peer as the service sees it: this machine. */
  readonly remoteAddress = '127.0.0.1'
  readonly waitsForBlock: boolean

  /** `waitsForBlock`: of the service's end, whether messages sent over the connection are answered when they are in a block. */
  constructor(waitsForBlock: boolean) {
    super({ allowHalfOpen: true })
    this.waitsForBlock = waitsForBlock
  }

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
}
