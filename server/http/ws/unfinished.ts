import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Inflow } from '../../base/limits/inflow.ts'
import { TRY_LATER } from './session.ts'

/* Counts the bytes of an incomplete message. `ws` keeps them in memory until the message is complete. */

/** Size of a client's frame with a payload of this length (RFC 6455, 5.2): 2 bytes, 0, 2 or 8 more for the length, and 4 for the mask. */
const frameOf = (length: number): number => length + (length < 126 ? 6 : length < 1 << 16 ? 8 : 14)

/**
 * Counts the bytes that arrive on a socket. Terminates the socket if inflow.ts needs its memory. Must be called after `ws` has attached its own listener to
 * the connection.
 */
export const countUnfinished = (socket: WebSocket, connection: Duplex, inflow: Inflow): void => {
  /** Received bytes of frames for which `ws` has not emitted an event. */
  let unfinished = 0
  /** `came`: bytes received since `ws` last had no unprocessed data. `hasMessage`: whether `ws` has emitted a message since then. */
  let came = 0
  let hasMessage = false
  let rest: NodeJS.Immediate | undefined

  const count = inflow.open(() => {
    socket.close(TRY_LATER, 'too many messages are arriving')
    // The close frame is already in the system's buffer, so the socket can be terminated now. That frees its memory.
    socket.terminate()
  })
  const hold = (bytes: number): void => {
    unfinished = Math.max(0, bytes)
    count(unfinished)
  }
  const settle = (): void => {
    if (connection.destroyed) return
    // The headers of a message in many frames are longer than frameOf assumes, so `unfinished` may be too large. `came` is an upper bound.
    if (hasMessage) hold(Math.min(unfinished, came))
    came = 0
    hasMessage = false
  }
  /** `ws` emits the event of one frame per event-loop turn. After a turn without an event it has processed all bytes. */
  const settleLater = (): void => {
    // `ws` schedules its own next turn after its listeners have run, so nextTick comes after that.
    process.nextTick(() => {
      clearImmediate(rest)
      rest = setImmediate(settle)
    })
  }
  const end = (data: Buffer): void => {
    hold(unfinished - frameOf(data.length))
    settleLater()
  }
  socket.on('message', (data: Buffer) => {
    hasMessage = true
    // The time of the next message begins.
    count(0)
    end(data)
  })
  // Control frames may come between the frames of a message.
  socket.on('ping', end).on('pong', end)
  connection.on('close', () => count(0))
  connection.on('data', (chunk: Buffer) => {
    came += chunk.length
    hold(unfinished + chunk.length)
    settleLater()
  })
}
