import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../net/loopback.ts'
import { LIMITS } from './limits.ts'

/*
 * Restricts `local.*`, whose methods can rewrite the chain. Any web page can make a browser send requests to 127.0.0.1, and with DNS rebinding a page's own
 * host name can resolve to 127.0.0.1. So the connection, the Host and the Origin must all be of this machine, unless a setting allows others.
 */

const isLoopbackName = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost') || isLoopback(name)

/** Host name of a Host header, lower-case, without port and brackets; undefined if it is invalid. */
const hostName = (host: string | undefined): string | undefined => {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@[\]]+))(?::\d{1,5})?$/i.exec(host ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase()
}

/** Host names of a request: the effective one, and those of all Host lines. They differ if the request target contains a host (request-head.ts). */
const hostsOf = ({ headers, rawHeaders }: IncomingMessage): readonly (string | undefined)[] => {
  const given = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'host')
  return [headers.host, ...given].map(hostName)
}

/** Host name of an Origin; undefined for `null` (sandboxed frames, files) and for an invalid origin. */
const originName = (origin: string): string | undefined => {
  if (origin.length > LIMITS.host) return undefined
  try {
    return new URL(origin).hostname.replace(/^\[|\]$/g, '').toLowerCase() || undefined
  } catch {
    return undefined
  }
}

/*
 * Words, prefixes and names of headers by which a forwarder (reverse proxy, CDN, load balancer, tunnel) is recognized. A forwarder on this machine makes
 * every caller look local, but nearly all forwarders add a header. There is no complete list of such headers, so words of their names (separated by `-` or
 * `_`) are compared.
 * By default nginx adds no header and sets Host to 127.0.0.1, but then it speaks HTTP/1.0, which current clients do not use.
 */
const FORWARDER_WORDS: ReadonlySet<string> = new Set([
  ...[
    'forwarded',
    'forward',
    'forwarder',
    'via',
    'proxy',
    'proxied',
    'ip',
    'clientip',
    'realip',
    'remoteip',
    'ipaddress',
    'addr',
    'remote',
  ],
  ...['cdn', 'edge', 'varnish', 'envoy', 'traefik', 'haproxy', 'nginx', 'squid', 'akamai', 'fastly', 'cloudflare', 'cloudfront', 'incap'],
])
const FORWARDER_PREFIX =
  /^x-(original|amz|azure|appengine|cloud|goog|vercel|rewrite|sucuri|railway|tailscale|iinfo|(arr|ms|fd|iis|ec|nf)-)|^(cf|ali|eo|ws|fly|tencent|netlify|ngrok|rndr|tailscale)-|^x-(host|port|scheme|ssl|url|cache)$/
const FORWARDER_NAMES: ReadonlySet<string> = new Set(['max-forwards', 'front-end-https', 'surrogate-capability', 'x-request-start'])
/** Headers that ordinary clients send. `proxy-connection` is listed because `proxy` is a word of forwarders. */
const OF_CALLERS: ReadonlySet<string> = new Set([
  ...[
    'host',
    'connection',
    'content-type',
    'content-length',
    'accept',
    'accept-encoding',
    'accept-language',
    'user-agent',
    'origin',
    'referer',
  ],
  ...['upgrade', 'authorization', 'x-api-key', 'cache-control', 'proxy-connection'],
])

const isOfForwarder = (name: string): boolean => {
  if (OF_CALLERS.has(name) || name.startsWith('sec-')) return false
  const dashed = name.replaceAll('_', '-')
  return FORWARDER_NAMES.has(dashed) || FORWARDER_PREFIX.test(dashed) || dashed.split('-').some((word) => FORWARDER_WORDS.has(word))
}

export const isForwarded = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.0' || Object.keys(headers).some(isOfForwarder)

/**
 * Returns a function that decides whether a request may call `local.*`. `allowed`: origins (`https://dapp.example`) whose pages may call, host names or
 * addresses by which other machines may call, or `*` for all callers.
 */
export const createLocalAccess = (allowed: readonly string[]): ((req: IncomingMessage) => boolean) => {
  if (allowed.includes('*')) return () => true
  const origins = new Set(allowed.filter((entry) => entry.includes('://')).map((entry) => entry.toLowerCase().replace(/\/$/, '')))
  const hosts = new Set(allowed.filter((entry) => !entry.includes('://')).map((entry) => entry.toLowerCase()))

  const originAllowed = (req: IncomingMessage): boolean => {
    const { origin } = req.headers
    // Some browsers omit Origin in a cross-site GET, but send Sec-Fetch-Site.
    if (origin === undefined) return req.headers['sec-fetch-site'] !== 'cross-site'
    if (origins.has(origin.toLowerCase())) return true
    const name = originName(origin)
    return name !== undefined && (isLoopbackName(name) || hosts.has(name))
  }

  return (req) => {
    if (!originAllowed(req)) return false
    const others = hostsOf(req).filter((name) => name === undefined || !hosts.has(name))
    if (others.length === 0) return true
    return (
      others.every((name) => name !== undefined && isLoopbackName(name)) && isLoopback(req.socket.remoteAddress ?? '') && !isForwarded(req)
    )
  }
}
