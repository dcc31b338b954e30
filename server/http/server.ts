import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Connections } from '../net/connections.ts'
import { LIMITS, type Times } from './limits.ts'
import { createPipeline, type RequestHandler } from './pipeline.ts'
import type { RawAnswer } from './raw-answer.ts'

export interface Listening {
  readonly host: string
  readonly port: number
}

/** A node server with our limits. Slow, half-open and oversized clients get a JSON error and are disconnected. */
export const createHttpServer = (handler: RequestHandler, rawAnswer: RawAnswer, times: Times): Server => {
  const pipeline = createPipeline(handler)
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headers,
      headersTimeout: times.headers,
      requestTimeout: times.request,
      keepAliveTimeout: times.keepAlive,
      connectionsCheckingInterval: times.check,
      noDelay: true,
      // A missing Host is refused with JSON (request-head.ts), like everything else.
      requireHostHeader: false,
    },
    pipeline.handler,
  )
  server.timeout = times.idle
  server.maxConnections = LIMITS.connections
  // node's limit on lines is off: it would drop the last lines, which the nearest proxy wrote. request-head.ts checks the number of lines.
  server.maxHeadersCount = 0
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || !pipeline.overdue(socket)) refuse(error, socket, rawAnswer)
  })
  // node would answer an unknown Expect and a CONNECT by itself, without a body.
  server.on('checkExpectation', pipeline.handler)
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    rawAnswer.refuse(socket, 405, 'unsupported http method: CONNECT', { Allow: 'GET, HEAD, POST, OPTIONS' })
  })
  return server
}

/** Refuses a request that node's parser gave up on or that ran out of time. There is no response object, so the answer is written by hand. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex, rawAnswer: RawAnswer): void => {
  const busy = (socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage?.headersSent === true
  if (error.code === 'ECONNRESET' || !socket.writable || busy) socket.destroy(error)
  else if (error.code === 'HPE_HEADER_OVERFLOW') rawAnswer.refuse(socket, 431, `headers are over ${LIMITS.headers} bytes`)
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') rawAnswer.refuse(socket, 408, 'the request took too long to arrive')
  else rawAnswer.refuse(socket, 400, 'malformed HTTP request')
}

/** Listens; rejects with the system's error (EADDRINUSE, EACCES, ...). Port 0 takes a free port. */
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
export const drain = (server: Server, connections: Connections, patience: number): Promise<void> =>
  new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    const force = setTimeout(() => connections.destroy(), patience)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(force)
      resolve()
    })
    server.closeIdleConnections()
  })
