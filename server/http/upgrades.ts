import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Connections } from '../net/connections.ts'
import { serveWithoutUpgrade } from './ignore-upgrade.ts'
import type { Parts } from './parts.ts'
import { endAfter, type Pipeline } from './pipelining.ts'
import { BAD_TARGET, toOriginForm, validateRequestHead } from './request-head.ts'
import type { ProtocolName, Sockets } from './ws/ws.ts'

export interface UpgradeDeps extends Pick<Parts, 'chooseNetwork' | 'rawAnswer'> {
  readonly sockets: Sockets
}

const PROTOCOLS: ReadonlyMap<string, ProtocolName> = new Map([
  ['/jsonRPC', 'rpc'],
  ['/api/v2/jsonRPC', 'rpc'], // TonClient's endpoint: who has this URL opens sockets at it too.
  ['/api/streaming/v2/ws', 'stream'],
])

const NO_SOCKET = `Not Found; WebSockets are at ${[...PROTOCOLS.keys()].join(', ')}`

/** Outside `serveUpgrades`, because a listener keeps its enclosing scope in memory. Inside, each socket would keep its request (2 KB). */
export const destroyOnError = (socket: Duplex): void => void socket.on('error', () => socket.destroy())

/**
 * Returns whether answers to earlier requests of the connection are pending. If so, the connection closes after the first of them, because they would mix
 * with the upgraded protocol. The client has to repeat the handshake.
 * node has removed its own listeners from the socket. Without the listeners below a long answer would never be sent completely.
 */
export const endsAfterEarlier = (pipeline: Pipeline, socket: Socket): boolean => {
  const [due] = pipeline.unfinished(socket)
  if (due === undefined) return false
  endAfter(due)
  socket.on('drain', () => due.emit('drain'))
  destroyOnError(socket)
  return true
}

export const serveUpgrades = (
  server: Server,
  pipeline: Pipeline,
  connections: Connections,
  { chooseNetwork, rawAnswer, sockets }: UpgradeDeps,
): void => {
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
    sockets.upgrade(req, socket, head, { network, protocol }, () => connections.release(socket))
  })
}
