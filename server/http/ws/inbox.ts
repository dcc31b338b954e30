import { on } from 'node:events'
import type { WebSocket } from 'ws'
import { CALLER_LEFT } from '../../base/abort.ts'
import { turnToRead } from '../body.ts'
import type { Protocol } from './session.ts'

/**
 * Answers the messages of a socket, a few at once. The socket is not read while further messages wait, so a flood stays in the buffers of the kernel and the
 * sender.
 */
export const createInbox = (socket: WebSocket, client: string, { atOnce, serve }: Protocol) => {
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const receive = async (): Promise<void> => {
    for await (const [data] of on(socket, 'message', { signal: closing.signal, highWaterMark: 1 })) {
      await turnToRead(data.length, { client })
      if (closing.signal.aborted) return
      const answered = serve(data.toString('utf8')).finally(() => running.delete(answered))
      running.add(answered)
      if (running.size >= atOnce) await Promise.race(running)
    }
  }
  // It ends with the signal's reason.
  receive().catch(() => {})
  return {
    /** Drops the messages that wait, and takes no more. */
    close: (): void => closing.abort(CALLER_LEFT),
    /** Resolves when no message is being answered. */
    idle: (): Promise<unknown> => Promise.all(running),
  }
}
