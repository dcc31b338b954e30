import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Arrival, Inflow } from '../inflow.ts'
import { TRY_LATER } from './close.ts'

/* Counts the bytes of a message that has not arrived completely: the library keeps them until it has. */

/** Bytes of a client's frame around a payload of this length (RFC 6455, 5.2): 2, 2 or 8 more for the length, and 4 of the mask. */
const frameOf = (length: number): number => length + (length < 126 ? 6 : length < 1 << 16 ? 8 : 14)

/** Counts what arrives on a socket, and ends the socket when its memory is needed for others. To be called when the library reads from the connection already. */
export const countUnfinished = (socket: WebSocket, connection: Duplex, inflow: Inflow): void => {
  let arrival: Arrival | undefined
  /** Bytes that came and are in no frame of which the library has emitted an event. */
  let unfinished = 0
  /** Bytes that came since the library had last read all of them, and whether it has emitted a message since. */
  let came = 0
  let hasMessage = false
  let rest: NodeJS.Immediate | undefined

  const close = (): void => {
    arrival?.close()
    arrival = undefined
  }
  const cut = (): void => {
    socket.close(TRY_LATER, 'too many messages are arriving')
    // Its memory is free at once; the close frame is in the system's buffer already.
    socket.terminate()
  }
  const hold = (bytes: number): void => {
    unfinished = Math.max(0, bytes)
    if (unfinished === 0) close()
    else {
      arrival ??= inflow.open(cut)
      arrival.hold(unfinished)
    }
  }
  const settle = (): void => {
    if (socket.readyState === socket.CLOSED) return
    // A message in many frames has more bytes around it.
    if (hasMessage) hold(Math.min(unfinished, came))
    came = 0
    hasMessage = false
  }
  /** The library emits the event of one frame in a turn. After a turn without an event it has read all that came. */
  const settleLater = (): void => {
    // The library asks for its own next turn only after its listeners.
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
    close()
    end(data)
  })
  // These come between the frames of a message, too.
  socket.on('ping', end).on('pong', end)
  socket.on('close', close)
  connection.on('data', (chunk: Buffer) => {
    came += chunk.length
    hold(unfinished + chunk.length)
    settleLater()
  })
}
