import { Duplex } from 'node:stream'

/** A stream with the members of a socket that node's HTTP and `ws` use. They do nothing here. */
export class SocketLike extends Duplex {
  /** The address of the peer as the service sees it: this machine. */
  readonly remoteAddress = '127.0.0.1'

  constructor() {
    super({ allowHalfOpen: true })
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
