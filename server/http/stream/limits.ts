import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../base/call.ts'
import { CALLER_LIMITS, type CallerLimits } from '../../base/limits/caller-limits.ts'
import type { ConcurrencyLimit } from '../../base/limits/concurrency-limit.ts'
import { isLoopback } from '../../net/address-ranges.ts'
import { clientNet } from '../../net/client-net.ts'

export interface StreamLimits extends CallerLimits {
  readonly client: string
}

export interface StreamClient {
  /** The owner of the key, or the client's address. */
  readonly client: string
  readonly caller: Caller | undefined
}

const numberOf = (text: string | string[] | undefined, otherwise: number): number => {
  const value = Number(text)
  return typeof text === 'string' && /^-?\d{1,9}$/.test(text) ? Math.max(-1, value) : otherwise
}

/** Returns whether a client is an address of this machine, which may open any number of connections. */
const isThisMachine = (client: string): boolean => isLoopback(client) || client === clientNet('::1')

export const limitsOf = ({ client, caller }: StreamClient): StreamLimits => ({
  ...(caller?.limits ?? CALLER_LIMITS),
  ...(caller?.limits === undefined && isThisMachine(client) && { sockets: -1 }),
  client,
})

/** Limits from the headers of a trusted gateway, in TON Center's format. Without these headers, the client's own limits. */
export const gatewayLimits = ({ headers }: IncomingMessage, peer: StreamClient, isTrusted: boolean): StreamLimits => {
  const own = limitsOf(peer)
  if (!isTrusted) return own
  const key = headers['x-limiting-key']
  return {
    ...own,
    ...(typeof key === 'string' && key !== '' && { client: `gateway ${key}` }),
    sockets: numberOf(headers['x-max-parallel-connections'], own.sockets),
    addresses: numberOf(headers['x-max-subscribed-addr'], own.addresses),
  }
}

/** Maximum wait for a slot, and the interval of attempts (ms). */
const PATIENCE_MS = 400
const LOOK_MS = 20

/**
 * Counts a connection with events until `signal` is aborted. If the client has too many of them, waits for a moment, because a client that reconnects may arrive
 * before its old connection is closed, and then returns the text of the refusal.
 */
export const countConnection = async (
  slots: ConcurrencyLimit,
  { client, sockets }: StreamLimits,
  signal: AbortSignal,
): Promise<string | undefined> => {
  let taken = slots.acquire(client, sockets)
  for (let waited = 0; typeof taken === 'number' && waited < PATIENCE_MS; waited += LOOK_MS) {
    await sleep(LOOK_MS)
    taken = slots.acquire(client, sockets)
  }
  if (typeof taken === 'number') return `connection limit reached: ${taken} active connections`
  if (signal.aborted) taken()
  else signal.addEventListener('abort', taken, { once: true })
  return undefined
}
