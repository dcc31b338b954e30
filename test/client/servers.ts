import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/* Listening servers for tests of the client, most of them misbehaving. */

export interface Rpc {
  readonly jsonrpc: '2.0'
  readonly id: number
  readonly method: string
  readonly params: Record<string, unknown>
}

export interface Seen {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** What was posted: a call, or the calls of a batch. */
  readonly body: Rpc | readonly Rpc[]
  readonly calls: readonly Rpc[]
  /** performance.now() when it was there in full. */
  readonly at: number
}

export interface TestServer extends AsyncDisposable {
  readonly url: string
  readonly seen: Seen[]
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>
  close(): Promise<void>
}

export type Answer = (seen: Seen, response: ServerResponse, request: IncomingMessage) => void | Promise<void>

/** Starts a server on a free port of loopback. */
export const serve = async (answer: Answer): Promise<TestServer> => {
  const seen: Seen[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      return
    }
    const text = Buffer.concat(chunks).toString()
    const body = JSON.parse(text) as Rpc | readonly Rpc[]
    const calls = Array.isArray(body) ? (body as readonly Rpc[]) : [body as Rpc]
    const one: Seen = { path: request.url!, headers: request.headers, text, body, calls, at: performance.now() }
    seen.push(one)
    await answer(one, response, request)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, sockets, close, [Symbol.asyncDispose]: close }
}

export const send = (response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(typeof value === 'string' ? value : JSON.stringify(value))
}

/** What a well-behaved call gets: its own name and params. */
export const echo = ({ id, method, params }: Rpc): unknown => ({ jsonrpc: '2.0', id, result: { method, params } })

/** A server as it should be: arrays in, arrays out. */
export const answerEcho: Answer = ({ body, calls }, response) =>
  send(response, Array.isArray(body) ? calls.map(echo) : { ok: true, ...(echo(calls[0]!) as object) })

/** The error of a promise that must reject. */
export const failing = async (promise: Promise<unknown>): Promise<import('../../client/index.ts').TonClientError> => {
  try {
    await promise
  } catch (error) {
    return error as import('../../client/index.ts').TonClientError
  }
  throw new Error('it should have failed')
}
