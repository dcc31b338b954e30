import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Headers that belong to the upgrade that is not made. */
const DROPPED: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])

/** A Connection header without what names the headers above; empty where nothing else was in it. */
const plainConnection = (value: string): string =>
  value
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '' && !DROPPED.has(token.toLowerCase()))
    .join(', ')

/** The head of the request as it would have been sent without the wish for an upgrade. */
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
 * Answers a request that asks for a protocol we do not speak (`Upgrade: h2c`, as curl and Java's client send it) as if it had not asked, which is
 * what HTTP tells servers to do. node takes such a connection out of HTTP, and out of its time limits, before anybody is asked; so the request is put
 * back in front of its body, and the connection begins anew. `req`: with its headers as they came. `head`: what came behind them.
 */
export const serveWithoutUpgrade = (server: Server, req: IncomingMessage, socket: Socket, head: Buffer): void => {
  socket.unshift(Buffer.concat([Buffer.from(headOf(req), 'latin1'), head]))
  server.emit('connection', socket)
}

/**
 * Whether answers to earlier requests of the connection are not out yet. They would meet what comes after the upgrade: the connection ends with the first
 * of them, and the client asks again.
 */
export const endsAfterEarlier = (socket: Socket): boolean => {
  const { _httpMessage: due } = socket as { _httpMessage?: ServerResponse | null }
  if (due === undefined || due === null) return false
  due.shouldKeepAlive = false
  due.once('close', () => socket.destroySoon())
  return true
}
