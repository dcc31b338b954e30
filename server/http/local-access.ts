import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../net/address-ranges.ts'
import { LIMITS } from './limits.ts'
import { hostsOf } from './request-head.ts'

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
const hostNames = (req: IncomingMessage): readonly (string | undefined)[] => [req.headers.host, ...hostsOf(req)].map(hostName)

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
 * Names of headers by which a forwarder (reverse proxy, CDN, load balancer, tunnel) is recognized. A forwarder on this machine makes every caller look
 * local, but nearly all forwarders add a header. There is no complete list of such headers, so most are recognized by a word of their name.
 * By default nginx adds no header and sets Host to 127.0.0.1, but then it speaks HTTP/1.0, which current clients do not use.
 */
const FORWARDER = new RegExp(
  [
    '(^|-)(forward(ed|er)?|via|proxy|proxied|(client|real|remote)?ip|ipaddress|addr|remote)(-|$)',
    '(^|-)(cdn|edge|varnish|envoy|traefik|haproxy|nginx|squid|akamai|fastly|cloudflare|cloudfront|incap)(-|$)',
    '^x-(original|amz|azure|appengine|cloud|goog|vercel|rewrite|sucuri|railway|tailscale|iinfo|(arr|ms|fd|iis|ec|nf)-)',
    '^(cf|ali|eo|ws|fly|tencent|netlify|ngrok|rndr|tailscale)-',
    '^x-(host|port|scheme|ssl|url|cache)$',
    '^(max-forwards|front-end-https|surrogate-capability|x-request-start)$',
  ].join('|'),
)
/** Headers that ordinary clients send. `proxy-connection` is listed because `proxy` is a word of forwarders. */
const OF_CALLERS =
  /^(host|connection|content-(type|length)|accept(-encoding|-language)?|user-agent|origin|referer|upgrade|authorization|x-api-key|cache-control|proxy-connection|sec-.*)$/

const isOfForwarder = (name: string): boolean => !OF_CALLERS.test(name) && FORWARDER.test(name.replaceAll('_', '-'))

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
    const others = hostNames(req).filter((name) => name === undefined || !hosts.has(name))
    if (others.length === 0) return true
    return (
      others.every((name) => name !== undefined && isLoopbackName(name)) && isLoopback(req.socket.remoteAddress ?? '') && !isForwarded(req)
    )
  }
}
