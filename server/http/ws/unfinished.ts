import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { type Inflow, OF_PIECE } from '../../base/limits/inflow.ts'
import { TRY_LATER } from './session.ts'

/* Counts the memory of an incomplete message. `ws` keeps its parts until the message is complete, and each part keeps its whole piece. */

/** Size of a client's control frame with a payload of this length, at most 125 (RFC 6455, 5.2): 2 bytes, and 4 for the mask. */
const controlFrame = (length: number): number => length + 6
const LONGEST_CONTROL_FRAME = controlFrame(125)

/**
 * Counts the pieces that arrive on a socket (read-in-pieces.ts). Terminates the socket if inflow.ts needs its memory.
 */
export const countUnfinished = (socket: WebSocket, connection: Duplex, inflow: Inflow): void => {
  /** Bytes of the frames that have not ended, or whose message has not. */
  let unfinished = 0
  /** Bytes of the pieces that keep them in memory, and of the last of these pieces. */
  let counted = 0
  let last = 0
  const count = inflow.open(() => {
    socket.close(TRY_LATER, 'too many messages are arriving')
    // The close frame is already in the system's buffer, so the socket can be terminated now. That frees its memory.
    socket.terminate()
  })
  const hold = (bytes: number): void => {
    counted = bytes
    count(counted)
  }
  // Control frames may come between the frames of a message.
  const subtract = (data: Buffer): void => {
    unfinished = Math.max(0, unfinished - controlFrame(data.length))
    if (unfinished === 0) hold(0)
    // What is left begins the next control frame, so the last piece has it. Otherwise a client that only sends pings would be counted.
    else if (unfinished < LONGEST_CONTROL_FRAME) hold(last)
  }
  socket.on('message', () => {
    // What follows a message in its piece is too little to be counted.
    unfinished = 0
    hold(0)
  })
  socket.on('ping', subtract).on('pong', subtract)
  connection.on('close', () => hold(0))
  // Before `ws` parses the piece, and emits its events.
  connection.prependListener('data', (piece: Buffer) => {
    unfinished += piece.length
    last = piece.length + OF_PIECE
    hold(counted + last)
  })
}
