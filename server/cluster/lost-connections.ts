import type { Worker } from 'node:cluster'

/*
 * The primary accepts each connection, hands it to a worker, and closes its own copy when the worker says that it has it (node:cluster). A worker that is killed
 * in between never says so. Node then keeps the copy for ever: the client waits on an open connection that nobody serves, and the primary loses a descriptor.
 */

/** A connection as node:cluster has it. Closing it twice does no harm. */
interface Handle {
  close(): void
}

/** The worker to which each connection was handed last. One that is about to end gives it back, and another one gets it. */
const takers = new WeakMap<Handle, Worker>()

/** The listening port of a message that hands over a connection, as node:cluster names it; undefined for other messages. */
const portOf = (message: unknown): unknown => {
  const { cmd, act, key } = message as { readonly cmd?: unknown; readonly act?: unknown; readonly key?: unknown }
  return cmd === 'NODE_CLUSTER' && act === 'newconn' ? key : undefined
}

/**
 * Closes the connections that were on their way to a worker when the worker died, so that their clients know at once and connect again. node:cluster hands a
 * worker the next connection of a port only after the answer for the last one, so there is at most one of each port.
 */
export const closeLostConnections = (worker: Worker): void => {
  const channel = worker.process
  const send = channel.send!.bind(channel) as (...args: unknown[]) => boolean
  const last = new Map<unknown, Handle>()
  channel.send = (...args: unknown[]): boolean => {
    const [message, handle] = args
    const port = handle ? portOf(message) : undefined
    if (port !== undefined) {
      last.set(port, handle as Handle)
      takers.set(handle as Handle, worker)
    }
    return send(...args)
  }
  // Not `disconnect`: that event does not come while a connection is on its way.
  channel.once('exit', () => {
    for (const handle of last.values()) if (takers.get(handle) === worker) handle.close()
  })
}
