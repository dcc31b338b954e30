import type { IncomingMessage } from 'node:http'

/* What a request line may ask for: `/path?query`, the same with a scheme and a host before it (RFC 9112 3.2.2), or `*` (OPTIONS alone). */

/** What is told of a target that is none. */
export const BAD_TARGET = 'the request target is neither a path nor a URL of http or https'

const ABSOLUTE = /^https?:\/\/([^/?#]+)([^#]*)$/i

/** The authority of a URL as a Host header says it; undefined for what is none. */
const hostOf = (authority: string): string | undefined => {
  try {
    const { host, username, password, pathname } = new URL(`http://${authority}`)
    return username === '' && password === '' && pathname === '/' ? host : undefined
  } catch {
    return undefined
  }
}

/**
 * Makes `req.url` a path with its query. A target with a host counts as its Host header, as HTTP says. False where the target is none of the forms above;
 * the URL is `/` then, so that whoever reads it on the way to the refusal has one.
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
