import { request } from 'node:http'
import { WebSocket } from 'ws'
import { type MethodName, type ParamsIn, type Result, registry } from '../../../shared/registry.ts'

/* The client of the tests: plain HTTP, JSON-RPC and WebSocket, without what the typed client of client/ adds (batches, retries). */

/** An answer as HTTP gave it. */
export interface Answer<T = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The text parsed; undefined where it is empty or no JSON. Throws in `ask` where it says that it is JSON and is not. */
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

/** Headers of names and values in turn. */
const headersOf = (raw: readonly string[]): Headers => {
  const headers = new Headers()
  for (let i = 0; i < raw.length; i += 2) headers.append(raw[i]!, raw[i + 1]!)
  return headers
}

/** The same on a connection of its own, which is closed afterwards, and with a Host header where one is given (fetch allows neither). */
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

/** A POST of a text as it is, or of a value as JSON. */
export const post = <T = unknown>(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer<T>> =>
  ask<T>(url, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: textOf(body) })

/** A strict JSON-RPC 2.0 request. */
export const rpcRequest = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })

/** What JSON-RPC answers to one request. */
export interface RpcReply<T = unknown> {
  readonly id: unknown
  readonly result?: T
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly kind: string; readonly status?: number } }
}

/** A call that was refused: its message, and the HTTP status that belongs to it (the JSON-RPC code where there is none). */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The result of a reply. Throws CallError. */
export const resultOf = <T>({ result, error }: RpcReply<T>): T => {
  if (error) throw new CallError(error.data?.status ?? error.code, error.message)
  return result as T
}

/** The result in the envelope of TON Center's v2 (`ok`, `result`, `error`, `code`). Throws CallError. */
export const unwrap = <T = unknown>({ status, body, text }: Answer): T => {
  const { ok, result, error, code } = (body ?? {}) as { ok?: boolean; result?: T; error?: string; code?: number }
  if (ok === true && status === 200) return result as T
  if (ok !== false || code !== status) throw new Error(`no envelope: ${status} ${text}`)
  throw new CallError(status, String(error))
}

/** One call over strict JSON-RPC; `url` is the service's, with the prefix of a network where there is one. Throws CallError. */
export const rpc = async <T = unknown>(url: string, method: string, params: object = {}): Promise<T> =>
  resultOf((await post<RpcReply<T>>(`${url}/jsonRPC`, rpcRequest(method, params))).body)

/** The same with the types of the registry. */
export const call = <M extends MethodName>(url: string, method: M, params: ParamsIn<M>): Promise<Result<M>> =>
  rpc<Result<M>>(url, method, params)

/** A result that is what the registry says; throws otherwise. */
export const checked = <M extends MethodName>(method: M, result: unknown): Result<M> => {
  const parsed = registry[method].result.safeParse(result)
  if (!parsed.success) throw new Error(`${method}: the result is not what the registry says: ${parsed.error.message}`)
  return result as Result<M>
}

/** A WebSocket and what came over it. */
export interface Line {
  readonly socket: WebSocket
  /** Sends a text or bytes as they are, or a value as JSON. */
  send(message: unknown): void
  /** The next message, parsed. */
  next(): Promise<unknown>
  /** Sends, and resolves with the next message. */
  ask(message: unknown): Promise<unknown>
  /** Messages that nobody has waited for yet. */
  readonly waiting: readonly unknown[]
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

/** Opens a WebSocket; rejects with the status and body of a refusal. */
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
