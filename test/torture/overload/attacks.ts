import type { Socket } from 'node:net'
import { get, post, rpcText } from '../../kit/wire/connection.ts'
import { frame } from '../../kit/wire/frames.ts'
import { type CrowdOptions, countAnswers, openCrowd } from './crowd.ts'
import { largePage, mixedRequest, subscription } from './requests.ts'

/* Ways to take more of a service than one's part. */

export interface Target extends Pick<CrowdOptions, 'port' | 'counts' | 'signal'> {
  /** Requests a second; infinite: as many as are answered. */
  readonly rate: number
  readonly wallet: string
}

type Attack = (target: Target) => void

/** Milliseconds between two looks at what is due. */
const TICK = 5
/** Bytes that wait for a connection that the service does not read. */
const MAX_UNSENT = 64 * 1024

interface Sender {
  readonly socket: Socket
  unanswered: number
}

/** Sends requests at a rate over a crowd. A connection has at most `depth` unanswered ones. */
const send = ({ rate, ...target }: Target, size: number, depth: number, requestOf: (n: number) => string | Buffer): void => {
  const { counts, signal } = target
  const free: Sender[] = []
  const isFree = ({ socket, unanswered }: Sender): boolean => unanswered < depth && !socket.destroyed && socket.writableLength < MAX_UNSENT
  const sendOne = (sender: Sender): void => {
    sender.unanswered++
    sender.socket.write(requestOf(counts.sent++))
  }
  const onOpen = (socket: Socket): undefined => {
    const sender = { socket, unanswered: 0 }
    countAnswers(socket, counts, (count) => {
      const wasFree = isFree(sender)
      sender.unanswered -= count
      if (rate === Number.POSITIVE_INFINITY) sendOne(sender)
      else if (!wasFree) free.push(sender)
    })
    if (rate === Number.POSITIVE_INFINITY) sendOne(sender)
    else free.push(sender)
  }
  openCrowd({ ...target, size, onOpen })
  if (rate === Number.POSITIVE_INFINITY) return
  const start = performance.now()
  const timer = setInterval(() => {
    let due = Math.floor(((performance.now() - start) * rate) / 1000) - counts.offered
    counts.offered += due
    while (due > 0 && free.length > 0) {
      const sender = free.pop()!
      for (; due > 0 && isFree(sender); due--) sendOne(sender)
      if (isFree(sender)) free.push(sender)
    }
  }, TICK)
  signal.addEventListener('abort', () => clearInterval(timer))
}

/** Sends a byte of a text in each period. */
const trickle = (socket: Socket, text: string, period: number): (() => void) => {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++ % text.length]!), period)
  return () => clearInterval(timer)
}

const slowHeads: Attack = (target) =>
  openCrowd({ ...target, size: 500, onOpen: (socket) => trickle(socket, `${get('/api/v2/getMasterchainInfo').slice(0, -2)}A: b\r\n`, 200) })

const slowBodies: Attack = (target) =>
  openCrowd({
    ...target,
    size: 500,
    onOpen(socket) {
      socket.write('POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n')
      return trickle(socket, ' ', 200)
    },
  })

/** Asks for much, and reads nothing. */
const slowReaders: Attack = (target) => {
  let n = 0
  openCrowd({
    ...target,
    size: 200,
    onOpen(socket) {
      socket.pause()
      socket.write(largePage(n++))
      return undefined
    },
  })
}

const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']

const text = (value: string): Buffer => frame(0x81, Buffer.from(value))

/** Sockets that subscribe as often as they can, until they are refused. Half of them read nothing. */
const subscriptions: Attack = (target) => {
  const { rate, signal } = target
  const sockets = new Set<Socket>()
  let n = 0
  openCrowd({
    ...target,
    size: 200,
    onOpen(socket) {
      socket.write(get('/jsonRPC', ...UPGRADE))
      if (n++ % 2) socket.pause()
      else countAnswers(socket, target.counts, () => {})
      sockets.add(socket)
      return () => sockets.delete(socket)
    },
  })
  const timer = setInterval(() => {
    const each = (rate * TICK) / 1000 / Math.max(1, sockets.size)
    for (const socket of sockets) {
      if (socket.writableLength > MAX_UNSENT || !socketIsDue(each, n++)) continue
      target.counts.sent++
      socket.write(text(rpcText('subscribe', subscription(n), n)))
    }
  }, TICK)
  signal.addEventListener('abort', () => clearInterval(timer))
}

/** Whether a socket sends now, if each sends `share` times in a look on average. */
const socketIsDue = (share: number, n: number): boolean => (n * 0.618_033_988_7) % 1 < share

/** Streams that are opened and left, without end. */
const streams: Attack = (target) =>
  openCrowd({
    ...target,
    size: 200,
    onOpen(socket) {
      socket.write(post('/api/streaming/v2/sse', JSON.stringify({ types: ['blocks'] }), 'Accept: text/event-stream'))
      socket.once('data', () => setTimeout(() => socket.destroy(), 100))
      return undefined
    },
  })

const silent: Attack = (target) => {
  openCrowd({ ...target, size: 500, onOpen: () => undefined })
  openCrowd({
    ...target,
    size: 200,
    onOpen(socket) {
      socket.write(get('/jsonRPC', ...UPGRADE))
      socket.pause()
      return undefined
    },
  })
}

/** The attacks by their names. Each has an address of its own. */
export const ATTACKS = {
  calls: (target) => send(target, 500, 1, (n) => mixedRequest(n, target.wallet)),
  pipelining: (target) => send(target, 50, 1_000, (n) => mixedRequest(n, target.wallet)),
  pages: (target) => send(target, 200, 1, largePage),
  slow(target) {
    slowHeads(target)
    slowBodies(target)
    slowReaders(target)
  },
  silent,
  subscriptions(target) {
    subscriptions(target)
    streams(target)
  },
} as const satisfies Readonly<Record<string, Attack>>

export type AttackName = keyof typeof ATTACKS
