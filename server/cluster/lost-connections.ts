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

const isHandover = (message: unknown): boolean => {
  const { cmd, act } = message as { readonly cmd?: unknown; readonly act?: unknown }
  return cmd === 'NODE_CLUSTER' && act === 'newconn'
}

/**
 * Closes the connection that was on its way to a worker when the worker died, so that its client knows at once and connects again. node:cluster hands a
 * worker the next connection only after the answer for the last one, so there is at most one.
 */
export const closeLostConnection = (worker: Worker): void => {
  const channel = worker.process
  const send = channel.send!.bind(channel) as (...args: unknown[]) => boolean
  let last: Handle | undefined
  channel.send = (...args: unknown[]): boolean => {
    const [message, handle] = args
    if (handle && isHandover(message)) {
      last = handle as Handle
      takers.set(last, worker)
    }
    return send(...args)
  }
  // Not `disconnect`: that event does not come while a connection is on its way.
  channel.once('exit', () => {
    if (last !== undefined && takers.get(last) === worker) last.close()
  })
}
