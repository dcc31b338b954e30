import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import WebSocket from 'ws'
import type { SocketConstructor } from '../../client/index.ts'
import { hold } from './hold.ts'
import type { MemoryPort } from './memory.ts'
import type { AdapterRequest, Tonway } from './types.ts'

/* Access to a tonway in this process without a port: fetch, an adapter for axios, and a WebSocket class. */

const WITHOUT_BODY = [204, 205, 304]

const headersOf = (incoming: IncomingMessage): Headers => {
  const headers = new Headers()
  const { rawHeaders } = incoming
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!)
  return headers
}

const bytesOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Reads the complete body, except for an event stream, which is passed on while it arrives. */
const responseOf = async (incoming: IncomingMessage): Promise<Response> => {
  const status = incoming.statusCode ?? 0
  const init = { status, statusText: incoming.statusMessage ?? '', headers: headersOf(incoming) }
  if (WITHOUT_BODY.includes(status)) {
    incoming.resume()
    return new Response(null, init)
  }
  const streams = incoming.headers['content-type']?.startsWith('text/event-stream') === true
  return new Response(streams ? (Readable.toWeb(incoming) as ReadableStream) : new Uint8Array(await bytesOf(incoming)), init)
}

const answered = (req: ClientRequest, body: Uint8Array): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    req.once('response', resolve)
    req.once('error', reject)
    req.end(body)
  })

/** `fetch` over connections in memory. `base`: URL of the service. Throws for any other origin. */
const createFetch = (port: MemoryPort, base: string): Tonway['fetch'] => {
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
      const req = request({ agent: port.agent, method, path: url.pathname + url.search, headers, signal })
      return responseOf(await answered(req, body))
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

const createSocketClass = (port: MemoryPort): SocketConstructor =>
  class extends WebSocket {
    constructor(url: string) {
      super(url, { createConnection: port.connect as never })
    }
  }

export const inProcessTransport = (port: MemoryPort, base: string): Pick<Tonway, 'fetch' | 'httpAdapter' | 'WebSocket'> => {
  const fetchHere = createFetch(port, base)
  return { fetch: fetchHere, httpAdapter: createAdapter(fetchHere, base), WebSocket: createSocketClass(port) }
}
