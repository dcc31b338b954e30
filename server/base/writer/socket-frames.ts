import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { type WritePieces, writePieces } from './writer.ts'

/* WebSocket frames of events. A server does not mask its frames, so one frame is encoded once and sent on many sockets. */

const FINAL_TEXT = 0x81
/** Values of the second byte that announce a length of 2 or 8 bytes. */
const LENGTH_16 = 126
const LENGTH_64 = 127

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
 * Writes encoded frames to the connection of one socket. They never interrupt a frame of `socket.send`, because without compression `ws` writes each frame at
 * once. `done` is also called if the socket is closing.
 */
export const frameWriter =
  (socket: WebSocket, connection: Duplex): WritePieces =>
  (frames, done) => {
    // No frame may follow a close frame.
    if (socket.readyState !== socket.OPEN) return process.nextTick(done)
    if (frames.length === 1) return void connection.write(frames[0], done)
    // Combines several frames into one system call.
    connection.cork()
    writePieces(connection, frames, done)
    connection.uncork()
  }
