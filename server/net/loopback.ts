import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/**
 * Whether a text is an IP address of this machine's loopback interface: 127.0.0.0/8, ::1 in any spelling, or an IPv4-mapped form of the former. False for
 * what is no address. It guards `local.*`, so a name that only begins like an address must not pass.
 */
export const isLoopback = (text: string): boolean => {
  const version = isIP(text)
  return version !== 0 && !text.includes('%') && LOOPBACK.check(text, version === 4 ? 'ipv4' : 'ipv6')
}
