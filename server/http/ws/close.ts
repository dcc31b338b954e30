import type { WebSocket } from 'ws'

/* How sockets are closed. Close codes are those of RFC 6455 and its registry. */

export const GOING_AWAY = 1001
export const POLICY = 1008
export const TRY_LATER = 1013

/** Milliseconds for the peer's own close frame. */
const GOODBYE = 1_000
/** The same for a reader of events that is too slow: it first has to read what was sent before. */
export const SLOW_GOODBYE = 10_000

/** Closes a socket with a reason, and cuts it off if the peer does not answer within `patience` milliseconds. */
export const closeSocket = (socket: WebSocket, code: number, reason: string, patience = GOODBYE): void => {
  socket.resume()
  socket.close(code, reason)
  setTimeout(() => socket.terminate(), patience).unref()
}
