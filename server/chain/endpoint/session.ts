import type { Socket } from 'node:net'
import { CALLER_LEFT, createAbortController } from '../../base/abort.ts'
import { createPauses, inOwnTurn } from '../../base/yield.ts'
import { acceptAdnl } from '../adnl/accept.ts'
import { createAuthentication } from '../adnl/authenticate.ts'
import type { Channel } from '../adnl/channel.ts'
import { AdnlError } from '../adnl/error.ts'
import type { Ciphers } from '../adnl/handshake.ts'
import { type AdnlMessage, decodeMessage, encodeMessage } from '../adnl/messages.ts'

export interface SessionLimits {
  readonly maxPacket: number
  /** Maximum number of queries answered at the same time, and number of waiting queries above which reading stops. */
  readonly running: number
  readonly waiting: number
  /** Number of unread answer bytes above which no new query is started. */
  readonly backlog: number
  readonly connectMs: number
  readonly packetMs: number
  /** Milliseconds of silence, and milliseconds with unread answers, after which the connection is closed. */
  readonly idleMs: number
  readonly stuckMs: number
}

export interface SessionDeps {
  readonly readHandshake: (packet: Uint8Array) => Ciphers
  readonly answer: (query: Uint8Array, closing: AbortSignal) => Promise<Buffer>
  readonly limits: SessionLimits
  readonly onClose: (reason: Error | undefined) => void
}

/** Yields between answers. Otherwise cached answers of all connections would be made in one event-loop turn. */
const pause = createPauses()

export const serveSession = (socket: Socket, { readHandshake, answer, limits, onClose }: SessionDeps): ((reason?: Error) => void) => {
  const closing = createAbortController()
  const authenticate = createAuthentication()
  const queue: (AdnlMessage & { type: 'query' })[] = []
  let channel: Channel | undefined
  let running = 0
  let paused = false
  let stuck: NodeJS.Timeout | undefined

  const full = (): boolean => (channel?.backlog() ?? 0) > limits.backlog
  const settle = (): void => {
    const crowded = queue.length >= limits.waiting || full()
    if (crowded && !paused) channel?.pause()
    if (!crowded && paused) channel?.resume()
    paused = crowded
  }
  const next = (): void => {
    while (running < limits.running && queue.length > 0 && !full()) {
      running += 1
      void run(queue.shift()!)
    }
    if (full()) stuck ??= setTimeout(() => end(new AdnlError('the peer does not read its answers')), limits.stuckMs)
    settle()
  }
  const run = async ({ id, data }: AdnlMessage & { type: 'query' }): Promise<void> => {
    try {
      const paused = pause()
      if (paused !== undefined) await paused
      const encoded = await answer(data, closing.signal)
      channel?.send(encodeMessage({ type: 'answer', id, data: encoded }))
    } catch {
      // The peer has disconnected.
    }
    running -= 1
    next()
  }

  const onPacket = (payload: Buffer): void => {
    const message = decodeMessage(payload)
    if (message?.type === 'ping') channel?.send(encodeMessage({ type: 'pong', random: message.random }))
    else if (message?.type === 'query') queue.push({ ...message, type: 'query' })
    else {
      if (message === undefined) throw new AdnlError('the message is not a query')
      const reply = authenticate(message)
      if (reply instanceof Promise) reply.catch(end)
      else channel?.send(reply)
    }
    // Pongs count as unread answers too, so reading stops for a peer that does not read its pongs.
    next()
  }

  const end = acceptAdnl(socket, readHandshake, {
    maxPacket: limits.maxPacket,
    connectMs: limits.connectMs,
    packetMs: limits.packetMs,
    onPacket,
    onReady(ready) {
      channel = ready
    },
    onClose(reason) {
      clearTimeout(stuck)
      queue.length = 0
      // A thousand connections may end in one turn, each with its queries.
      void inOwnTurn(() => closing.abort(CALLER_LEFT))
      onClose(reason)
    },
  })
  socket.on('drain', () => {
    clearTimeout(stuck)
    stuck = undefined
    next()
  })
  socket.setTimeout(limits.idleMs, () => end(new AdnlError('idle')))
  return end
}
