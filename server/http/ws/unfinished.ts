import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Inflow } from '../../base/limits/inflow.ts'
import { TRY_LATER } from './session.ts'

/* Counts the bytes of an incomplete message. `ws` keeps them in memory until the message is complete. */

/** Size of a client's control frame with a payload of this length, at most 125 (RFC 6455, 5.2): 2 bytes, and 4 for the mask. */
const controlFrame = (length: number): number => length + 6

/**
 * Counts the bytes that arrive on a socket, and that are given to `ws` in pieces (read-in-pieces.ts). Terminates the socket if inflow.ts needs its memory.
 */
export const countUnfinished = (socket: WebSocket, connection: Duplex, inflow: Inflow): void => {
  let unfinished = 0
  const count = inflow.open(() => {
    socket.close(TRY_LATER, 'too many messages are arriving')
    // The close frame is already in the system's buffer, so the socket can be terminated now. That frees its memory.
    socket.terminate()
  })
  const hold = (bytes: number): void => {
    unfinished = Math.max(0, bytes)
    count(unfinished)
  }
  // Control frames may come between the frames of a message.
  const subtract = (data: Buffer): void => hold(unfinished - controlFrame(data.length))
  // What follows a message in its piece is too little to be counted.
  socket.on('message', () => hold(0))
  socket.on('ping', subtract).on('pong', subtract)
  connection.on('close', () => hold(0))
  // Before `ws` parses the piece, and emits its events.
  connection.prependListener('data', (piece: Buffer) => hold(unfinished + piece.length))
}
