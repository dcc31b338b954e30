import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { Call, Caller } from '../../base/call.ts'
import { createChunk } from '../../base/writer/chunk.ts'
import { textFrame } from '../../base/writer/socket-frames.ts'
import { createWriter, type WritePieces } from '../../base/writer/writer.ts'
import { closeSocket, GOING_AWAY, POLICY, SLOW_GOODBYE, TRY_LATER } from '../ws/close.ts'
import { createInbox } from '../ws/inbox.ts'
import type { Session } from '../ws/session.ts'
import { errorTextOf, rulesOf, type StreamDeps } from './both-transports.ts'
import { tooMany } from './limits.ts'
import { createSocketRequests } from './socket-requests.ts'

/* Streaming v2 over a WebSocket. The socket has one subscription, which each `subscribe` replaces. An error in a request does not close the socket. */

export interface StreamPeer extends Pick<Call, 'network'> {
  readonly req: IncomingMessage
  readonly caller: Caller | undefined
  readonly write: WritePieces
  readonly client: string
}

/** Time (ms) without any frame from the client after which the client counts as disconnected. */
const SILENCE_MS = 60_000

export const createStreamSession = (deps: StreamDeps, socket: WebSocket, peer: StreamPeer): Session => {
  // The closures below must not capture `peer`: its request would stay in memory for as long as the socket.
  const { network, caller, client } = peer
  const rules = rulesOf('ws', peer.req, peer, deps)
  const { limits } = rules
  let lastFrameAt = performance.now()
  let isOpen = true

  const end = (code: number, reason: string): void => {
    isOpen = false
    inbox.close()
    writer.flush()
    closeSocket(socket, code, reason, code === TRY_LATER ? SLOW_GOODBYE : undefined)
  }
  const writer = createWriter({
    unread: deps.unread,
    write: peer.write,
    slow() {
      deps.log.info('stream.slow', { client })
      requests.close()
      end(TRY_LATER, 'slow consumer')
    },
  })
  const say = (message: object): void => writer.push(createChunk(textFrame(JSON.stringify(message)), 'events'))
  const fail = (error: unknown): void => end(TRY_LATER, errorTextOf(error).slice(0, 100))

  const requests = createSocketRequests({ ...deps, network, caller, rules, writer, fail, isOpen: () => isOpen })

  const entered = deps.eventSlots.acquire(limits.client, limits.sockets).then((taken) => {
    if (typeof taken === 'number') {
      say({ error: tooMany(taken) })
      return end(TRY_LATER, 'connection limit reached')
    }
    if (socket.readyState === socket.CLOSED) taken()
    else socket.once('close', taken)
  }, fail)
  /** Requests wait until the connection has its slot within the client's limit, and run one after the other. */
  const serve = async (text: string): Promise<void> => {
    await entered
    if (isOpen) await requests.serve(text)
  }
  const inbox = createInbox(socket, { client, atOnce: 1, serve })

  const forget = caller?.onEnd((reason) => end(POLICY, reason))
  const noteFrame = (): void => {
    lastFrameAt = performance.now()
  }
  socket.on('message', noteFrame).on('ping', noteFrame).on('pong', noteFrame)
  socket.on('error', (error) => deps.log.debug('stream.error', { err: error }))
  socket.on('close', () => {
    isOpen = false
    forget?.()
    requests.close()
    writer.close()
  })

  return {
    beat() {
      if (performance.now() - lastFrameAt > SILENCE_MS && !socket.isPaused) return socket.terminate()
      socket.ping()
    },
    async close() {
      end(GOING_AWAY, 'shutting down')
      if (socket.readyState !== socket.CLOSED) await new Promise((resolve) => socket.once('close', resolve))
    },
  }
}
