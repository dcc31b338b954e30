import { BlockList, isIP } from 'node:net'

/** Makes a list of addresses and ranges of addresses (`10.0.0.0/8`). */
export const rangesOf = (entries: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

const LOOPBACK = rangesOf(['127.0.0.0/8', '::1'])

/**
 * Returns whether a text is an IP address of the loopback interface: 127.0.0.0/8, ::1 in any spelling, or 127.0.0.0/8 as an IPv4-mapped address. Returns
 * false for texts that are not addresses. It protects `local.*`, so names that merely begin like an address must not match.
 */
export const isLoopback = (text: string): boolean => {
  const version = isIP(text)
  return version !== 0 && !text.includes('%') && LOOPBACK.check(text, version === 4 ? 'ipv4' : 'ipv6')
}

/* Public addresses, by IANA's registries of special-purpose addresses (RFC 6890 and its successors). */

const SPECIAL_4 = rangesOf([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...['192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
])
/** The global unicast addresses that are currently assigned. SPECIAL_6 lists the ranges among them that translate or tunnel to IPv4. */
const GLOBAL_6 = rangesOf(['2000::/3'])
const SPECIAL_6 = rangesOf(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'])

/** Returns whether an IP address is public: not of this machine, a private network, a link, a multicast group, or a tunnel to one of these. */
export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address)
  if (version === 4) return !SPECIAL_4.check(address, 'ipv4')
  return version === 6 && !address.includes('%') && GLOBAL_6.check(address, 'ipv6') && !SPECIAL_6.check(address, 'ipv6')
}
