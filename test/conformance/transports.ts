import { WebSocket } from 'ws'
import { callPath, hasEnvelope, pathOf, verbsOf } from './methods.ts'
import { parseExact } from './numbers.ts'

/* Ways to send a request of a case. Each reads its own envelope and answers what the strict answer would be, as far as its envelope says it. */

export interface Request {
  readonly id: unknown
  readonly method: string
  readonly params?: object
}

/** A result, or an error with what the transport says about it. */
export type Answer = { readonly result: unknown } | { readonly error: Readonly<Record<string, unknown>>; readonly status?: number }

export interface Transport {
  readonly name: string
  /** Whether it can carry a request. */
  canSend(request: Request): boolean
  send(request: Request): Promise<Answer>
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>
type Body = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value of a query string: a scalar or a list of them. */
const isQueryValue = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((each) => isQueryValue(each) && !Array.isArray(each))
    : ['string', 'number', 'boolean'].includes(typeof value)

const queryOf = (params: object): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) for (const one of [value].flat()) query.append(name, String(one))
  return query.size === 0 ? '' : `?${query}`
}

/** Says that an envelope is not what the interface has. */
const fault = (what: string, status: number, text: string): Error => new Error(`${what}: ${status} ${text.slice(0, 300)}`)

const readEnvelope = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const body = parseExact(text) as Body
  const { ok, result, error, code } = body
  if (ok === true && response.status === 200 && 'result' in body) return { result }
  if (ok !== false || typeof error !== 'string' || code !== response.status) throw fault("not TON Center's envelope", response.status, text)
  return { error: { message: error }, status: response.status }
}

const readBare = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const body = parseExact(text) as Body
  if (response.status === 200) return { result: body }
  if (typeof body['error'] !== 'string' || ('code' in body && body['code'] !== response.status))
    throw fault('not an error of v3', response.status, text)
  return { error: { message: body['error'] }, status: response.status }
}

/** Reads a strict answer. `ok`: the member that a single answer has for the sake of TonClient. */
const readStrict = (body: Body, id: unknown): Answer => {
  const { jsonrpc, error, result } = body
  if (jsonrpc !== '2.0' || body['id'] !== id) throw new Error(`not an answer to ${String(id)}: ${JSON.stringify(body).slice(0, 300)}`)
  return isObject(error) ? { error: error as Body } : { result }
}

const JSON_HEADERS = { 'Content-Type': 'application/json' }

export interface Target {
  readonly url: string
  readonly fetch?: Fetch
  readonly headers?: Readonly<Record<string, string>>
}

/** The transports of TON Center's interfaces, which every server of them has. */
export const createTonCenterTransports = ({ url, fetch: send = fetch, headers = {} }: Target): readonly Transport[] => {
  const post = (path: string, body: object): Promise<Response> =>
    send(url + path, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) })
  const read = (method: string) => (hasEnvelope(method) ? readEnvelope : readBare)
  const isParams = (params: object): boolean => isObject(params)
  return [
    {
      name: 'GET',
      canSend: ({ method, params = {} }) =>
        verbsOf(method).includes('GET') &&
        isParams(params) &&
        Object.values(params).every(isQueryValue) &&
        callPath(method, params) !== undefined,
      send: async ({ method, params = {} }) => {
        const { path, others } = callPath(method, params)!
        return read(method)(await send(`${url}${path}${queryOf(others)}`, { headers }))
      },
    },
    {
      name: 'POST',
      canSend: ({ method, params = {} }) => verbsOf(method).includes('POST') && isParams(params),
      send: async ({ method, params = {} }) => read(method)(await post(pathOf(method)!, params)),
    },
    {
      name: 'dialect',
      canSend: ({ method }) => pathOf(method) !== undefined,
      send: async (request) => readEnvelope(await post('/api/v2/jsonRPC', request)),
    },
  ]
}

/** Sends a message over a WebSocket of its own; resolves with the first message that is received. */
const askSocket = (url: string, message: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url)
    socket.once('error', reject)
    socket.once('open', () => socket.send(message))
    socket.once('message', (data) => {
      resolve(String(data))
      socket.close()
    })
  })

/** Strict JSON-RPC: alone, in a batch, and over a WebSocket. */
export const createStrictTransports = ({ url, fetch: send = fetch }: Target): readonly Transport[] => {
  const post = async (body: object): Promise<unknown> => {
    const response = await send(`${url}/jsonRPC`, { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(body) })
    return parseExact(await response.text())
  }
  const everything = { canSend: () => true }
  return [
    { name: 'single', ...everything, send: async (request) => readStrict((await post(request)) as Body, request.id) },
    {
      name: 'batch',
      ...everything,
      send: async (request) => {
        const other = { jsonrpc: '2.0', id: 'other', method: 'detectHash', params: { hash: 'not a hash' } }
        const replies = (await post([other, request])) as readonly Body[]
        if (replies.length !== 2) throw new Error(`${replies.length} answers to two calls`)
        return readStrict(replies.find(({ id }) => id !== 'other')!, request.id)
      },
    },
    {
      name: 'ws',
      ...everything,
      send: async (request) =>
        readStrict(parseExact(await askSocket(`${url.replace('http', 'ws')}/jsonRPC`, JSON.stringify(request))) as Body, request.id),
    },
  ]
}
