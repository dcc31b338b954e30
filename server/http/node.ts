import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../base/log.ts'
import { type Connections, watchConnections } from '../net/connections.ts'
import type { Late } from './late.ts'
import { LIMITS, type Times } from './limits.ts'
import type { NetworkChoice } from './networks.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'
import type { RawAnswer } from './raw-answer.ts'
import { BAD_TARGET, headFault, toOriginForm } from './request-head.ts'
import { serveWithoutUpgrade } from './without-upgrade.ts'
import type { Protocol, Sockets } from './ws/ws.ts'

/* What is no middleware: the node server with its limits, pipelined requests (pipeline.ts), upgrades to WebSockets, and refusals that have no response. */

export interface NodeDeps {
  readonly app: Late<RequestListener>
  readonly sockets: Late<Sockets>
  readonly chooseNetwork: NetworkChoice
  readonly rawAnswer: RawAnswer
  readonly times: Times
  readonly log: Log
  /** Addresses that may open any number of connections. */
  readonly isExempt: (address: string) => boolean
}

export interface NodeServer {
  readonly server: Server
  /** Stops accepting; resolves when every connection has ended: idle ones now, busy ones after their answer, all after `patience` milliseconds. */
  drain(patience: number): Promise<void>
}

export const createNodeServer = (deps: NodeDeps): NodeServer => {
  const { rawAnswer, times } = deps
  const pipeline = createPipeline(whenLoaded(deps))
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
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && pipeline.overdue(socket)) return
    const last = pipeline.unfinished(socket).at(-1)
    const refuse = (): void => {
      if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy(error)
      else rawAnswer.refuse(socket, ...refusalOf(error))
    }
    // What is wrong comes after a whole request, whose answer goes before the refusal.
    if (last?.req.complete) last.once('close', refuse)
    else if (last?.headersSent) socket.destroy(error)
    else refuse()
  })
  // node would answer an unknown Expect and a CONNECT by itself, without a body.
  server.on('checkExpectation', pipeline.handler)
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
    destroyOnError(socket)
    rawAnswer.refuse(socket, 405, 'unsupported http method: CONNECT', { Allow: 'GET, HEAD, POST, OPTIONS' })
  })
  const connections = watchConnections(server, { most: LIMITS.connectionsPerAddress, exempt: deps.isExempt })
  serveUpgrades(server, pipeline, connections, deps)
  return {
    server,
    drain: (patience) =>
      new Promise((resolve) => {
        const idle = setInterval(() => server.closeIdleConnections(), 50)
        const force = setTimeout(() => connections.destroy(), patience)
        server.close(() => {
          clearInterval(idle)
          clearTimeout(force)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}

/** Status and text for a request that node's parser gave up on, or that ran out of time. */
const refusalOf = ({ code }: NodeJS.ErrnoException): [number, string] => {
  if (code === 'HPE_HEADER_OVERFLOW') return [431, `headers are over ${LIMITS.headers} bytes`]
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? [408, 'the request took too long to arrive'] : [400, 'malformed HTTP request']
}

/** Destroys a connection whose request cannot be served, because the code for it could not be loaded. */
const notLoaded =
  (log: Log, connection: { destroy(): unknown }) =>
  (error: unknown): void => {
    log.error('http.not_loaded', { err: error })
    connection.destroy()
  }

/** Serves requests by the app; the first ones wait until its code is loaded. */
const whenLoaded = ({ app, log }: NodeDeps): RequestListener => {
  let serve: RequestListener = (req, res) => {
    const start = (loaded: RequestListener): void => {
      serve = loaded
      serve(req, res)
    }
    app.load().then(start, notLoaded(log, res))
  }
  return (req, res) => serve(req, res)
}

/** Paths of WebSockets. */
const PROTOCOLS: ReadonlyMap<string, Protocol> = new Map([
  ['/jsonRPC', 'rpc'],
  ['/api/streaming/v2/ws', 'stream'],
])

/** Said of other paths. */
const NO_SOCKET = `Not Found; WebSockets are at ${[...PROTOCOLS.keys()].join(' and ')}`

/*
 * These two have closures of their own: a listener that stays with the socket keeps all that the function around it had in use, for as long as the socket. For
 * the function below that is the request, 2 KB.
 */
const destroyOnError = (socket: Duplex): void => void socket.on('error', () => socket.destroy())
/** Ends a connection after the time of a request; returns what stops that. */
const limitTime = (socket: Duplex, ms: number): (() => void) => {
  const overdue = setTimeout(() => socket.destroy(), ms)
  const stop = (): void => clearTimeout(overdue)
  socket.once('close', stop)
  return () => {
    stop()
    socket.off('close', stop)
  }
}

/**
 * Whether answers to earlier requests of the connection are still pending. They would mix with the upgraded protocol. So the connection ends after the first
 * of them, and the client has to ask again.
 */
const endsAfterEarlier = (pipeline: Pipeline, socket: Socket): boolean => {
  const [due] = pipeline.unfinished(socket)
  if (due === undefined) return false
  due.shouldKeepAlive = false
  due.once('close', () => socket.destroySoon())
  return true
}

/** Upgrades connections to WebSockets, or refuses. */
const serveUpgrades = (server: Server, pipeline: Pipeline, connections: Connections, deps: NodeDeps): void => {
  const { sockets, chooseNetwork, rawAnswer, times, log } = deps
  server.on('upgrade', (req: IncomingMessage, duplex, head) => {
    const socket = duplex as Socket
    if (endsAfterEarlier(pipeline, socket)) return
    if (req.headers.upgrade?.toLowerCase() !== 'websocket') return serveWithoutUpgrade(server, req, socket, head)
    destroyOnError(socket)
    // RFC 6455 4.1: the handshake is an HTTP/1.1 request.
    const fault = req.httpVersion === '1.0' ? { status: 400, text: 'a WebSocket handshake needs HTTP/1.1' } : headFault(req)
    if (fault) return rawAnswer.refuse(socket, fault.status, fault.text)
    if (!toOriginForm(req)) return rawAnswer.refuse(socket, 400, BAD_TARGET)
    const network = chooseNetwork(req)
    const protocol = PROTOCOLS.get(req.url?.split('?', 1)[0] ?? '')
    if (protocol === undefined) return rawAnswer.refuse(socket, 404, NO_SOCKET)
    // Until the upgrade is done, the connection has the time limit of a request.
    const stop = limitTime(socket, times.request)
    const upgrade = (loaded: Sockets): void =>
      loaded.upgrade(req, socket, head, { network, protocol }, () => {
        stop()
        connections.release(socket)
      })
    const now = sockets.now()
    if (now) upgrade(now)
    else sockets.load().then(upgrade, notLoaded(log, socket))
  })
}

export interface Listening {
  readonly host: string
  readonly port: number
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
