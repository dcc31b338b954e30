import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Connections } from '../net/connections.ts'
import { serveWithoutUpgrade } from './ignore-upgrade.ts'
import type { Parts } from './parts.ts'
import type { Pipeline } from './pipelining.ts'
import { BAD_TARGET, toOriginForm, validateRequestHead } from './request-head.ts'
import type { ProtocolName, Sockets } from './ws/ws.ts'

/** What serves requests and WebSockets. Its code is loaded on the first connection. */
export interface Loaded {
  readonly serve: RequestListener
  readonly sockets: Sockets
}

export interface UpgradeDeps extends Pick<Parts, 'chooseNetwork' | 'rawAnswer' | 'times' | 'log'> {
  /** undefined until `load` has resolved. */
  readonly loaded: () => Loaded | undefined
  readonly load: () => Promise<Loaded>
}

/** Runs `work` as soon as the code is loaded: usually at once. Destroys the connection if the code cannot be loaded. */
export const whenLoaded = (
  { loaded, load, log }: UpgradeDeps,
  connection: { destroy(): unknown },
  work: (loaded: Loaded) => void,
): void => {
  const now = loaded()
  if (now) work(now)
  else
    load().then(work, (error: unknown) => {
      log.error('http.not_loaded', { err: error })
      connection.destroy()
    })
}

const PROTOCOLS: ReadonlyMap<string, ProtocolName> = new Map([
  ['/jsonRPC', 'rpc'],
  ['/api/streaming/v2/ws', 'stream'],
])

const NO_SOCKET = `Not Found; WebSockets are at ${[...PROTOCOLS.keys()].join(' and ')}`

/*
 * The next two functions are outside `serveUpgrades`, because a listener keeps its enclosing scope in memory. Inside, each socket would keep its request (2
 * KB).
 */
export const destroyOnError = (socket: Duplex): void => void socket.on('error', () => socket.destroy())
/** Destroys a connection after the time limit of a request. Returns a function that cancels the limit. */
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
 * Returns whether answers to earlier requests of the connection are pending. If so, the connection closes after the first of them, because they would mix
 * with the upgraded protocol. The client has to repeat the handshake.
 * node has removed its own listeners from the socket. Without the listeners below a long answer would never be sent completely.
 */
export const endsAfterEarlier = (pipeline: Pipeline, socket: Socket): boolean => {
  const [due] = pipeline.unfinished(socket)
  if (due === undefined) return false
  due.shouldKeepAlive = false
  due.once('close', () => socket.destroySoon())
  socket.on('drain', () => due.emit('drain'))
  destroyOnError(socket)
  return true
}

export const serveUpgrades = (server: Server, pipeline: Pipeline, connections: Connections, deps: UpgradeDeps): void => {
  const { chooseNetwork, rawAnswer, times } = deps
  server.on('upgrade', (req: IncomingMessage, duplex, head) => {
    const socket = duplex as Socket
    if (endsAfterEarlier(pipeline, socket)) return
    if (req.headers.upgrade?.toLowerCase() !== 'websocket') return serveWithoutUpgrade(server, req, socket, head)
    destroyOnError(socket)
    // RFC 6455 4.1: the handshake is an HTTP/1.1 request.
    const fault = req.httpVersion === '1.0' ? { status: 400, text: 'a WebSocket handshake needs HTTP/1.1' } : validateRequestHead(req)
    if (fault) return rawAnswer.refuse(socket, fault.status, fault.text)
    if (!toOriginForm(req)) return rawAnswer.refuse(socket, 400, BAD_TARGET)
    const network = chooseNetwork(req)
    const protocol = PROTOCOLS.get(req.url?.split('?', 1)[0] ?? '')
    if (protocol === undefined) return rawAnswer.refuse(socket, 404, NO_SOCKET)
    // The time limit of a request applies until the upgrade is done.
    const stop = limitTime(socket, times.request)
    whenLoaded(deps, socket, ({ sockets }) =>
      sockets.upgrade(req, socket, head, { network, protocol }, () => {
        stop()
        connections.release(socket)
      }),
    )
  })
}
