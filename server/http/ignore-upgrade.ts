import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Without the Upgrade header, node's parser ignores `Connection: Upgrade`. */
const headOf = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): string => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

/**
 * Ignores the upgrade of a request to a protocol that this server does not support (`Upgrade: h2c`, which curl and Java's client send), as HTTP requires.
 * node detaches such a connection from its HTTP parser and time limits before any handler runs. So the request is written back in front of its body, and
 * the connection is handled as a new one. `head`: the bytes that followed the headers.
 */
export const serveWithoutUpgrade = (server: Server, req: IncomingMessage, socket: Socket, head: Buffer): void => {
  socket.unshift(Buffer.concat([Buffer.from(headOf(req), 'latin1'), head]))
  server.emit('connection', socket)
}
