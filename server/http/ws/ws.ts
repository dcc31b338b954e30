import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { ERRORS, type ErrorKind } from '../../../shared/errors.ts'
import { type Caller, waitsForBlock } from '../../base/call.ts'
import { createConcurrencyLimit } from '../../base/limits/concurrency-limit.ts'
import { inOwnTurn, mapWithPauses } from '../../base/yield.ts'
import { toTonError } from '../../dispatch/failure.ts'
import { isLoopback } from '../../net/address-ranges.ts'
import { clientNet } from '../../net/client-net.ts'
import { errorReply } from '../answer-forms.ts'
import { LIMITS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { rulesOf } from '../stream/both-transports.ts'
import { openStream } from '../stream/socket.ts'
import { openJsonRpc } from './json-rpc.ts'
import { readInPieces } from './read-in-pieces.ts'
import { closeSocket, createSession, type Peer, POLICY, type Session } from './session.ts'
import { countUnfinished } from './unfinished.ts'

export type ProtocolName = 'rpc' | 'stream'

export interface Upgrade {
  readonly network: string
  readonly protocol: ProtocolName
}

export type Sockets = ReturnType<typeof createSockets>

/** read-in-pieces.ts answers pings. The type definitions of `ws` lack the last two options. */
const OPTIONS = {
  noServer: true,
  maxPayload: LIMITS.socketFrame,
  perMessageDeflate: false,
  autoPong: false,
  maxFragments: LIMITS.socketFragments,
  maxBufferedChunks: LIMITS.socketChunks,
}

const REFUSED_FOR_GOOD: ReadonlySet<ErrorKind> = new Set(['UNAUTHORIZED', 'FORBIDDEN'])

/**
 * Whether the client sees close frames, but not the answer to a handshake, as a browser's WebSocket and that of Node. Pages send an Origin. Elsewhere such a
 * client can set no header, so its key is in the URL. Streaming keeps TON Center's refusals.
 */
const seesOnlyFrames = ({ headers }: IncomingMessage, protocol: ProtocolName): boolean =>
  headers.origin !== undefined || (protocol === 'rpc' && !headers['x-api-key'])

/** WebSockets at /jsonRPC (strict JSON-RPC 2.0, a request or a batch in each message) and of streaming v2. */
export const createSockets = (deps: Parts) => {
  const server = new WebSocketServer(OPTIONS)
  const sessions = new Map<WebSocket, Session>()
  const slots = createConcurrencyLimit()

  // RFC 6455 4.4: the refusal of another version names the supported one.
  server.on('wsClientError', (error, socket) => deps.rawAnswer.refuse(socket, 400, error.message, { 'Sec-WebSocket-Version': '13' }))

  const noteError = (error: Error): void => deps.log.debug('socket.error', { err: error })

  /** Takes a slot of an address until the connection closes. Returns whether one was free. */
  const enter = (socket: Duplex, address: string): boolean => {
    const release = slots.acquire(clientNet(address), isLoopback(address) ? -1 : LIMITS.socketsPerAddress)
    if (typeof release === 'number') return false
    socket.once('close', release)
    return true
  }

  /** The closures here must not capture `req`: it would stay in memory for as long as the socket. */
  const accept = (socket: WebSocket, req: IncomingMessage, address: string, to: Upgrade, caller: Caller | undefined): void => {
    const client = caller?.bucket ?? clientNet(address)
    const peer: Peer = { network: to.network, caller, client }
    const open =
      to.protocol === 'stream'
        ? openStream(deps, peer, rulesOf('ws', req, peer, deps))
        : openJsonRpc(deps, { ...peer, localAllowed: deps.localAccess(req), waitsForBlock: waitsForBlock(req.socket) })
    const session = createSession(deps, socket, req.socket, peer, open)
    sessions.set(socket, session)
    const began = performance.now()
    const seen = { client: address, network: to.network, keyId: caller?.keyId }
    deps.accessLog?.info('socket.opened', seen)
    socket.on('close', (code) => {
      deps.accessLog?.info('socket.closed', { ...seen, code, ms: Math.round(performance.now() - began) })
      sessions.delete(socket)
    })
  }

  // Ten thousand pings in one event-loop turn would take half a second.
  const beat = setInterval(() => void mapWithPauses([...sessions.values()], (session) => session.beat()), deps.times.ping)
  beat.unref()

  return {
    /** Upgrades a connection to `to.protocol` and calls `accepted`, or writes a refusal. Before a refusal in a close frame `accepted` is called too. */
    upgrade(req: IncomingMessage, socket: Duplex, head: Buffer, to: Upgrade, accepted: () => void) {
      const { rawAnswer } = deps
      const address = deps.clientAddress(req)
      if (deps.readiness.isStopping) return rawAnswer.refuse(socket, 503, 'shutting down')
      if (!enter(socket, address)) return rawAnswer.refuse(socket, 503, 'too many connections')
      const open = (then: (upgraded: WebSocket) => void): void =>
        server.handleUpgrade(req, socket, head, (upgraded) => {
          accepted()
          upgraded.on('error', noteError)
          readInPieces(upgraded, socket, clientNet(address))
          countUnfinished(upgraded, socket, deps.inflow)
          then(upgraded)
        })
      const admit = async (): Promise<void> => {
        const caller = await deps.gate?.admit(req, to.network)
        // A thousand clients may come at once, and each takes a fifth of a millisecond.
        await inOwnTurn(() => {
          if (socket.destroyed) return
          open((upgraded) => accept(upgraded, req, address, to, caller))
        })
      }
      admit().catch((thrown: unknown) => {
        const error = toTonError(thrown, { requestId: randomUUID(), log: deps.log })
        if (REFUSED_FOR_GOOD.has(error.kind) && seesOnlyFrames(req, to.protocol)) {
          return open((upgraded) => closeSocket(upgraded, POLICY, error.message))
        }
        rawAnswer.say(socket, ERRORS[error.kind].http, errorReply(error))
      })
    },
    count: (): number => sessions.size,
    /** Accepts no more calls, waits for running calls (at most `patience` milliseconds), and closes every socket with 1001. */
    async close(patience: number): Promise<void> {
      clearInterval(beat)
      await Promise.all(await mapWithPauses([...sessions.values()], (session) => session.close(patience)))
    },
  }
}
