import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { NAMED_NETWORKS } from '../config/proxies.ts'
import { plainAddress } from '../net/client-net.ts'

/* Who is calling, by address: the peer of the connection, or what a trusted proxy says of it. */

/** An address of X-Forwarded-For, with the port that some proxies add; undefined for what is none. */
const forwarded = (entry: string): string | undefined => {
  const text = entry.trim()
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? (/^[\d.]+:\d{1,5}$/.test(text) ? text.slice(0, text.indexOf(':')) : text)
  const address = plainAddress(bare)
  return isIP(address) === 0 ? undefined : address
}

const listOf = (entries: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const entry of entries.flatMap((name) => NAMED_NETWORKS[name] ?? [name])) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Whether a connection's peer is one of the `trusted` proxies, behind which there are many. */
export const createProxyCheck = (trusted: readonly string[]): ((address: string) => boolean) => {
  const proxies = listOf(trusted)
  return (given) => {
    const address = plainAddress(given)
    return isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
}

/**
 * The client's address of a request. X-Forwarded-For is read from its right end, where the nearest proxy writes, and only as far as proxies are
 * `trusted`: what stands further left was written by somebody nobody knows.
 */
export const createClientAddress = (trusted: readonly string[]): ((req: IncomingMessage) => string) => {
  if (trusted.length === 0) return (req) => plainAddress(req.socket.remoteAddress ?? '')
  const isProxy = createProxyCheck(trusted)
  return (req) => {
    let address = plainAddress(req.socket.remoteAddress ?? '')
    const header = req.headers['x-forwarded-for']
    if (header === undefined || !isProxy(address)) return address
    const hops = String(header).split(',')
    while (hops.length > 0) {
      const hop = forwarded(hops.pop()!)
      // A proxy wrote something else than an address (`unknown`): it is the last that is known.
      if (hop === undefined) return address
      address = hop
      if (!isProxy(hop)) return address
    }
    return address
  }
}
