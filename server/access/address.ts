import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/* Who is calling, by address: the peer of the connection, or what a trusted proxy says of it. */

/** A connection's peer without the disguise of an IPv4 address in IPv6, and without a zone. */
const plain = (address: string): string => {
  const short = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
  const zone = short.indexOf('%')
  return zone === -1 ? short : short.slice(0, zone)
}

/** An address of X-Forwarded-For, with the port that some proxies add; undefined for what is none. */
const forwarded = (entry: string): string | undefined => {
  const text = entry.trim()
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? (/^[\d.]+:\d{1,5}$/.test(text) ? text.slice(0, text.indexOf(':')) : text)
  const address = plain(bare)
  return isIP(address) === 0 ? undefined : address
}

/** The eight groups of an IPv6 address. */
const groups = (address: string): string[] => {
  const [front = '', back] = address.split('::')
  const left = front === '' ? [] : front.split(':')
  if (back === undefined) return left
  const right = back === '' ? [] : back.split(':')
  return [...left, ...new Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
}

/** What is counted as one client: an IPv4 address, or the /64 of an IPv6 one, since a single customer has all of it. */
export const clientNet = (address: string): string => {
  if (!address.includes(':')) return address
  return `${groups(address)
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Networks that a name stands for. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Complaint about an entry of TONWAY_TRUSTED_PROXIES; undefined for a sound one. */
export const proxyFault = (entry: string): string | undefined => {
  if (Object.hasOwn(NAMED, entry)) return undefined
  const [address = '', bits, more] = entry.split('/')
  const kind = isIP(address)
  const most = kind === 6 ? 128 : 32
  const sound = kind !== 0 && more === undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  return sound ? undefined : `${JSON.stringify(entry)} is no address, network (10.0.0.0/8), loopback or private`
}

const listOf = (entries: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const entry of entries.flatMap((name) => NAMED[name] ?? [name])) {
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
    const address = plain(given)
    return isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
}

/**
 * The client's address of a request. X-Forwarded-For is read from its right end, where the nearest proxy writes, and only as far as proxies are
 * `trusted`: what stands further left was written by somebody nobody knows.
 */
export const createClientAddress = (trusted: readonly string[]): ((req: IncomingMessage) => string) => {
  if (trusted.length === 0) return (req) => plain(req.socket.remoteAddress ?? '')
  const isProxy = createProxyCheck(trusted)
  return (req) => {
    let address = plain(req.socket.remoteAddress ?? '')
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
