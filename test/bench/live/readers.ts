import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/* WebSocket readers that cost their own process little: with a thousand of them on one machine a whole client would be most of what is measured. */

/** A subscribed connection to streaming v2. What it was told is parsed when it is asked for. */
export interface RawReader {
  /** The texts that came since the last call, with the time at which the last byte of each was read (performance.now()). */
  take(): { readonly text: string; readonly at: number }[]
  close(): void
}

const TEXT = 0x81
const ROOM = Buffer.allocUnsafe(256 << 10)
/** A masked pong without contents. The service drops a client that it has not heard for a minute. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
/** Milliseconds between them. */
const ALIVE = 20_000

/** A masked text frame of a client, with the mask 0; less than 64 KiB. */
const clientFrame = (text: string): Buffer => {
  const body = Buffer.from(text)
  const head = Buffer.alloc(8)
  head[0] = TEXT
  head[1] = 0x80 | 126
  head.writeUInt16BE(body.length, 2)
  return Buffer.concat([head, body])
}

/** The whole frames at the beginning of some bytes, as [first byte, start, end] of their contents. */
function* framesIn(bytes: Buffer): Generator<readonly [number, number, number]> {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = bytes[at + 1]!
    const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10)
    if (start > bytes.length) return
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
    if (start + length > bytes.length) return
    yield [bytes[at]!, start, start + length]
    at = start + length
  }
}

const openSocket = async (url: URL, onRead: (bytes: Buffer) => void): Promise<Socket> => {
  const socket = connect({
    host: url.hostname,
    port: Number(url.port),
    noDelay: true,
    onread: {
      buffer: ROOM,
      callback(length, buffer) {
        onRead(Buffer.from(buffer.subarray(0, length)))
        return true
      },
    },
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Opens a connection and subscribes; resolves when the subscription is answered. */
export const openReader = async (serviceUrl: string, subscription: object): Promise<RawReader> => {
  const url = new URL('/api/streaming/v2/ws', serviceUrl)
  const pieces: { readonly bytes: Buffer; readonly at: number }[] = []
  let onMore = (): void => {}
  const socket = await openSocket(url, (bytes) => {
    pieces.push({ bytes, at: performance.now() })
    onMore()
  })
  const more = (): Promise<void> =>
    new Promise((resolve) => {
      onMore = resolve
    })
  const all = (): Buffer => Buffer.concat(pieces.map(({ bytes }) => bytes))
  socket.write(
    `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  while (!all().includes('\r\n\r\n')) await more()
  if (!all().toString('latin1').startsWith('HTTP/1.1 101 ')) throw new Error(all().toString('utf8'))
  pieces.length = 0
  socket.write(clientFrame(JSON.stringify({ operation: 'subscribe', ...subscription })))
  // The service may send a ping before its answer.
  const isAnswered = (): boolean => [...framesIn(all())].some(([first]) => first === TEXT)
  while (!isAnswered()) await more()
  if (!all().includes('"subscribed"')) throw new Error(all().toString('utf8'))
  pieces.length = 0
  onMore = () => {}
  const alive = setInterval(() => socket.write(PONG), ALIVE).unref()
  socket.once('close', () => clearInterval(alive))

  return {
    take() {
      const bytes = all()
      /** Where each piece ends, and when it came. */
      const ends: { readonly end: number; readonly at: number }[] = []
      for (const piece of pieces) ends.push({ end: (ends.at(-1)?.end ?? 0) + piece.bytes.length, at: piece.at })
      pieces.length = 0
      const told: { text: string; at: number }[] = []
      let read = 0
      for (const [first, start, end] of framesIn(bytes)) {
        read = end
        if (first === TEXT) told.push({ text: bytes.toString('utf8', start, end), at: ends.find((each) => each.end >= end)!.at })
      }
      if (read < bytes.length) pieces.push({ bytes: bytes.subarray(read), at: ends.at(-1)!.at })
      return told
    },
    close: () => void socket.destroy(),
  }
}
