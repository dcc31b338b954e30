import type { WebSocket } from 'ws'
import type { WritePieces } from '../../base/outlet/queue.ts'
import { LIMITS } from '../limits.ts'

/** Bytes of answers that wait in the outboxes of all sockets. */
export interface Backlog {
  bytes: number
}

/**
 * Answers being sent to one socket. They are sent at once while the reader keeps up; when LIMITS.socketBuffer bytes are unsent, they wait. A reader
 * is disconnected if it takes nothing for `stall` milliseconds, or if too much waits for it or for all sockets (LIMITS).
 */
export interface Outbox {
  /** Resolves when the answer has been written to the socket, or the socket is gone. */
  send(text: string): Promise<void>
  /** The same writer of the socket, which lets waiting answers go when what it wrote has gone out. */
  sharing(write: WritePieces): WritePieces
  close(): void
}

export interface OutboxDeps {
  readonly backlog: Backlog
  readonly stall: number
  /** Called to disconnect the reader. */
  readonly giveUp: () => void
}

export const createOutbox = (socket: WebSocket, deps: OutboxDeps): Outbox => {
  const waiting: { readonly text: string; readonly done: () => void }[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined

  const count = (more: number): void => {
    bytes += more
    deps.backlog.bytes += more
  }
  const stopClock = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  const close = (): void => {
    stopClock()
    for (const { done } of waiting.splice(0)) done()
    count(-bytes)
  }
  const giveUp = (): void => {
    close()
    deps.giveUp()
  }
  const write = (text: string, done: () => void): void =>
    socket.send(text, () => {
      done()
      flush()
    })
  const flush = (): void => {
    // Every completed write calls this and resets the clock, so the clock catches only a reader that takes nothing at all.
    stopClock()
    while (waiting.length > 0 && socket.bufferedAmount <= LIMITS.socketBuffer) {
      const { text, done } = waiting.shift()!
      count(-text.length)
      write(text, done)
    }
    if (waiting.length > 0) timer = setTimeout(giveUp, deps.stall)
  }
  return {
    send: (text) =>
      new Promise((resolve) => {
        if (socket.readyState !== socket.OPEN) return resolve()
        if (waiting.length === 0 && socket.bufferedAmount <= LIMITS.socketBuffer) return write(text, resolve)
        waiting.push({ text, done: resolve })
        count(text.length)
        if (bytes > LIMITS.socketBacklog || deps.backlog.bytes > LIMITS.backlog) giveUp()
        else timer ??= setTimeout(giveUp, deps.stall)
      }),
    sharing: (other) => (pieces, done) =>
      other(pieces, () => {
        done()
        if (waiting.length > 0) flush()
      }),
    close,
  }
}
