import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Headers that have a meaning only for an upgrade. */
const DROPPED: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])

/** Removes the names of DROPPED from a Connection header. Returns an empty string if no name is left. */
const plainConnection = (value: string): string =>
  value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '' && !DROPPED.has(token.toLowerCase()))
    .join(', ')

const headOf = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): string => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', given = ''] = rawHeaders.slice(i, i + 2)
    if (DROPPED.has(name.toLowerCase())) continue
    const value = name.toLowerCase() === 'connection' ? plainConnection(given) : given
    if (value !== '' || name.toLowerCase() !== 'connection') lines.push(`${name}: ${value}`)
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
