/*
 * Who a call is from, for queues that give everybody their turn. A call's signal goes wherever the call goes, down to where work waits for a thread; so
 * the client is told by it, and nothing in between has to pass him on.
 */

const clients = new WeakMap<AbortSignal, string>()

/** Says whose call a signal belongs to. `client`: the owner of a key, or a client address. */
export const setClient = (signal: AbortSignal, client: string): void => void clients.set(signal, client)

/** Whose call a signal belongs to; undefined for work of the service itself. */
export const clientOf = (signal: AbortSignal): string | undefined => clients.get(signal)
