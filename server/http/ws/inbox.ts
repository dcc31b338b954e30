import type { WebSocket } from 'ws'
import { turnToRead } from '../body.ts'

export interface Inbox {
  /** Drops the messages that wait, and takes no more. */
  close(): void
  /** Resolves when no message is being answered. */
  idle(): Promise<void>
}

export interface InboxOptions {
  readonly client: string | undefined
  /** Messages that are answered at the same time. */
  readonly atOnce: number
  /** Answers a message. Never rejects. */
  readonly serve: (text: string) => Promise<void>
}

/**
 * Answers the messages of a socket, a few at once. The socket is not read while further messages wait, so a flood stays in the buffers of the kernel and the
 * sender.
 */
export const createInbox = (socket: WebSocket, { client, atOnce, serve }: InboxOptions): Inbox => {
  const waiting: Buffer[] = []
  let running = 0
  let isTaking = false
  let isClosed = false
  let onIdle = (): void => {}

  const run = async (data: Buffer): Promise<void> => {
    running++
    await serve(data.toString('utf8'))
    running--
    if (running === 0) onIdle()
    void takeNext()
  }
  const takeNext = async (): Promise<void> => {
    if (isTaking) return
    isTaking = true
    while (running < atOnce && waiting.length > 0) {
      const turn = turnToRead(waiting[0]!.length, { client })
      if (turn !== undefined) await turn
      const data = waiting.shift()
      if (data !== undefined) void run(data)
    }
    isTaking = false
    if (waiting.length === 0 && socket.isPaused) socket.resume()
  }
  socket.on('message', (data: Buffer) => {
    if (isClosed) return
    waiting.push(data)
    void takeNext()
    if (waiting.length > 0) socket.pause()
  })
  return {
    close() {
      isClosed = true
      waiting.length = 0
    },
    idle: () =>
      running === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            onIdle = resolve
          }),
  }
}
