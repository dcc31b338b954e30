import type { IncomingMessage } from 'node:http'

/* Targets that a request line may have: `/path?query`, the same after a scheme and a host (RFC 9112 3.2.2), or `*` (OPTIONS only). */

/** Error text for an invalid target. */
export const BAD_TARGET = 'the request target is neither a path nor a URL of http or https'

const ABSOLUTE = /^https?:\/\/([^/?#]+)([^#]*)$/i

/** The authority of a URL as the value of a Host header; undefined if it is invalid. */
const hostOf = (authority: string): string | undefined => {
  try {
    const { host, username, password, pathname } = new URL(`http://${authority}`)
    return username === '' && password === '' && pathname === '/' ? host : undefined
  } catch {
    return undefined
  }
}

/**
 * Turns `req.url` into a path with its query. A host in the target replaces the Host header, as HTTP requires. Returns false for an invalid target
 * and sets the URL to `/`, because code on the way to the refusal still reads it.
 */
export const toOriginForm = (req: IncomingMessage): boolean => {
  const target = req.url ?? ''
  if (target.startsWith('/')) return true
  if (target === '*' && req.method === 'OPTIONS') return true
  const [, authority = '', rest = ''] = ABSOLUTE.exec(target) ?? []
  const host = hostOf(authority)
  req.url = '/'
  if (authority === '' || host === undefined) return false
  req.url = rest.startsWith('/') ? rest : `/${rest}`
  req.headers.host = host
  return true
}
