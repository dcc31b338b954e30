export interface ServerAddress {
  /** Endpoint for batches. Single calls go to `loneUrl` if the server does not support batches. */
  readonly url: string
  readonly loneUrl: string
  /** Origin and path, without the key. */
  readonly endpoint: string
  readonly key: string | undefined
}

const PATH = '/jsonRPC'

/**
 * Parses a server's address: its base (`http://127.0.0.1:8081`, `https://toncenter.com`, `.../api/v2`) or its endpoint (`.../jsonRPC`). `?api_key=` is used
 * as the key. Throws TypeError. The error text omits the address, because the address can contain a key.
 */
export const serverAddressOf = (address: string, givenKey: string | undefined): ServerAddress => {
  let parsed: URL | undefined
  try {
    parsed = new URL(address)
  } catch {}
  if (!parsed || parsed.username || !/^(http|ws)/.test(parsed.protocol))
    throw new TypeError('url must be http://… or ws://…, without a user')
  const { origin, pathname, searchParams } = parsed
  const key = givenKey || searchParams.get('api_key') || undefined
  if (key && !/^[!-~]+$/.test(key)) throw new TypeError('key: not printable ASCII')
  searchParams.delete('api_key')
  const at = (path: string): string => origin + path + parsed.search
  const path = pathname.replace(/\/+$/, '')
  const isEndpoint = path.endsWith(PATH)
  const own = isEndpoint ? path : path + PATH
  const single = isEndpoint || path.endsWith('/v2') ? own : `${path}/api/v2${PATH}`
  return { url: at(own), loneUrl: at(single), endpoint: origin + own, key }
}
