/** The address without a zone. An IPv4-mapped IPv6 address becomes the IPv4 address. */
export const plainAddress = (address: string): string => {
  const short = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address
  const zone = short.indexOf('%')
  return zone === -1 ? short : short.slice(0, zone)
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
