import { type Connection, get } from './connection.ts'
import type { WireService } from './service.ts'

/* WebSockets as bytes: frames that no library would send. */

/** A frame from its first byte and its payload, masked by zeros, so that the payload stays as it is. */
export const frame = (first: number, payload: Buffer = Buffer.alloc(0), isMasked = true): Buffer => {
  const { length } = payload
  const mask = isMasked ? 0x80 : 0
  const head =
    length < 126
      ? Buffer.from([first, mask | length])
      : length < 1 << 16
        ? Buffer.from([first, mask | 126, length >> 8, length & 255])
        : Buffer.from([first, mask | 127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255])
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), payload])
}

interface ReadFrame {
  readonly opcode: number
  readonly payload: Buffer
}

interface Frames {
  readonly connection: Connection
  /** The next frame that is no ping. Pings are answered. Rejects if the connection ends before. */
  next(): Promise<ReadFrame>
  /** The next frame, whatever it is. */
  nextOfAll(): Promise<ReadFrame>
}

/** Opens a WebSocket. `lines`: further lines of its handshake. */
export const openFrames = async (service: WireService, path = '/jsonRPC', ...lines: readonly string[]): Promise<Frames> => {
  const connection = await service.open()
  await connection.send(
    get(
      path,
      ...lines,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ),
  )
  const { status } = await connection.answer()
  if (status !== 101) throw new Error(`no WebSocket: ${status}`)
  const nextOfAll = async (): Promise<ReadFrame> => {
    const [first = 0, second = 0] = await connection.take(2)
    const length =
      second < 126
        ? second
        : second === 126
          ? (await connection.take(2)).readUInt16BE()
          : Number((await connection.take(8)).readBigUInt64BE())
    return { opcode: first & 15, payload: await connection.take(length) }
  }
  return {
    connection,
    nextOfAll,
    async next() {
      for (;;) {
        const read = await nextOfAll()
        if (read.opcode !== 9) return read
        void connection.send(frame(0x8a, read.payload))
      }
    },
  }
}
