import type { IncomingMessage } from 'node:http'
import { TonError } from '../../../shared/errors.ts'
import type { Listening } from '../../live/begin-listening.ts'
import { parseCursor, withCursor } from '../../live/cursor.ts'
import type { Hub } from '../../live/hub.ts'
import type { Frame, Sink } from '../../live/listener.ts'
import type { Started } from '../../live/replay.ts'
import type { Parts } from '../parts.ts'
import { gatewayLimits, type StreamClient } from './limits.ts'
import { StreamError, type StreamId, type StreamRequest, type StreamRules } from './read-request.ts'

export type StreamDeps = Pick<Parts, 'unread' | 'eventSlots' | 'hub' | 'isProxy' | 'log'>

export const socketFrame = (isWithCursor: boolean): Frame =>
  isWithCursor
    ? { key: 'ws cursor', wrap: (json, cursor) => Buffer.from(withCursor(json, cursor)) }
    : { key: 'ws', wrap: (json) => Buffer.from(json) }

export const rulesOf = (
  transport: StreamRules['transport'],
  req: IncomingMessage,
  peer: StreamClient,
  { isProxy }: StreamDeps,
): StreamRules => {
  const version = req.headers['x-actions-version']
  return {
    transport,
    limits: gatewayLimits(req, peer, isProxy(req.socket.remoteAddress ?? '')),
    actionsVersion: typeof version === 'string' ? version : undefined,
  }
}

/** SSE frames. With cursors each frame has an `id:` line, which EventSource sends back when it reconnects. */
export const sseFrame = (isWithCursor: boolean): Frame => ({
  key: isWithCursor ? 'sse cursor' : 'sse',
  wrap: (json, cursor) =>
    Buffer.from(
      isWithCursor
        ? `event: event\n${cursor === '' ? '' : `id: ${cursor}\n`}data: ${withCursor(json, cursor)}\n\n`
        : `event: event\ndata: ${json}\n\n`,
    ),
})

/** `cursor` and `resumed` are only in the answer to a request for cursors. JSON leaves out undefined members. */
export const acknowledged = (id: StreamId | undefined, request: StreamRequest, { cursor, resumed }: Started): object => ({
  id,
  status: 'subscribed',
  cursor: request.withCursor ? cursor : undefined,
  resumed: request.resumeFrom === undefined ? undefined : resumed,
})

/**
 * Subscribes to the hub. If `resumeFrom` is not a position of this chain, the stream starts at the head with `resumed: false`. If `leaving` is aborted
 * before the stream has started, the subscription is closed. Rejects with TonError without an index, and with Error if the subscription was closed.
 */
export const openListening = async (
  hub: Hub | 'away' | undefined,
  request: StreamRequest,
  sink: Omit<Sink, 'takesResets'>,
  leaving: AbortSignal,
): Promise<{ readonly listening: Listening; readonly started: Started }> => {
  if (hub === undefined) throw new TonError('NOT_SERVED', 'streaming is not served here: there is no index')
  if (hub === 'away') throw new TonError('UNAVAILABLE', 'the network is not available', { retryAfter: 1 })
  const since = request.resumeFrom === undefined ? undefined : parseCursor(request.resumeFrom)
  const listening = hub.listen(request.filter, { ...sink, takesResets: request.withCursor }, since, leaving)
  const started = await listening.started
  return { listening, started: { ...started, resumed: started.resumed && since !== undefined } }
}

/** Clients do not see the text of an internal error. */
export const errorTextOf = (error: unknown): string =>
  error instanceof StreamError || error instanceof TonError ? error.message : 'internal error'
