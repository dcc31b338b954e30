import { request } from 'node:http'
import { WebSocket } from 'ws'
import { type MethodName, type ParamsIn, type Result, registry } from '../../../shared/registry.ts'

/* The client of the tests: plain HTTP, JSON-RPC and WebSocket, without the additions of the typed client in client/ (batches, retries). */

/** An HTTP answer. */
export interface Answer<T = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed text; undefined if it is empty or not declared as JSON. `ask` throws if it is declared as JSON and is not. */
  readonly body: T
  readonly retryAfter: string | null
}

const answerOf = <T>(status: number, headers: Headers, text: string): Answer<T> => {
  const parsed: unknown = text !== '' && headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined
  return { status, headers, text, body: parsed as T, retryAfter: headers.get('retry-after') }
}

/** A request by fetch. */
export const ask = async <T = unknown>(url: string, init?: RequestInit): Promise<Answer<T>> => {
  const response = await fetch(url, init)
  return answerOf(response.status, response.headers, await response.text())
}

/** Headers from alternating names and values. */
const headersOf = (raw: readonly string[]): Headers => {
  const headers = new Headers()
  for (let i = 0; i < raw.length; i += 2) headers.append(raw[i]!, raw[i + 1]!)
  return headers
}

/** Same as `ask`, but on its own connection, which is closed afterwards, and with an optional Host header (fetch allows neither). */
export const askAlone = <T = unknown>(
  url: string,
  init: { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): Promise<Answer<T>> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = init
    const sent = request(url, { method, agent: false, headers: { Connection: 'close', ...headers } }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve(answerOf(response.statusCode!, headersOf(response.rawHeaders), text)))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

/** A POST of a text unchanged, or of a value as JSON. */
export const post = <T = unknown>(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer<T>> =>
  ask<T>(url, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: textOf(body) })

/** A strict JSON-RPC 2.0 request. */
export const rpcRequest = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })

/** The JSON-RPC answer to one request. */
export interface RpcReply<T = unknown> {
  readonly id: unknown
  readonly result?: T
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly kind: string; readonly status?: number } }
}

/** A refused call: its message, and its HTTP status (the JSON-RPC code if there is none). */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Whether the service says that it cannot answer now (503, or 504 in time; by JSON-RPC UNAVAILABLE and SOURCE_TIMEOUT). */
export const isUnavailable = (error: unknown): boolean => error instanceof CallError && [503, 504, -32053, -32054].includes(error.status)

/** The result of a reply. Throws CallError if it has an error. */
export const resultOf = <T>({ result, error }: RpcReply<T>): T => {
  if (error) throw new CallError(error.data?.status ?? error.code, error.message)
  return result as T
}

/** The result in TON Center's v2 envelope (`ok`, `result`, `error`, `code`). Throws CallError for an error. */
export const unwrap = <T = unknown>({ status, body, text }: Answer): T => {
  const { ok, result, error, code } = (body ?? {}) as { ok?: boolean; result?: T; error?: string; code?: number }
  if (ok === true && status === 200) return result as T
  if (ok !== false || code !== status) throw new Error(`no envelope: ${status} ${text}`)
  throw new CallError(status, String(error))
}

/** One call over strict JSON-RPC. `url` is the service's URL, with a network prefix if needed. Throws CallError. */
export const rpc = async <T = unknown>(url: string, method: string, params: object = {}): Promise<T> =>
  resultOf((await post<RpcReply<T>>(`${url}/jsonRPC`, rpcRequest(method, params))).body)

/** Same as `rpc`, with the types of the registry. */
export const call = <M extends MethodName>(url: string, method: M, params: ParamsIn<M>): Promise<Result<M>> =>
  rpc<Result<M>>(url, method, params)

/** Checks a result against the registry. Throws Error if it does not match. */
export const checked = <M extends MethodName>(method: M, result: unknown): Result<M> => {
  const parsed = registry[method].result.safeParse(result)
  if (!parsed.success) throw new Error(`${method}: the result is not what the registry says: ${parsed.error.message}`)
  return result as Result<M>
}

/** A WebSocket and its received messages. */
export interface Line {
  readonly socket: WebSocket
  /** Sends a text or bytes unchanged, or a value as JSON. */
  send(message: unknown): void
  /** The next message, parsed from JSON. */
  next(): Promise<unknown>
  /** Sends a message and resolves with the next received one. */
  ask(message: unknown): Promise<unknown>
  /** Received messages that have not been read yet. */
  readonly waiting: readonly unknown[]
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

/** Opens a WebSocket. Rejects with the status and body if it is refused. */
export const openLine = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Line> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers: { ...headers } })
    const waiting: unknown[] = []
    const readers: ((value: unknown) => void)[] = []
    const closed = new Promise<{ code: number; reason: string }>((done) =>
      socket.on('close', (code, reason) => done({ code, reason: String(reason) })),
    )
    socket.on('error', reject)
    socket.on('unexpected-response', (_req, res) => {
      let text = ''
      res.on('data', (chunk) => {
        text += chunk
      })
      res.on('end', () => reject(Object.assign(new Error('refused'), { status: res.statusCode, body: JSON.parse(text) })))
    })
    socket.on('message', (data) => {
      const value: unknown = JSON.parse(String(data))
      const reader = readers.shift()
      if (reader) reader(value)
      else waiting.push(value)
    })
    const send = (message: unknown): void => socket.send(Buffer.isBuffer(message) ? message : textOf(message))
    const next = (): Promise<unknown> => (waiting.length > 0 ? Promise.resolve(waiting.shift()) : new Promise((done) => readers.push(done)))
    const lineAsk = (message: unknown): Promise<unknown> => {
      send(message)
      return next()
    }
    socket.on('open', () => resolve({ socket, send, next, ask: lineAsk, waiting, closed }))
  })
