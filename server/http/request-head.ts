import type { IncomingMessage } from 'node:http'
import { LIMITS } from './limits.ts'

export interface HeadFault {
  readonly status: number
  readonly text: string
}

/** `uri-host [ ":" port ]` of RFC 9112 3.2, which may be empty: a name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:\[[\w.:%~-]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/

/**
 * Returns whether the length of a request is ambiguous: Transfer-Encoding is empty or does not end in `chunked`. A proxy and node's parser may assume
 * different lengths, and read the bytes that follow as different requests. RFC 9112 6.3 requires 400 and the end of the connection.
 */
export const hasNoLength = ({ headers: { 'transfer-encoding': transfer } }: IncomingMessage): boolean =>
  transfer !== undefined && !/chunked$/i.test(transfer)

/** Returns whether a GET or HEAD has a chunked body. Nobody reads it, so thousands of its pieces would wait for the end of the answer, to be discarded then. */
export const hasStrayBody = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && headers['transfer-encoding'] !== undefined

/** Values of all Host lines. node's `headers` has only the first of them. */
export const hostsOf = ({ rawHeaders }: IncomingMessage): readonly string[] => {
  const hosts: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts.push(rawHeaders[i + 1]!)
  return hosts
}

const hostFault = (req: IncomingMessage): string | undefined => {
  const hosts = hostsOf(req)
  if (hosts.length === 0) return req.httpVersion === '1.1' ? 'HTTP/1.1 requires a Host header' : undefined
  if (hosts.length > 1) return 'a request has one Host header'
  return HOST.test(hosts[0]!) ? undefined : 'the Host header is not a host with an optional port'
}

/**
 * Checks the head of a request where node's parser does not. Returns undefined for a valid head. Checks the version (node parses HTTP/0.9 and HTTP/2.0 as
 * 1.1), the number of lines, Host (RFC 9112 3.2: 400 if missing, repeated or malformed) and Expect. Refuses compressed bodies, and transfer codings other
 * than chunked (RFC 9112 6.1: 501).
 */
export const validateRequestHead = (req: IncomingMessage): HeadFault | undefined => {
  if (req.httpVersionMajor !== 1) return { status: 505, text: 'only HTTP/1.1 and HTTP/1.0 are supported' }
  if (req.rawHeaders.length > LIMITS.headerLines * 2) return { status: 431, text: `over ${LIMITS.headerLines} header lines` }
  const host = hostFault(req)
  if (host !== undefined) return { status: 400, text: host }
  const { expect, 'content-encoding': coding = '', 'transfer-encoding': transfer = 'chunked' } = req.headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return { status: 417, text: 'only Expect: 100-continue is supported' }
  if (coding !== '' && coding.toLowerCase() !== 'identity') return { status: 415, text: 'the body must not be compressed' }
  if (transfer.toLowerCase() !== 'chunked') return { status: 501, text: 'the only transfer coding that is supported is chunked' }
  return undefined
}

/** Maximum length of a header by which Koa chooses the form of an answer. Browsers send some 200 characters. */
const MAX_ACCEPT = 1_024

/**
 * Removes a long Accept or Accept-Encoding, so that the request is answered as one without it. Koa's parser counts the quotes of an entry again at each of
 * its commas and semicolons: 60 KB of quotes would take seconds.
 */
export const dropLongAccept = ({ headers }: IncomingMessage): void => {
  for (const name of ['accept', 'accept-encoding'] as const) if ((headers[name]?.length ?? 0) > MAX_ACCEPT) delete headers[name]
}

/* Forms of a request target: `/path?query`, the same path after a scheme and a host (RFC 9112 3.2.2), or `*` (OPTIONS only). */

export const BAD_TARGET = 'the request target is neither a path nor a URL of http or https'

const ABSOLUTE = /^https?:\/\/([^/?#]+)([^#]*)$/i

/** Parses the authority of a URL to the value of a Host header; undefined if it is invalid or longer than LIMITS.host. */
const hostOf = (authority: string): string | undefined => {
  if (authority.length > LIMITS.host) return undefined
  try {
    const { host, username, password, pathname } = new URL(`http://${authority}`)
    return username === '' && password === '' && pathname === '/' ? host : undefined
  } catch {
    return undefined
  }
}

/**
 * Changes `req.url` to the path with its query. A host in the target replaces the Host header, as HTTP requires. Returns false for an invalid target, and
 * sets the URL to `/`, because code before the refusal still reads the URL.
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
