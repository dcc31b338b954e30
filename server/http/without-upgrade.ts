import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** Headers that belong only to an upgrade. */
const DROPPED: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])

/** A Connection header without the tokens that name the headers above; empty if no token is left. */
const plainConnection = (value: string): string =>
  value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '' && !DROPPED.has(token.toLowerCase()))
    .join(', ')

/** The head of the request without the upgrade. */
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
 * Ignores the upgrade of a request that asks for a protocol we do not speak (`Upgrade: h2c`, as curl and Java's client send it), as HTTP requires.
 * node removes such a connection from HTTP and its time limits before any handler runs. So the request is put back in front of its body, and the
 * connection starts again. `req`: with its original headers. `head`: the bytes that followed them.
 */
export const serveWithoutUpgrade = (server: Server, req: IncomingMessage, socket: Socket, head: Buffer): void => {
  socket.unshift(Buffer.concat([Buffer.from(headOf(req), 'latin1'), head]))
  server.emit('connection', socket)
}
