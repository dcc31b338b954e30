import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import WebSocket from 'ws'
import type { SocketConstructor } from '../../client/index.ts'
import { hold } from './hold.ts'
import type { AdapterRequest, Tonway } from './types.ts'

/* Access to a tonway in this process without a port: fetch, an adapter for axios, and a WebSocket class. */

const WITHOUT_BODY = [204, 205, 304]

const headersOf = ({ headersDistinct }: IncomingMessage): [string, string][] =>
  Object.entries(headersDistinct).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]))

/** Reads the complete body, except for an event stream, which is passed on while it arrives. */
const responseOf = async (incoming: IncomingMessage): Promise<Response> => {
  const status = incoming.statusCode ?? 0
  const init = { status, statusText: incoming.statusMessage ?? '', headers: headersOf(incoming) }
  if (WITHOUT_BODY.includes(status)) {
    incoming.resume()
    return new Response(null, init)
  }
  const streams = incoming.headers['content-type']?.startsWith('text/event-stream') === true
  return new Response(streams ? (Readable.toWeb(incoming) as ReadableStream) : await buffer(incoming), init)
}

/** `fetch` over connections in memory. `base`: URL of the service. Throws for any other origin. */
const createFetch = (agent: Agent, base: string): Tonway['fetch'] => {
  const { origin, host } = new URL(base)
  return async (input, init) => {
    const given = new Request(typeof input === 'string' ? new URL(input, base) : input, init)
    const { method, signal } = given
    const url = new URL(given.url)
    if (url.origin !== origin) throw new TypeError(`${url.origin} is not this tonway, which is ${origin}`)
    const body = new Uint8Array(await given.arrayBuffer())
    signal.throwIfAborted()
    const headers = { ...Object.fromEntries(given.headers), host, 'content-length': String(body.byteLength) }
    const send = async (): Promise<Response> => {
      const req = request({ agent, method, path: url.pathname + url.search, headers, signal })
      // After the response, an abort is an error of its body.
      req.on('error', () => {})
      req.end(body)
      const [incoming] = (await once(req, 'response')) as [IncomingMessage]
      return responseOf(incoming)
    }
    return hold(send()).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : new TypeError('fetch failed', { cause: error })
    })
  }
}

interface AxiosRequest extends AdapterRequest {
  readonly data?: string | Uint8Array | null
  readonly headers?: object
  readonly params?: Readonly<Record<string, unknown>>
  readonly timeout?: number
  readonly signal?: AbortSignal
  readonly validateStatus?: ((status: number) => boolean) | null
}

const signalsOf = ({ timeout, signal }: AxiosRequest): AbortSignal[] => [
  ...(timeout === undefined || timeout === 0 ? [] : [AbortSignal.timeout(timeout)]),
  ...(signal === undefined ? [] : [signal]),
]

const MAX_REASON = 2000

/** Reason of a failed call, for the message of the error. axios itself puts the reason only into the response. */
const reasonIn = (text: string): string => {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown }
    const reason = typeof error === 'string' ? error : (error as { readonly message?: unknown } | undefined)?.message
    return typeof reason === 'string' ? `: ${reason.slice(0, MAX_REASON)}` : ''
  } catch {
    return ''
  }
}

/** An axios adapter over `fetchHere`. It returns the text of the response, which axios parses. */
const createAdapter =
  (fetchHere: Tonway['fetch'], base: string): Tonway['httpAdapter'] =>
  async (config) => {
    const { url = '', baseURL = base, method = 'get', data, headers = {}, params, validateStatus, ...rest } = config as AxiosRequest
    const target = new URL(url, new URL(baseURL, base))
    for (const [name, value] of Object.entries(params ?? {})) target.searchParams.append(name, String(value))
    const response = await fetchHere(target, {
      method: method.toUpperCase(),
      // axios stores headers without a value as null or undefined.
      headers: Object.entries({ ...headers }).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ...(data !== undefined && data !== null && { body: data as string }),
      signal: AbortSignal.any(signalsOf(rest)),
    })
    const { status, statusText } = response
    const text = await response.text()
    const answer = { data: text, status, statusText, headers: Object.fromEntries(response.headers), config }
    if (validateStatus && !validateStatus(status))
      throw Object.assign(new Error(`Request failed with status code ${status}${reasonIn(text)}`), {
        isAxiosError: true,
        config,
        response: answer,
      })
    return answer
  }

const createSocketClass = (connect: () => Duplex): SocketConstructor =>
  class extends WebSocket {
    constructor(url: string) {
      super(url, { createConnection: connect as never })
    }
  }

/** `connect`: creates a connection to the service. `base`: URL of the service. `close` ends the connections of requests. */
export const inProcessTransport = (connect: () => Duplex, base: string) => {
  const agent = new Agent({ keepAlive: true })
  agent.createConnection = connect as Agent['createConnection']
  const fetchHere = createFetch(agent, base)
  return {
    members: { fetch: fetchHere, httpAdapter: createAdapter(fetchHere, base), WebSocket: createSocketClass(connect) },
    close: () => agent.destroy(),
  }
}
