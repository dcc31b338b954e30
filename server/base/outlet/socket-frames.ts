import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { type WritePieces, writePieces } from './queue.ts'

/* What is told to many WebSockets is framed once: a frame of a server is not masked, so it is the same on every socket. */

const FINAL_TEXT = 0x81
/** Lengths of which the second byte says that 2 or 8 bytes with the length follow. */
const LENGTH_16 = 126
const LENGTH_64 = 127

/** A text as one whole WebSocket frame of a server (RFC 6455, 5.2). */
export const textFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text)
  const start = length < LENGTH_16 ? 2 : length < 1 << 16 ? 4 : 10
  const frame = Buffer.allocUnsafe(start + length)
  frame[0] = FINAL_TEXT
  if (start === 2) frame[1] = length
  else if (start === 4) {
    frame[1] = LENGTH_16
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = LENGTH_64
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, start)
  return frame
}

/**
 * Writes whole frames, which are made once for many sockets, to the connection of one of them. They come between the frames of `socket.send`, never into
 * one: without compression ws writes each frame at once. `done` is also called when the socket is closing.
 */
export const frameWriter =
  (socket: WebSocket, connection: Duplex): WritePieces =>
  (frames, done) => {
    // Nothing may follow a close frame.
    if (socket.readyState !== socket.OPEN) return process.nextTick(done)
    // Several frames are one call of the system.
    connection.cork()
    writePieces(connection, frames, done)
    connection.uncork()
  }
