import type { IncomingMessage } from 'node:http'
import type { Caller } from '../../base/call.ts'
import { CALLER_LIMITS, type CallerLimits } from '../../base/limits/caller-limits.ts'
import { clientNet } from '../../net/client-net.ts'
import { isLoopback } from '../../net/loopback.ts'

/** Limits of a stream, and the client whose streams and replays count together. */
export interface StreamLimits extends CallerLimits {
  readonly client: string
}

/** A peer of a stream. */
export interface StreamClient {
  /** The owner of the key, or the client's address. */
  readonly client: string
  readonly caller: Caller | undefined
}

const numberOf = (text: string | string[] | undefined, otherwise: number): number => {
  const value = Number(text)
  return typeof text === 'string' && /^-?\d{1,9}$/.test(text) ? Math.max(-1, value) : otherwise
}

/** Whether a client is an address of this machine, which may open any number of connections. */
const isThisMachine = (client: string): boolean => isLoopback(client) || client === clientNet('::1')

/** Limits by the plan of a key, or the common ones. */
export const limitsOf = ({ client, caller }: StreamClient): StreamLimits => ({
  ...(caller?.limits ?? CALLER_LIMITS),
  ...(caller?.limits === undefined && isThisMachine(client) && { sockets: -1 }),
  client,
})

/** The limits in the headers of a trusted gateway, as TON Center's sends them, or else the common ones. */
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

/** Text of the refusal of a connection. */
export const tooMany = (active: number): string => `connection limit reached: ${active} active connections`
