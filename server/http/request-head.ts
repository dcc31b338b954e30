import type { IncomingMessage } from 'node:http'
import { LIMITS } from './limits.ts'

/** Why the head of a request is refused, with the HTTP status of the answer. */
export interface HeadFault {
  readonly status: number
  readonly text: string
}

/** `uri-host [ ":" port ]` of RFC 9112 3.2, which may be empty: a name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:\[[\w.:%~-]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/

/** The values of all Host lines. node's `headers` has only the first. */
const hostsOf = ({ rawHeaders }: IncomingMessage): readonly string[] => {
  const hosts: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts.push(rawHeaders[i + 1]!)
  return hosts
}

const hostFault = (req: IncomingMessage): string | undefined => {
  const [host, ...others] = hostsOf(req)
  if (host === undefined) return req.httpVersion === '1.1' ? 'HTTP/1.1 requires a Host header' : undefined
  if (others.length > 0) return 'a request has one Host header'
  return HOST.test(host) ? undefined : 'the Host header is not a host with an optional port'
}

/**
 * What is wrong with the head of a request, beyond what node's parser checks: the version (node answers HTTP/0.9 and HTTP/2.0 as 1.1),
 * the number of lines, Host (RFC 9112 3.2: a missing, repeated or malformed one is 400), Expect, and a compressed body, which is not supported.
 * undefined if nothing is wrong.
 */
export const headFault = (req: IncomingMessage): HeadFault | undefined => {
  if (req.httpVersionMajor !== 1) return { status: 505, text: 'only HTTP/1.1 and HTTP/1.0 are supported' }
  if (req.rawHeaders.length > LIMITS.headerLines * 2) return { status: 431, text: `over ${LIMITS.headerLines} header lines` }
  const host = hostFault(req)
  if (host !== undefined) return { status: 400, text: host }
  const { expect, 'content-encoding': coding = '' } = req.headers
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return { status: 417, text: 'only Expect: 100-continue is supported' }
  if (coding !== '' && coding.toLowerCase() !== 'identity') return { status: 415, text: 'the body must not be compressed' }
  return undefined
}
