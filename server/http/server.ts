import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionLimit, isLoopback, limitConnections } from './connections.ts'
import { LIMITS, type Times } from './limits.ts'

export interface Listening {
  readonly host: string
  readonly port: number
}

/** A node server with our bounds: slow, half-open and oversized clients are answered with JSON and let go. */
export const createHttpServer = (
  handler: (req: IncomingMessage, res: never) => void,
  apiVersion: string,
  times: Times,
  perAddress: ConnectionLimit = { most: LIMITS.connectionsPerAddress, exempt: isLoopback },
): Server => {
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headers,
      headersTimeout: times.headers,
      requestTimeout: times.request,
      keepAliveTimeout: times.keepAlive,
      connectionsCheckingInterval: times.check,
      noDelay: true,
      // Missing ones are refused with JSON, like everything else.
      requireHostHeader: false,
    },
    handler as never,
  )
  server.timeout = times.idle
  server.maxConnections = LIMITS.connections
  // Bytes are bounded; a count of node's would drop the last lines, which the nearest proxy wrote.
  server.maxHeadersCount = 0
  limitConnections(server, perAddress)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket, apiVersion, times))
  return server
}

/** node's parser gave up on a request, or its time has run out: there is no response object, so the answer is written by hand. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex, apiVersion: string, times: Times): void => {
  const busy = (socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage?.headersSent === true
  if (error.code === 'ECONNRESET' || !socket.writable || busy) {
    socket.destroy(error)
    return
  }
  const [status, reason, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', `headers are over ${LIMITS.headers} bytes`]
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'the request took too long to arrive']
        : [400, 'Bad Request', 'malformed HTTP request']
  const body = JSON.stringify({ ok: false, error: text, code: status, '@extra': '_' })
  partWith(socket, rawAnswer(status, reason, body, apiVersion), times)
}

/** The last that a peer is told. One that does not hang up in its turn would keep its half of the connection, and our descriptor, for long. */
export const partWith = (socket: Duplex, answer: string, times: Times): void => {
  socket.end(answer)
  const leave = setTimeout(() => socket.destroy(), times.linger)
  socket.once('close', () => clearTimeout(leave))
}

/** A whole HTTP answer as text, for sockets without a response object. */
export const rawAnswer = (status: number, reason: string, body: string, apiVersion: string): string =>
  [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Access-Control-Allow-Origin: *',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `X-API-Version: ${apiVersion}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')

/** Listens; rejects with the system's error (EADDRINUSE, EACCES, ...). Port 0 takes a free one. */
export const listen = (server: Server, host: string, port: number): Promise<Listening> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address() as AddressInfo
      resolve({ host, port: address.port })
    })
  })

/** Stops accepting; resolves when every connection has ended: idle ones now, busy ones after their answer, all after `patience` milliseconds. */
export const drain = (server: Server, patience: number): Promise<void> =>
  new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    const force = setTimeout(() => server.closeAllConnections(), patience)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })
