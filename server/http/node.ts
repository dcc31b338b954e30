import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { noteAccepted } from '../base/yield.ts'
import { watchConnections } from '../net/connections.ts'
import { LIMITS } from './limits.ts'
import type { Parts } from './parts.ts'
import { createPipeline, endAfter, readInPieces } from './pipelining.ts'
import { unlessClosed } from './raw-answer.ts'
import { hasNoLength, hasStrayBody } from './request-head.ts'
import { destroyOnError, endsAfterEarlier, serveUpgrades, type UpgradeDeps } from './upgrades.ts'

/* HTTP outside Koa: node's server with its limits, pipelined requests (pipelining.ts), upgrades to WebSockets, and refusals without a response object. */

export interface NodeDeps extends UpgradeDeps, Pick<Parts, 'times'> {
  readonly serve: RequestListener
  /** Returns whether an address may open any number of connections. */
  readonly isExempt: (address: string) => boolean
}

/** Names and values of header lines from which a head can take milliseconds to parse. */
const LONG_HEAD = 100

const TOO_LATE = 'ERR_HTTP_REQUEST_TIMEOUT'

export const createNodeServer = (deps: NodeDeps) => {
  const { rawAnswer, times } = deps
  const pipeline = createPipeline(deps.serve, () => reading.takeOverAll())
  /** Connections that sent malformed bytes. node emits `clientError` again for every further chunk, so only the first one is answered. */
  const malformed = new WeakSet<Duplex>()
  const accept: RequestListener = (req, res) => {
    // A chunked body may have chunks of one byte.
    const isChunked = req.headers['transfer-encoding'] !== undefined
    if (isChunked) {
      reading.takeOver(req.socket)
      connections.watch(req.socket)
    }
    // 64 KB can be thousands of header lines, and several hundred connections can send as much in one turn.
    if (isChunked || req.rawHeaders.length > LONG_HEAD) connections.giveWay(req.socket)
    if (malformed.has(req.socket)) return
    if (isChunked) res.once('finish', () => req.complete || lateEnd(req, times.linger))
    if (hasNoLength(req) || hasStrayBody(req)) server.emit('clientError', new Error('a body that cannot be read'), req.socket)
    else pipeline.handler(req, res)
  }
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headers,
      headersTimeout: times.headers,
      requestTimeout: times.request,
      keepAliveTimeout: times.keepAlive,
      connectionsCheckingInterval: times.check,
      noDelay: true,
      // request-head.ts refuses a missing Host with a JSON body; node's own refusal has no body.
      requireHostHeader: false,
    },
    accept,
  )
  server.maxConnections = LIMITS.connections
  server.on('connection', noteAccepted).on('drop', noteAccepted)
  // node drops the lines over its limit and says nothing, and the last lines of a head are those of the nearest proxy. With one line more than request-head.ts
  // allows, the head is refused there. Without a limit, a thousand heads could bring twenty million strings.
  server.maxHeadersCount = LIMITS.headerLines + 1
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (malformed.has(socket)) return
    malformed.add(socket)
    const unfinished = pipeline.unfinished(socket)
    const last = unfinished.at(-1)
    const pending = last?.req.complete === false ? last : undefined
    const refuse = (): void => {
      const hasBegun = last?.headersSent && !last.req.complete
      if (error.code === 'ECONNRESET' || !socket.writable || hasBegun) socket.destroy(error)
      else if (last === undefined) rawAnswer.refuse(socket, ...refusalOf(error))
      else rawAnswer.refuseAtOnce(socket, ...refusalOf(error))
    }
    // Complete requests that come before the malformed or late bytes are answered before these are refused.
    const before = unfinished.findLast(({ req }) => req.complete)
    if (!before) return refuse()
    before.once('close', () => {
      if (!pending || error.code !== TOO_LATE || socket.destroyed) return refuse()
      // Its bytes may have come in time: a connection is not read while requests wait. So it has its time again, and is the last one.
      endAfter(pending)
      unlessClosed(socket, times.request, () => pending.req.complete || refuse())
    })
  })
  // By default node answers an unknown Expect and a CONNECT itself, without a body.
  server.on('checkExpectation', accept)
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
    if (endsAfterEarlier(pipeline, socket as Socket)) return
    destroyOnError(socket)
    rawAnswer.refuse(socket, 405, 'unsupported http method: CONNECT', { Allow: 'GET, HEAD, POST, OPTIONS' })
  })
  // Before others listen: it looks for node's own listeners of a connection.
  const reading = readInPieces(server, pipeline, (socket) => connections.giveWay(socket))
  const connections = watchConnections(server, { most: LIMITS.connectionsPerAddress, exempt: deps.isExempt, idle: times.idle })
  serveUpgrades(server, pipeline, connections, deps)
  return {
    server,
    /**
     * Stops accepting connections. Closes idle connections now, busy ones after their answer, and the rest after `patience` milliseconds. Resolves when all
     * are closed.
     */
    async drain(patience: number): Promise<void> {
      using _idle = setInterval(() => server.closeIdleConnections(), 50)
      using _force = setTimeout(() => connections.destroy(), patience)
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      await closed
    },
  }
}

/**
 * Ends the connection of a request that was answered, if its body goes on after the linger time. Until then the rest is discarded: closing a connection with
 * unread bytes resets it, and the sender would lose the answer.
 */
const lateEnd = (req: IncomingMessage, linger: number): void => unlessClosed(req.socket, linger, () => req.complete || req.socket.destroy())

const refusalOf = ({ code }: NodeJS.ErrnoException): [number, string] => {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, `headers are over ${LIMITS.headers} bytes`]
  return code === TOO_LATE ? [408, 'the request took too long to arrive'] : [400, 'malformed HTTP request']
}

/**
 * Resolves with the port. Port 0 selects a free one. Rejects with the system's error (EADDRINUSE, EACCES, ...). `isShared`: other processes listen on the
 * same port, and from node 23.1 on the kernel distributes connections among them.
 */
export const listen = async (server: Server, host: string, port: number, isShared = false): Promise<number> => {
  server.listen({ port, host, backlog: LIMITS.unaccepted, ...(isShared && { reusePort: true }) })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
