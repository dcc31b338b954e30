import type { IncomingMessage } from 'node:http'

/*
 * Who may call `local.*`, which can rewrite the chain. Any web page can make a browser send requests to 127.0.0.1, and DNS rebinding lets a
 * page's own name point there; so the connection, the Host and the Origin must all be of this machine, unless a setting says otherwise.
 */

const V4_LOOPBACK = /^(::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/
const isLoopbackAddress = (address: string | undefined): boolean =>
  address === '::1' || (address !== undefined && V4_LOOPBACK.test(address))
const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '::1' || V4_LOOPBACK.test(name)

/** Host name of a Host header, lower-case, without port and brackets; undefined if it is none. */
const hostName = (host: string | undefined): string | undefined => {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@[\]]+))(?::\d{1,5})?$/i.exec(host ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase()
}

/** Host name of an Origin; undefined for `null` (sandboxed frames, files) and for what is no origin. */
const originName = (origin: string): string | undefined => {
  try {
    return new URL(origin).hostname.replace(/^\[|\]$/g, '').toLowerCase() || undefined
  } catch {
    return undefined
  }
}

/**
 * A proxy on this machine makes every caller look local. Nearly every one says so, in one of these headers or in those that begin as below; and
 * nginx, which by default says nothing and puts 127.0.0.1 for the Host, speaks HTTP/1.0 then, which no caller of today does.
 */
const FORWARDED: ReadonlySet<string> = new Set([
  ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'x-cluster-client-ip', 'true-client-ip', 'client-ip', 'x-forwarded'],
  ...['fastly-client-ip', 'fly-client-ip', 'x-azure-clientip', 'x-remote-ip', 'x-host', 'x-appengine-user-ip', 'x-amzn-trace-id'],
])
const FORWARDED_PREFIX = /^(x-forwarded-|x-original-|x-envoy-|x-proxy|cf-|cdn-)/

const isForwarded = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.0' || Object.keys(headers).some((name) => FORWARDED.has(name) || FORWARDED_PREFIX.test(name))

/**
 * Whether a request may call `local.*`. `allowed`: origins (`https://dapp.example`) whose pages may, host names or addresses under which other
 * machines may, or `*` for everybody.
 */
export const createLocalAccess = (allowed: readonly string[]): ((req: IncomingMessage) => boolean) => {
  if (allowed.includes('*')) return () => true
  const origins = new Set(allowed.filter((entry) => entry.includes('://')).map((entry) => entry.toLowerCase().replace(/\/$/, '')))
  const hosts = new Set(allowed.filter((entry) => !entry.includes('://')).map((entry) => entry.toLowerCase()))

  const originAllowed = (req: IncomingMessage): boolean => {
    const { origin } = req.headers
    // A browser that leaves Origin out of a cross-site GET still says where it comes from.
    if (origin === undefined) return req.headers['sec-fetch-site'] !== 'cross-site'
    if (origins.has(origin.toLowerCase())) return true
    const name = originName(origin)
    return name !== undefined && (isLoopbackName(name) || hosts.has(name))
  }

  return (req) => {
    const name = hostName(req.headers.host)
    if (name === undefined || !originAllowed(req)) return false
    if (hosts.has(name)) return true
    return isLoopbackName(name) && isLoopbackAddress(req.socket.remoteAddress) && !isForwarded(req)
  }
}
