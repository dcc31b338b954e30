import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { type WritePieces, writePieces } from './writer.ts'

/* WebSocket frames of events, made once for many sockets: a server does not mask its frames, so a frame is the same on every socket. */

const FINAL_TEXT = 0x81
/** Values of the second byte that say that the length follows in 2 or 8 bytes. */
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
 * Writes ready frames to the connection of one socket. They come between the frames of `socket.send`, never inside one, because without compression ws writes
 * each frame at once. `done` is also called when the socket is closing.
 */
export const frameWriter =
  (socket: WebSocket, connection: Duplex): WritePieces =>
  (frames, done) => {
    // Nothing may follow a close frame.
    if (socket.readyState !== socket.OPEN) return process.nextTick(done)
    if (frames.length === 1) return void connection.write(frames[0], done)
    // Several frames become one system call.
    connection.cork()
    writePieces(connection, frames, done)
    connection.uncork()
  }
