import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { createGiveWay } from './give-way.ts'

/** Maximum number of interim responses (1xx) of a request. node accepts any number, and 64 KB have thousands. */
const MAX_INTERIM = 16

/** Returns a function that bounds what the responses of hosts that anybody chooses take of the event loop. It is called for every request. */
export const createResponseBounds = (): ((sent: ClientRequest) => void) => {
  const open = new Set<Socket>()
  const inUse = new WeakSet<Socket>()
  const { watch } = createGiveWay(open)
  return (sent) => {
    let interim = 0
    sent.on('information', () => {
      // Once only: the rest of a read comes here too.
      if (++interim === MAX_INTERIM + 1) sent.destroy(new Error(`answered with over ${MAX_INTERIM} interim responses`))
    })
    sent.on('socket', (socket) => {
      inUse.add(socket)
      sent.once('close', () => inUse.delete(socket))
      // A reused connection is open already.
      if (open.has(socket)) return
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      watch(socket)
      // An idle connection has a time limit, which each byte begins again.
      socket.on('data', () => void (inUse.has(socket) || socket.destroy()))
    })
  }
}
