import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { inSharedTurn } from '../../base/yield.ts'

/** Bytes that `ws` gets at once: up to 170 empty messages or pings, whose events it emits in the same turn. */
const PIECE = 1 << 10
/** Bytes of the longest piece of a long message. What follows the message in the piece can be 1,360 frames. */
const LONGEST = 8 << 10

/** Returns the piece without the rest of what was read with it: `ws` keeps views of it, and a byte would keep 64 KB in memory. */
const withoutRest = (piece: Buffer): Buffer => {
  if (piece.length === piece.buffer.byteLength) return piece
  const own = Buffer.allocUnsafeSlow(piece.length)
  piece.copy(own)
  return own
}

/**
 * Reads the connection of a socket in small pieces, and gives them to `ws` in turns that sockets share. By itself `ws` parses 64 KB at once, which can be
 * 10,000 frames, and an event-loop turn reads hundreds of sockets. Nothing is read while the socket is paused. Answers only the last ping of a piece, and of
 * the time in which the client does not read: RFC 6455 (5.5.3) allows it. Must be called after `ws` has attached its own listeners to the connection.
 * `client`: whose sockets share turns with those of others.
 */
export const readInPieces = (socket: WebSocket, connection: Duplex, client: string): void => {
  const [parse] = connection.listeners('data') as [(piece: Buffer) => void]
  connection.off('data', parse)
  let isWaiting = false
  let hasFrame = false
  const noteFrame = (): void => {
    hasFrame = true
  }
  let ping: Buffer | undefined
  const answerPing = (): void => {
    if (ping === undefined || connection.writableNeedDrain) return
    socket.pong(ping)
    ping = undefined
  }
  const read = (): void => {
    isWaiting = false
    if (connection.destroyed) return
    // Once it is closing, `ws` looks for the client's close frame in what is left.
    if (socket.isPaused && socket.readyState === socket.OPEN) return
    hasFrame = false
    // A piece in which no frame ends takes hardly any time. So others do not delay each kilobyte of a long message.
    for (let length = PIECE; !hasFrame && connection.readableLength > 0; length = Math.min(2 * length, LONGEST)) {
      parse.call(connection, withoutRest(connection.read(Math.min(length, connection.readableLength))))
    }
    answerPing()
    if (connection.readableLength > 0) wait()
    // Only a read that finds nothing lets node emit 'end', or 'readable' again.
    else connection.read(0)
  }
  const wait = (): void => {
    if (isWaiting) return
    isWaiting = true
    inSharedTurn(read, client)
  }
  // With a listener for 'readable' a stream does not flow, whoever resumes it.
  connection.on('readable', wait).on('resume', wait).on('drain', answerPing)
  socket.on('message', noteFrame).on('ping', noteFrame).on('pong', noteFrame)
  socket.on('ping', (data: Buffer) => {
    // `data` is a part of what was read.
    ping = Buffer.from(data)
  })
  // Otherwise `ws` would parse what was not read, of hundreds of connections in one turn.
  connection.prependListener('close', () => connection.read(connection.readableLength))
}
