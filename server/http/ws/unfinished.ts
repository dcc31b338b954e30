import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Arrival, Inflow } from '../inflow.ts'
import { TRY_LATER } from './close.ts'

/* Counts the bytes of a message that has not arrived completely: the library keeps them until it has. */

/** Bytes of a client's frame around a payload of this length (RFC 6455, 5.2): 2, 2 or 8 more for the length, and 4 of the mask. */
const frameOf = (length: number): number => length + (length < 126 ? 6 : length < 1 << 16 ? 8 : 14)

/** Counts what arrives on a socket, and ends the socket if it has to give way. To be called when the library reads from the connection already. */
export const countUnfinished = (socket: WebSocket, connection: Duplex, inflow: Inflow): void => {
  let arrival: Arrival | undefined
  /** Bytes that are no part of a complete message. */
  let unfinished = 0
  /** Bytes of the frames that were completed by the present chunk. */
  let complete = 0
  let hasMessage = false

  const close = (): void => {
    arrival?.close()
    arrival = undefined
  }
  const cut = (): void => {
    socket.close(TRY_LATER, 'too many messages are arriving')
    // Its memory is free at once; the close frame is in the system's buffer already.
    socket.terminate()
  }
  const end = (data: Buffer): void => {
    complete += frameOf(data.length)
  }
  socket.on('message', (data: Buffer) => {
    end(data)
    hasMessage = true
  })
  // These come between the frames of a message, too.
  socket.on('ping', end).on('pong', end)
  socket.on('close', close)
  // Called after the library has read the chunk.
  connection.on('data', (chunk: Buffer) => {
    unfinished = Math.max(0, unfinished + chunk.length - complete)
    complete = 0
    if (hasMessage) {
      hasMessage = false
      close()
      // A message in many frames has more bytes around it.
      unfinished = Math.min(unfinished, chunk.length)
    }
    if (unfinished === 0) return close()
    arrival ??= inflow.open(cut)
    arrival.hold(unfinished)
  })
}
