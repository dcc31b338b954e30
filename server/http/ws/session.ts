import { on } from 'node:events'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { CALLER_LEFT, createAbortController, settledWithin } from '../../base/abort.ts'
import type { Call } from '../../base/call.ts'
import { createWriter, type WritePieces, type Writer } from '../../base/writer/writer.ts'
import { inOwnTurn } from '../../base/yield.ts'
import { turnToRead } from '../body.ts'
import type { Parts } from '../parts.ts'
import type { StreamClient } from '../stream/limits.ts'

/* One WebSocket, whatever its protocol: its messages, its writer, its pings and its end. */

/* Close codes of RFC 6455 and its registry. */

const GOING_AWAY = 1001
export const POLICY = 1008
export const TRY_LATER = 1013

/** Time (ms) for the client to answer with its own close frame. */
const GOODBYE = 1_000
/** Time (ms) for the close frame of a client that reads events too slowly. Such a client first has to read the earlier frames. */
export const SLOW_GOODBYE = 10_000

/** Terminates the socket if the client does not answer within `patience` milliseconds. */
export const closeSocket = (socket: WebSocket, code: number, reason: string, patience = GOODBYE): void => {
  socket.resume()
  socket.close(code, reason)
  setTimeout(() => void inOwnTurn(() => socket.terminate()), patience).unref()
}

/** The client of a socket. */
export interface Peer extends StreamClient, Pick<Call, 'network'> {}

/** What a protocol uses of its socket. */
export interface Line {
  readonly writer: Writer
  /** Aborted when the socket begins to close. */
  readonly signal: AbortSignal
  /** Writes what waits, and closes the socket. */
  end(code: number, reason: string, patience?: number): void
}

/** A protocol on one socket. */
export interface Protocol {
  /** Messages that are answered at the same time. */
  readonly atOnce: number
  /** Answers a message. Never rejects. */
  serve(text: string): Promise<void>
  /** Called when the client reads too slowly. Ends the line. */
  slow(): void
}

/** The pieces of a chunk are UTF-8 text. */
const TEXT = { binary: false }

/**
 * Writes text messages to a socket. `done` is also called if the socket is closing.
 * @internal
 */
export const messageWriter =
  (socket: WebSocket, connection: Duplex): WritePieces =>
  (messages, done) => {
    // Combines several messages into one system call.
    connection.cork()
    for (const [i, message] of messages.entries()) socket.send(message, TEXT, i === messages.length - 1 ? done : undefined)
    connection.uncork()
  }

/** Bytes of a message that is answered before the next one of its socket is read. */
const LONG = 64 << 10

/**
 * Answers the messages of a socket, a few at once. The socket is not read while further messages wait, so a flood stays in the buffers of the kernel and the
 * sender.
 */
const createInbox = (socket: WebSocket, client: string, { atOnce, serve }: Protocol) => {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const receive = async (): Promise<void> => {
    for await (const [data] of on(socket, 'message', { signal: closing.signal, highWaterMark: 1 })) {
      await turnToRead(data.length, { client })
      if (closing.signal.aborted) return
      const answered = serve(data.toString('utf8')).finally(() => running.delete(answered))
      running.add(answered)
      // A call holds several times the bytes of its message, so of long ones each socket has one.
      if (data.length > LONG) await answered
      else if (running.size >= atOnce) await Promise.race(running)
    }
  }
  // It ends with the signal's reason.
  receive().catch(() => {})
  return {
    /** Drops the messages that wait, and takes no more. */
    close: (): void => closing.abort(CALLER_LEFT),
    /** Resolves when no message is being answered. */
    idle: (): Promise<unknown> => Promise.all(running),
  }
}

export type Session = ReturnType<typeof createSession>

export const createSession = (
  { unread, log }: Pick<Parts, 'unread' | 'log'>,
  socket: WebSocket,
  connection: Duplex,
  { caller, client }: StreamClient,
  open: (line: Line) => Protocol,
) => {
  const gone = createAbortController()
  let isAlive = true

  const end: Line['end'] = (code, reason, patience) => {
    inbox.close()
    writer.flush()
    closeSocket(socket, code, reason, patience)
    gone.abort()
  }
  const writer = createWriter({ unread, write: messageWriter(socket, connection), slow: () => protocol.slow() })
  const protocol = open({ writer, signal: gone.signal, end })
  const inbox = createInbox(socket, client, protocol)

  const forget = caller?.onEnd((reason) => {
    log.info('socket.caller_ended', { keyId: caller.keyId, reason })
    end(POLICY, reason)
  })
  const noteFrame = (): void => {
    isAlive = true
  }
  socket.on('message', noteFrame).on('ping', noteFrame).on('pong', noteFrame)
  const leave = (): void => {
    inbox.close()
    writer.close()
    forget?.()
    gone.abort(CALLER_LEFT)
  }
  // A thousand clients may leave at once, and each takes a tenth of a millisecond.
  socket.once('close', () => void inOwnTurn(leave))

  return {
    /** Terminates the connection if the client has sent nothing since the last ping. Otherwise sends a ping. */
    beat() {
      // While the socket is paused, a pong may wait behind unread messages, and our ping behind what a slow client has not read yet.
      if (!isAlive && !socket.isPaused && socket.bufferedAmount === 0) return socket.terminate()
      isAlive = false
      socket.ping()
    },
    /** Accepts no more messages, waits for running calls (at most `patience` milliseconds), and closes with 1001. */
    async close(patience: number): Promise<void> {
      inbox.close()
      await settledWithin(inbox.idle(), patience)
      await inOwnTurn(() => end(GOING_AWAY, 'shutting down'))
      if (socket.readyState !== socket.CLOSED) await new Promise((resolve) => socket.once('close', resolve))
    },
  }
}
