import { isIP } from 'node:net'

/* Entries of TONWAY_TRUSTED_PROXIES: addresses, CIDR networks, or names of predefined lists of networks. */

export const NAMED_RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Error text for an invalid entry; undefined if the entry is valid. */
export const proxyFault = (entry: string): string | undefined => {
  if (Object.hasOwn(NAMED_RANGES, entry)) return undefined
  const [address = '', bits, more] = entry.split('/')
  const kind = isIP(address)
  const most = kind === 6 ? 128 : 32
  const sound = kind !== 0 && more === undefined && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  return sound ? undefined : `${JSON.stringify(entry)} is not an address, a network (10.0.0.0/8), loopback or private`
}
