import type { WebSocket } from 'ws'
import { createAbortController, settledWithin } from '../../base/abort.ts'
import type { Call } from '../../base/call.ts'
import { withFields } from '../../base/log.ts'
import { createChunk } from '../../base/writer/chunk.ts'
import { textFrame } from '../../base/writer/socket-frames.ts'
import { createWriter, type WritePieces } from '../../base/writer/writer.ts'
import { yieldToEventLoop } from '../../base/yield.ts'
import { toTonError } from '../../dispatch/failure.ts'
import { errorReply } from '../answer-forms.ts'
import { chargeUndispatched } from '../charge-undispatched.ts'
import { LIMITS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { parseError, parseRequests } from '../rpc/request-text.ts'
import { closeSocket, GOING_AWAY, POLICY, SLOW_GOODBYE, TRY_LATER } from './close.ts'
import { createSocketEvents } from './events.ts'
import { createInbox } from './inbox.ts'

export interface Peer extends Pick<Call, 'network' | 'localAllowed' | 'waitsForBlock' | 'caller' | 'client'> {
  readonly write: WritePieces
}

export interface Session {
  /** Terminates the connection if the client has not answered the last ping. Otherwise sends a ping. */
  beat(): void
  /** Accepts no more messages, waits for running calls (at most `patience` milliseconds), and closes with 1001. */
  close(patience: number): Promise<void>
}

/** Answers the messages of a socket with JSON-RPC. */
export const createSession = (deps: Parts, socket: WebSocket, peer: Peer): Session => {
  const { write, ...identity } = peer
  const { localAllowed, caller, client } = identity
  const id = deps.nextId()
  const log = withFields(deps.log, { socket: id })
  const gone = createAbortController()
  let count = 0
  let answered = 0
  let alive = true

  const end = (code: number, reason: string, patience?: number): void => {
    inbox.close()
    closeSocket(socket, code, reason, patience)
  }
  const writer = createWriter({
    unread: deps.unread,
    write,
    slow() {
      if (events.isEmpty()) {
        log.info('socket.stalled')
        end(TRY_LATER, 'answers are read too slowly')
      } else events.stop(`slow consumer; last cursor ${writer.last()}`)
    },
  })

  const events = createSocketEvents({
    writer,
    slots: deps.eventSlots,
    peer: { client: client ?? '', caller },
    end(reason) {
      log.info('socket.events_ended', { reason })
      end(TRY_LATER, reason, SLOW_GOODBYE)
    },
  })

  const reply = async (text: string, onAnswered: (begin: () => void) => void): Promise<string | undefined> => {
    let value: unknown
    try {
      value = parseRequests(text)
    } catch (error) {
      return await chargeUndispatched({ caller }).then(() => errorReply(parseError(error)), errorReply)
    }
    try {
      const call: Call = {
        ...identity,
        signal: gone.signal,
        requestId: `${id}.${(count++).toString(36)}`,
        log,
        servers: caller?.servers,
        events: events.of(onAnswered),
      }
      return await deps.rpc.receive(value, call)
    } catch (error) {
      return errorReply(toTonError(error, { requestId: id, log, localAllowed }))
    }
  }

  const serve = async (text: string): Promise<void> => {
    const begins: (() => void)[] = []
    const answer = await reply(text, (begin) => begins.push(begin))
    if (answer !== undefined) {
      if (++answered % LIMITS.socketCalls === 0) await yieldToEventLoop()
      await new Promise<void>((resolve) => writer.push(createChunk(textFrame(answer), 'websocket'), resolve))
    }
    for (const begin of begins) begin()
  }
  const inbox = createInbox(socket, { client, atOnce: LIMITS.socketCalls, serve })

  const forget = caller?.onEnd((reason) => {
    log.info('socket.caller_ended', { keyId: caller.keyId, reason })
    end(POLICY, reason)
  })

  socket.on('pong', () => {
    alive = true
  })
  socket.on('error', (error) => log.debug('socket.error', { err: error }))
  socket.on('close', () => {
    inbox.close()
    writer.close()
    events.close()
    forget?.()
    gone.abort()
  })

  return {
    beat() {
      // While the socket is paused, a pong may wait behind unread messages, so a missing pong does not count.
      if (!alive && !socket.isPaused) return socket.terminate()
      alive = false
      socket.ping()
    },
    async close(patience) {
      inbox.close()
      await settledWithin(inbox.idle(), patience)
      end(GOING_AWAY, 'shutting down')
      if (socket.readyState !== socket.CLOSED) await new Promise((resolve) => socket.once('close', resolve))
    },
  }
}
