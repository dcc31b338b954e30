import { isIPv6, SocketAddress } from 'node:net'

/** The beginning of an IPv4-mapped IPv6 address in any form. */
const MAPPED = /^[0:]{1,24}:ffff:/i
/** The form of a mapped address that the system writes. Others get it by SocketAddress, which takes microseconds. */
const USUAL = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/** The address without a zone. An IPv4-mapped IPv6 address becomes the IPv4 address. */
export const plainAddress = (address: string): string => {
  const zone = address.indexOf('%')
  const plain = zone === -1 ? address : address.slice(0, zone)
  if (!MAPPED.test(plain)) return plain
  const usual = USUAL.test(plain) || !isIPv6(plain) ? plain : new SocketAddress({ address: plain, family: 'ipv6' }).address
  return USUAL.exec(usual)?.[1] ?? plain
}

const groups = (address: string): string[] => {
  const [front = '', back] = address.split('::')
  const left = front === '' ? [] : front.split(':')
  if (back === undefined) return left
  const right = back === '' ? [] : back.split(':')
  return [...left, ...new Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
}

/** Identifies the client of an address: the IPv4 address, or the /64 of an IPv6 address, because a single customer usually controls a whole /64. */
export const clientNet = (peer: string): string => {
  const address = plainAddress(peer)
  if (!address.includes(':')) return address
  return `${groups(address)
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
