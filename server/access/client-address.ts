import { isIP } from 'node:net'
import { NAMED_RANGES } from '../config/proxies.ts'
import { rangesOf } from '../net/address-ranges.ts'
import { plainAddress } from '../net/client-net.ts'
import type { RequestSource } from '../net/request-source.ts'

/* The client's address of a request: that of the connection's peer, or the one that a trusted proxy reports. */

/** Parses an address in X-Forwarded-For, without the port that some proxies add. Returns undefined if it is not an address. */
const forwarded = (entry: string): string | undefined => {
  const text = entry.trim()
  const withoutPort =
    /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? (/^[\d.]+:\d{1,5}$/.test(text) ? text.slice(0, text.indexOf(':')) : text)
  const address = plainAddress(withoutPort)
  return isIP(address) === 0 ? undefined : address
}

export const createProxyCheck = (trusted: readonly string[]): ((address: string) => boolean) => {
  const proxies = rangesOf(trusted.flatMap((name) => NAMED_RANGES[name] ?? [name]))
  return (given) => {
    const address = plainAddress(given)
    return isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Maximum number of proxies that a request may have passed. X-Forwarded-For has room for 20,000 entries, and is read several times for a request. */
const MAX_HOPS = 100

/**
 * Returns a function that finds the client's address of a request. It reads X-Forwarded-For from right to left, because each proxy appends on the right,
 * and stops at the first address that is not a `trusted` proxy: a client can have written everything further left.
 */
export const createClientAddress = (trusted: readonly string[]): ((req: RequestSource) => string) => {
  if (trusted.length === 0) return (req) => plainAddress(req.socket.remoteAddress ?? '')
  const isProxy = createProxyCheck(trusted)
  return (req) => {
    let address = plainAddress(req.socket.remoteAddress ?? '')
    const header = req.headers['x-forwarded-for']
    if (header === undefined || !isProxy(address)) return address
    const hops = String(header).split(',').slice(-MAX_HOPS)
    while (hops.length > 0) {
      const hop = forwarded(hops.pop()!)
      // The entry is not an address (`unknown`), so the last address that was read counts.
      if (hop === undefined) return address
      address = hop
      if (!isProxy(hop)) return address
    }
    return address
  }
}
