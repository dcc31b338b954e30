import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/*
 * A client may end its sending half behind its requests, and still reads the answers (`nc -N`, `socat`). One that has gone looks the same: its half has ended, and
 * nothing else is seen of it until something is written. So while answers are due, `100 Continue` is written again and again. Clients skip it
 * (RFC 9110 15.2), and the system of one that has gone answers with a reset, which ends the connection and the work for it.
 */

/** Milliseconds between two of them. */
const PROBE_MS = 250

/** Keeps half-closed connections of a server open until their answers are sent. `unfinished`: the responses of a connection that are due, in their order. */
export const serveHalfClosed = (server: Server, unfinished: (socket: Socket) => readonly ServerResponse[]): void => {
  // node has no option for it: without this it ends its own half at once, and what is written later is lost.
  Object.assign(server, { httpAllowHalfOpen: true })
  const dueOf = (socket: Socket): ServerResponse | undefined => (socket.destroyed ? undefined : unfinished(socket)[0])
  // One function for all sockets, because a connection can be given to the server a second time (without-upgrade.ts).
  const watch = function (this: Socket): void {
    if (dueOf(this) === undefined) return
    const again = setInterval(() => {
      const due = dueOf(this)
      if (due === undefined) clearInterval(again)
      // HTTP/1.0 has no such answers, and a stream that has begun writes by itself.
      else if (!due.headersSent && due.req.httpVersion === '1.1') due.writeContinue()
    }, PROBE_MS)
  }
  server.on('connection', (socket) => socket.off('end', watch).on('end', watch))
}
