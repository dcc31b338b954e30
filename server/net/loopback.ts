import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/**
 * Returns whether a text is an IP address of the loopback interface: 127.0.0.0/8, ::1 in any spelling, or 127.0.0.0/8 as an IPv4-mapped address. Returns
 * false for texts that are not addresses. It protects `local.*`, so names that merely begin like an address must not match.
 */
export const isLoopback = (text: string): boolean => {
  const version = isIP(text)
  return version !== 0 && !text.includes('%') && LOOPBACK.check(text, version === 4 ? 'ipv4' : 'ipv6')
}
