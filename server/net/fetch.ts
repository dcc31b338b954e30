import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { untilAborted } from '../base/abort.ts'
import { createPermits } from '../base/permits.ts'
import { isPublicAddress } from './address-ranges.ts'
import { createResponseBounds } from './bound-responses.ts'
import { BoundedAgent } from './bounded-agent.ts'

/*
 * Fetches URLs that anybody may choose (off-chain token metadata), but only from the public internet. Every name is resolved first, its addresses are
 * checked, and the connection goes to a checked address, so the name cannot change in between. Each redirect is checked again.
 */

export type RefusalKind = 'url' | 'address' | 'redirects' | 'status' | 'type' | 'size' | 'timeout' | 'network'

/** A fetch that failed or is not allowed. `retry`: a later attempt may succeed. */
export class FetchRefusal extends Error {
  override readonly name = 'FetchRefusal'
  readonly kind: RefusalKind
  readonly retry: boolean
  constructor(kind: RefusalKind, message: string, options?: { cause?: unknown; retry?: boolean }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.retry = options?.retry ?? (kind === 'timeout' || kind === 'network')
  }
}

export interface Fetched {
  readonly bytes: Uint8Array
  /** Media type in lower case, without parameters. */
  readonly type: string
  /** The URL after redirects. */
  readonly url: string
}

export interface FetchOptions {
  /**
   * Base of an IPFS gateway (https://gateway.example/ipfs/). The operator sets it, so URLs below it may have a private address; the rest of its host may
   * not. undefined: ipfs:// is refused.
   */
  readonly ipfsGateway?: string | undefined
  /** Maximum bytes of a body, also after decompression. */
  readonly maxBytes?: number
  /** Milliseconds for the whole fetch. */
  readonly timeout?: number
  readonly maxRedirects?: number
  readonly types?: readonly string[]
  /** For tests: the resolver, and which addresses are allowed. */
  readonly resolve?: Resolve
  readonly isAllowed?: (address: string) => boolean
}

export interface Fetch {
  /** Throws FetchRefusal, or the signal's reason. */
  get(url: string, signal: AbortSignal): Promise<Fetched>
}

const JSON_TYPES = ['application/json', 'text/json', 'text/plain', 'application/octet-stream', 'application/ld+json'] as const
const MAX_URL = 4096
export const MAX_HEADERS = 16 << 10
/** Maximum number of bytes besides the body and a quarter of it. A megabyte in chunks of one byte would take a second of the event loop to parse. */
const MAX_FRAMING = 256 << 10
/** Whether an answer's `received` bytes are over its body, a quarter of it, and `framing`. Chunks of one byte take long to parse. */
export const isInTinyChunks = (received: number, body: number, framing: number): boolean => received > 1.25 * body + framing
/** Maximum number of addresses of a name. An answer of 64 KB has thousands, and with so many each connection took a tenth of a second. */
const MAX_ADDRESSES = 16

const decoders: Readonly<Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>

export const resolveBySystem: Resolve = async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address)

/** Answers that arrive together are read in one turn of the event loop. One of 64 KB takes ten milliseconds. */
const LOOKUPS = { atOnce: 4, waiting: 1_000, patience: 10_000, text: 'too many names are looked up' }

/** The last two names of a host (`example.com`). Their owner can make any number of names below them. */
export const domainOf = (host: string): string => host.split('.').slice(-2).join('.')

/**
 * Resolves names that anybody chooses. The system's resolver answers two names at a time, and everything in the process waits behind a name whose servers
 * are silent. Here four are looked up at a time, and a domain that has used the least time goes first. `servers` replaces those of the system.
 */
export const createDnsResolver = (servers?: readonly string[]): Resolve => {
  const dns = new Resolver({ timeout: 2_000, tries: 2 })
  if (servers) dns.setServers(servers)
  const lookups = createPermits(LOOKUPS)
  return async (host, signal) => {
    // Names without a dot, such as localhost, are of this machine or its network.
    if (!host.includes('.')) return []
    using _lookup = await lookups.take(signal, domainOf(host))
    const both = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
    const found = both.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (found.length === 0) throw both.find((one) => one.status === 'rejected')?.reason
    return found
  }
}

/** Converts `ipfs://Qm.../x` and `ipfs://ipfs/Qm.../x` to a URL of the gateway. */
const throughGateway = (url: string, gateway: URL | undefined): string => {
  if (gateway === undefined) throw new FetchRefusal('url', 'no IPFS gateway is configured')
  return `${gateway.href}${url.slice('ipfs://'.length).replace(/^ipfs\//, '')}`
}

/** Returns whether a URL is below a base. `..` is already resolved in both, except after an escaped slash, so escaped slashes are refused. */
const isBelow = (url: URL, base: URL): boolean =>
  url.origin === base.origin && url.pathname.startsWith(base.pathname) && !/%2f|%5c/i.test(url.pathname)

/** Parses an http or https URL without user name and password. Throws FetchRefusal. */
export const parsed = (url: string, base?: string): URL => {
  if (url.length > MAX_URL) throw new FetchRefusal('url', `the URL is over ${MAX_URL} characters`)
  let found: URL
  try {
    found = new URL(url, base)
  } catch (error) {
    throw new FetchRefusal('url', 'this is not a URL', { cause: error })
  }
  if (found.protocol !== 'http:' && found.protocol !== 'https:')
    throw new FetchRefusal('url', `only http, https and ipfs URLs are fetched, not ${found.protocol}`)
  if (found.username !== '' || found.password !== '') throw new FetchRefusal('url', 'the URL has a user name or a password')
  return found
}

/** Host of a URL; an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Those of the first addresses of a URL's host that are allowed. Throws FetchRefusal if there are none, and UNAVAILABLE if too many lookups wait. */
export const allowedAddresses = async (
  url: URL,
  resolve: Resolve,
  isAllowed: (address: string) => boolean,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const host = hostOf(url)
  let found: readonly string[]
  try {
    found = isIP(host) ? [host] : await resolve(host, signal)
  } catch (error) {
    // Any other error is not of DNS: too many lookups wait, or the signal's reason.
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error
    throw new FetchRefusal('network', `${host} is not found`, { cause: error })
  }
  const allowed = found.slice(0, MAX_ADDRESSES).filter(isAllowed)
  if (allowed.length === 0) throw new FetchRefusal('address', `${host} has no public address`)
  return allowed
}

/** A resolver that returns these addresses. node does not call it for a URL with a literal address. */
export const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, done) => {
    const answers = addresses.map((address) => ({ address, family: isIP(address) }))
    if (all) done(null, answers)
    else done(null, answers[0]!.address, answers[0]!.family)
  }

export const createFetch = (options: FetchOptions = {}): Fetch => {
  const { ipfsGateway, maxBytes = 1 << 20, timeout = 10_000, maxRedirects = 5, types = JSON_TYPES } = options
  const { resolve = createDnsResolver(), isAllowed = isPublicAddress } = options
  const gateway = ipfsGateway === undefined ? undefined : parsed(ipfsGateway.endsWith('/') ? ipfsGateway : `${ipfsGateway}/`)

  const bound = createResponseBounds()
  const agent = new BoundedAgent()

  // The operator may have named the gateway in the system's own list of hosts.
  const addressesOf = (url: URL, signal: AbortSignal): Promise<readonly string[]> =>
    gateway && isBelow(url, gateway)
      ? allowedAddresses(url, resolveBySystem, () => true, signal)
      : allowedAddresses(url, resolve, isAllowed, signal)

  const ask = async (url: URL, signal: AbortSignal): Promise<IncomingMessage> => {
    const addresses = await untilAborted(addressesOf(url, signal), signal)
    signal.throwIfAborted()
    const lookup = lookupOf(addresses)
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest
    return new Promise((settle, reject) => {
      const sent = request(
        url,
        {
          lookup,
          signal,
          agent: url.protocol === 'https:' && agent,
          maxHeaderSize: MAX_HEADERS,
          headers: { accept: types.join(', '), 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'tonway' },
        },
        settle,
      )
      bound(sent)
      sent.on('error', reject)
      // With status 101 node emits neither a response nor an error. After a response this rejection has no effect.
      sent.on('close', () => reject(new Error('the connection was closed without an answer')))
      sent.end()
    })
  }

  const bodyOf = async (response: IncomingMessage): Promise<Uint8Array> => {
    const tooLarge = (cause?: unknown): FetchRefusal => new FetchRefusal('size', `the body is over ${maxBytes} bytes`, { cause })
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge()
      if (isInTinyChunks(response.socket.bytesRead, size, MAX_FRAMING))
        throw new FetchRefusal('size', 'the body is sent in too small chunks')
      chunks.push(chunk)
    }
    const body = Buffer.concat(chunks)
    const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
    if (encoding === 'identity' || encoding === '') return body
    const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined
    if (!decode) throw new FetchRefusal('type', `content encoding ${encoding} is not supported: gzip, deflate and br are`)
    try {
      return await decode(body, { maxOutputLength: maxBytes })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(error)
      throw new FetchRefusal('type', `the body is not valid ${encoding}`, { cause: error })
    }
  }

  const follow = async (start: URL, signal: AbortSignal): Promise<Fetched> => {
    let url = start
    for (let left = maxRedirects; ; left--) {
      const response = await ask(url, signal)
      try {
        const status = response.statusCode ?? 0
        const { location } = response.headers
        if (status >= 300 && status < 400 && location !== undefined) {
          if (left === 0) throw new FetchRefusal('redirects', `over ${maxRedirects} redirects`)
          url = parsed(location, url.href)
          continue
        }
        if (status !== 200) throw new FetchRefusal('status', `answered with ${status}`, { retry: status === 429 || status >= 500 })
        const type = (response.headers['content-type'] ?? 'application/octet-stream').split(';')[0]!.trim().toLowerCase()
        if (!types.includes(type)) throw new FetchRefusal('type', `media type ${type.slice(0, 100)} is not accepted`)
        return { bytes: await bodyOf(response), type, url: url.href }
      } finally {
        response.destroy()
      }
    }
  }

  return {
    async get(url, caller) {
      caller.throwIfAborted()
      const timeoutSignal = AbortSignal.timeout(timeout)
      try {
        const start = url.startsWith('ipfs://') ? throughGateway(url, gateway) : url
        return await follow(parsed(start), AbortSignal.any([caller, timeoutSignal]))
      } catch (error) {
        if (error instanceof FetchRefusal) throw error
        caller.throwIfAborted()
        if (timeoutSignal.aborted) throw new FetchRefusal('timeout', `took over ${timeout} ms`, { cause: error })
        throw new FetchRefusal('network', error instanceof Error ? error.message : String(error), { cause: error })
      }
    },
  }
}
