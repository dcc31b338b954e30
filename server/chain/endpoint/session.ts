import type { Socket } from 'node:net'
import { CALLER_LEFT, createAbortController, untilAborted, withTimeout } from '../../base/abort.ts'
import type { Inflow } from '../../base/limits/inflow.ts'
import { inSharedTurn } from '../../base/yield.ts'
import { acceptAdnl } from '../adnl/accept.ts'
import { createAuthentication } from '../adnl/authenticate.ts'
import type { Channel } from '../adnl/channel.ts'
import { AdnlError } from '../adnl/error.ts'
import type { Ciphers } from '../adnl/handshake.ts'
import { type AdnlQuery, decodeMessage, encodeMessage } from '../adnl/messages.ts'

export interface SessionLimits {
  readonly maxPacket: number
  /** Maximum number of queries answered at the same time, and number of waiting queries and bytes of all queries above which reading stops. */
  readonly running: number
  readonly waiting: number
  readonly bytes: number
  /** Number of unread answer bytes above which no new query is started. */
  readonly backlog: number
  /** Milliseconds after which a query is answered with a timeout, at most. */
  readonly queryMs: number
  readonly connectMs: number
  readonly packetMs: number
  /** Milliseconds of silence, and milliseconds with unread answers, after which the connection is closed. */
  readonly idleMs: number
  readonly stuckMs: number
}

export interface SessionDeps {
  readonly readHandshake: (packet: Uint8Array) => Ciphers
  readonly answer: (query: AdnlQuery, signal: AbortSignal, client: string) => Promise<Buffer>
  readonly client: string
  readonly limits: SessionLimits
  /** Limits the unread answer bytes of all connections. */
  readonly unread: Inflow
  readonly onClose: (reason: Error | undefined) => void
}

/**
 * Returns a function that gives the signal for a query that begins now. A signal and a timer for each query would take a sixth of a round trip, so those
 * that begin within a fifteenth of the time share them.
 */
const createDeadlines = (closing: AbortSignal, ms: number): (() => AbortSignal) => {
  let shared = closing
  let until = 0
  const share = (signal: AbortSignal): Promise<never> => {
    shared = signal
    return untilAborted(new Promise(() => {}), signal)
  }
  return () => {
    if (performance.now() >= until) {
      until = performance.now() + ms / 15
      withTimeout(closing, ms, share).catch(() => {})
    }
    return shared
  }
}

export const serveSession = (
  socket: Socket,
  { readHandshake, answer, client, limits, unread, onClose }: SessionDeps,
): ((reason?: Error) => void) => {
  const closing = createAbortController()
  const deadline = createDeadlines(closing.signal, limits.queryMs)
  const authenticate = createAuthentication()
  const queue: AdnlQuery[] = []
  /** Queries that wait in the line of all sessions, with their deadlines. The line itself has only `runFirst`, so that a session that ends frees them. */
  const inLine: { readonly query: AdnlQuery; readonly stop: AbortSignal }[] = []
  let channel: Channel | undefined
  let running = 0
  /** Bytes of the queries that wait or run. */
  let bytes = 0
  let paused = false
  let stuck: NodeJS.Timeout | undefined

  const full = (): boolean => (channel?.backlog() ?? 0) > limits.backlog
  const settle = (): void => {
    const crowded = queue.length >= limits.waiting || bytes > limits.bytes || full()
    if (crowded && !paused) channel?.pause()
    if (!crowded && paused) channel?.resume()
    paused = crowded
  }
  const countUnread = unread.open(() => end(new AdnlError('the peer reads its answers too slowly')))
  const next = (): void => {
    countUnread(socket.destroyed ? 0 : (channel?.backlog() ?? 0))
    while (running < limits.running && queue.length > 0 && !full()) {
      running += 1
      inLine.push({ query: queue.shift()!, stop: deadline() })
      // Queries of all sessions share the time of one piece of long work. Otherwise thousands of them would delay each part of an HTTP call by seconds.
      inSharedTurn(runFirst, client)
    }
    if (full()) stuck ??= setTimeout(() => end(new AdnlError('the peer does not read its answers')), limits.stuckMs)
    settle()
  }
  const runFirst = async (): Promise<void> => {
    const first = inLine.shift()
    if (first === undefined) return
    channel?.send(await answer(first.query, first.stop, client))
    running -= 1
    bytes -= first.query.data.length
    next()
  }

  const onPacket = (payload: Buffer): void => {
    const message = decodeMessage(payload)
    if (message?.type === 'ping') channel?.send(encodeMessage({ type: 'pong', random: message.random }))
    else if (message?.type === 'query') {
      // A view would retain all that arrived with the query.
      queue.push({ ...message, data: message.data.slice() })
      bytes += message.data.length
    } else {
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
    client,
    onPacket,
    onReady(ready) {
      channel = ready
    },
    onClose(reason) {
      clearTimeout(stuck)
      countUnread(0)
      queue.length = 0
      inLine.length = 0
      // A thousand connections may end in one turn, each with its queries.
      inSharedTurn(() => closing.abort(CALLER_LEFT))
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
