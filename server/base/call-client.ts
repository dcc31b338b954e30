import { CallSignal } from './abort.ts'

/*
 * Which client a call is from, for queues that serve clients in turn. The signal of a call reaches every place where its work waits, so the client is
 * looked up by the signal, and nothing in between has to pass the client on.
 */

/** Clients of signals of other classes. */
const clients = new WeakMap<AbortSignal, string>()

/** Records which client's call a signal belongs to. `client`: the owner of a key, or a client address. */
export const setClient = (signal: AbortSignal, client: string): void => {
  if (signal instanceof CallSignal) signal.owner = { client }
  else clients.set(signal, client)
}

/** The client whose call a signal belongs to; undefined for work of the service itself. */
export const clientOf = (signal: AbortSignal): string | undefined =>
  signal instanceof CallSignal ? signal.owner?.client : clients.get(signal)
