import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopback, isPublicAddress } from './address-ranges.ts'
import { createResponseBounds } from './bound-responses.ts'
import { BoundedAgent } from './bounded-agent.ts'
import {
  allowedAddresses,
  createDnsResolver,
  FetchRefusal,
  hostOf,
  isInTinyChunks,
  lookupOf,
  MAX_HEADERS,
  parsed,
  type Resolve,
  resolveBySystem,
} from './fetch.ts'

/*
 * Posts to URLs that anybody may choose, but only to the public internet and to hosts that the operator allows. Every name is resolved first, its addresses
 * are checked, and the connection goes to a checked address. Redirects are not followed.
 */

export interface PostOptions {
  /** Hosts that may have private addresses, and that need no https. In lower case; IPv6 addresses without brackets. */
  readonly hosts: readonly string[]
  /** True if URLs of this machine are allowed, also without https. */
  readonly loopback: boolean
  /** Replaces DNS in tests. */
  readonly resolve?: Resolve
}

export type Post = ReturnType<typeof createPost>

/** Maximum bytes of an answer. Beyond it the connection is closed. */
const MAX_ANSWER = 64 << 10
/** Maximum bytes of an answer besides its body and a quarter of it. At each delivery, 65,000 chunks of one byte would take 50 ms to parse. */
const MAX_FRAMING = 16 << 10
/**
 * `timeout`: milliseconds for which an idle connection stays open. `maxFreeSockets`: idle connections to one host, many because all webhooks of an owner
 * may go to the same host.
 */
const IDLE = { timeout: 30_000, maxFreeSockets: 512 }

export const createPost = ({ hosts, loopback, resolve: given }: PostOptions) => {
  const agents = {
    'http:': new Agent({ keepAlive: true, ...IDLE }),
    'https:': new BoundedAgent({ keepAlive: true, ...IDLE }),
  }
  const bound = createResponseBounds()
  const resolveByDns = createDnsResolver()
  const isNamed = (url: URL): boolean => hosts.includes(hostOf(url))
  const addressesOf = async (url: URL, signal: AbortSignal): Promise<readonly string[]> => {
    const resolve = given ?? (isNamed(url) || loopback ? resolveBySystem : resolveByDns)
    const isOwn = (address: string): boolean => isNamed(url) || (loopback && isLoopback(address))
    if (url.protocol === 'https:')
      return await allowedAddresses(url, resolve, (address) => isOwn(address) || isPublicAddress(address), signal)
    return await allowedAddresses(url, resolve, isOwn, signal).catch((error: unknown) => {
      throw error instanceof FetchRefusal && error.kind === 'address' ? new FetchRefusal('url', 'https is required') : error
    })
  }

  const post = (url: URL, headers: Readonly<Record<string, string>>, body: Buffer, signal: AbortSignal): Promise<number> =>
    new Promise((settle, reject) => {
      const lookup: LookupFunction = (host, options, done) => {
        addressesOf(url, signal).then(
          (addresses) => lookupOf(addresses)(host, options, done),
          (error: NodeJS.ErrnoException) => done(error, ''),
        )
      }
      const request = url.protocol === 'https:' ? httpsRequest : httpRequest
      const options = { method: 'POST', agent: agents[url.protocol as keyof typeof agents], lookup, signal, maxHeaderSize: MAX_HEADERS }
      const sent = request(url, { ...options, headers: { ...headers, 'content-length': body.length, 'user-agent': 'tonway' } })
      bound(sent)
      let isAnswered = false
      sent.on('response', (response: IncomingMessage) => {
        isAnswered = true
        const { socket } = response
        const before = socket.bytesRead
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          // The hook fails, so that it is sent less often.
          if (isInTinyChunks(socket.bytesRead - before, size, MAX_FRAMING))
            reject(new FetchRefusal('size', 'the answer is sent in too small chunks'))
          else if (size <= MAX_ANSWER) return
          response.destroy()
        })
        response.on('error', () => {})
        response.on('close', () => settle(response.statusCode ?? 0))
      })
      sent.on('error', (error) => reject(Object.assign(error, { isStale: sent.reusedSocket })))
      // With status 101 node emits neither a response nor an error.
      sent.on('close', () => !isAnswered && reject(new Error('the connection was closed without an answer')))
      sent.end(body)
    })

  return {
    async check(text: string, signal: AbortSignal): Promise<void> {
      await addressesOf(parsed(text), signal)
    },
    /** Resolves with the status of the answer after reading the answer. Throws FetchRefusal, or an error of the connection. */
    async send(text: string, headers: Readonly<Record<string, string>>, body: Buffer, signal: AbortSignal): Promise<number> {
      const url = parsed(text)
      // node does not call the resolver for a literal address, so it is checked here.
      if (isIP(hostOf(url))) await addressesOf(url, signal)
      try {
        return await post(url, headers, body, signal)
      } catch (error) {
        // The receiver has closed the reused connection meanwhile, so a new one is tried.
        if (signal.aborted || !(error as { isStale?: boolean }).isStale) throw error
        return await post(url, headers, body, signal)
      }
    },
    close(): void {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
