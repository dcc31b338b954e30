import { Resolver } from 'node:dns/promises'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { allowedAddresses, FetchRefusal, lookupOf, MAX_HEADERS, parsed, resolveBySystem } from './fetch.ts'
import { isLoopback } from './loopback.ts'
import { isPublicAddress } from './public-address.ts'

/*
 * Posts to URLs that anybody may choose, but only on the public internet and on hosts that the operator allows. The addresses are checked after the name is
 * resolved, and the connection uses the checked addresses. Redirects are not followed.
 */

export interface PostOptions {
  /** Hosts (lower case) that may have private addresses and may be used without https. */
  readonly hosts: readonly string[]
  /** True if this machine is allowed, also without https. */
  readonly loopback: boolean
  /** For tests: resolves names instead of DNS. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
}

export interface Post {
  /** Throws FetchRefusal if posting to the URL is not allowed. */
  check(url: string): Promise<void>
  /** Resolves with the status of the response, after reading the response. Throws FetchRefusal, or an error of the connection. */
  send(url: string, headers: Readonly<Record<string, string>>, body: Buffer, signal: AbortSignal): Promise<number>
  close(): void
}

/** Maximum number of bytes of a response. The connection is closed after that. */
const MAX_ANSWER = 64 << 10
/**
 * Idle time (ms) of a connection before it is closed, and maximum number of idle connections per host. The number is high because an owner may have all
 * webhooks on one host.
 */
const IDLE = { timeout: 30_000, maxFreeSockets: 512 }

export const createPost = ({ hosts, loopback, resolve: given }: PostOptions): Post => {
  const agents = {
    'http:': new Agent({ keepAlive: true, ...IDLE }),
    'https:': new HttpsAgent({ keepAlive: true, ...IDLE }),
  }
  // c-ares is used instead of the system's resolver, which has four threads that it shares with the file system and compression. Slow names that anybody may
  // choose would block these threads.
  const dns = new Resolver({ timeout: 2_000, tries: 2 })
  const resolveByDns = async (host: string): Promise<readonly string[]> => {
    const both = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
    const found = both.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (found.length === 0) throw both.find((one) => one.status === 'rejected')?.reason
    return found
  }
  const isNamed = ({ hostname }: URL): boolean => hosts.includes(hostname)
  const addressesOf = async (url: URL): Promise<readonly string[]> => {
    const resolve = given ?? (isNamed(url) || loopback ? resolveBySystem : resolveByDns)
    const isOwn = (address: string): boolean => isNamed(url) || (loopback && isLoopback(address))
    if (url.protocol === 'https:') return await allowedAddresses(url, resolve, (address) => isOwn(address) || isPublicAddress(address))
    return await allowedAddresses(url, resolve, isOwn).catch((error: unknown) => {
      throw error instanceof FetchRefusal && error.kind === 'address' ? new FetchRefusal('url', 'https is required') : error
    })
  }

  const post = (url: URL, headers: Readonly<Record<string, string>>, body: Buffer, signal: AbortSignal): Promise<number> =>
    new Promise((settle, reject) => {
      const lookup: LookupFunction = (host, options, done) => {
        addressesOf(url).then(
          (addresses) => lookupOf(addresses)(host, options, done),
          (error: NodeJS.ErrnoException) => done(error, ''),
        )
      }
      const request = url.protocol === 'https:' ? httpsRequest : httpRequest
      const options = { method: 'POST', agent: agents[url.protocol as keyof typeof agents], lookup, signal, maxHeaderSize: MAX_HEADERS }
      const sent = request(url, { ...options, headers: { ...headers, 'content-length': body.length, 'user-agent': 'tonway' } })
      sent.on('response', (response: IncomingMessage) => {
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > MAX_ANSWER) response.destroy()
        })
        response.on('error', () => {})
        response.on('close', () => settle(response.statusCode ?? 0))
      })
      sent.on('error', (error) => reject(Object.assign(error, { isStale: sent.reusedSocket })))
      sent.end(body)
    })

  return {
    async check(text) {
      await addressesOf(parsed(text))
    },
    async send(text, headers, body, signal) {
      const url = parsed(text)
      // node does not call `lookup` for a literal address, so it is checked here.
      if (isIP(url.hostname.replace(/^\[|\]$/g, ''))) await addressesOf(url)
      try {
        return await post(url, headers, body, signal)
      } catch (error) {
        // The receiver closed the reused connection before the request, so the request is sent again on a new connection.
        if (signal.aborted || !(error as { isStale?: boolean }).isStale) throw error
        return await post(url, headers, body, signal)
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
