import type { WebSocket } from 'ws'
import { inOwnTurn } from '../../base/yield.ts'

/* Closes sockets. Close codes are those of RFC 6455 and its registry. */

export const GOING_AWAY = 1001
export const POLICY = 1008
export const TRY_LATER = 1013

/** Time (ms) for the client to answer with its own close frame. */
const GOODBYE = 1_000
/** Time (ms) for the close frame of a client that reads events too slowly. Such a client first has to read the earlier frames. */
export const SLOW_GOODBYE = 10_000

/** Terminates the socket if the client does not answer within `patience` milliseconds. */
export const closeSocket = (socket: WebSocket, code: number, reason: string, patience = GOODBYE): void => {
  socket.resume()
  socket.close(code, reason)
  setTimeout(() => void inOwnTurn(() => socket.terminate()), patience).unref()
}
