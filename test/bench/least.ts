import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { Address, Cell } from '@ton/core'
import { Executor } from '@ton/sandbox/dist/executor/Executor.js'
import { WebSocketServer } from 'ws'
import { createLiteClient } from '../../server/chain/lite/client.ts'
import { createLiteTl } from '../../server/chain/tl/lite-queries.ts'
import { parseRaw } from '../../shared/fields/address.ts'
import { processorMs } from './service.ts'

/*
 * The least that a service can be: node's own server with what the answer comes from behind it, looking at nothing. What it costs no service
 * behind HTTP is below. Each is a process of its own, as the service is: the bench's own program, started with its name.
 */

/** A get-method as @ton/sandbox's Executor takes it. */
export interface LeastGetMethod {
  readonly code: string
  readonly data: string
  readonly config: string
  readonly address: string
  readonly balance: string
}
/** An answer that is the same whatever is asked; `parse`: the body is read and parsed first. */
export interface LeastAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly parse: boolean
}
/** A lite-server; the key in base64. */
export interface LeastPeer {
  readonly host: string
  readonly port: number
  readonly key: string
}

/** A text that every WebSocket is told at each POST, once that is answered. */
export interface LeastTold {
  readonly text: string
}

/** The emulator's call, as bare as it is run. */
export const createLeastCall = async ({ code, data, config, address, balance }: LeastGetMethod) => {
  const executor = await Executor.create()
  const call = {
    code: Cell.fromBase64(code),
    data: Cell.fromBase64(data),
    methodId: 85143,
    stack: [],
    config,
    verbosity: 'short' as const,
    address: Address.parse(address),
    unixTime: 1_800_000_000,
    balance: BigInt(balance),
    randomSeed: Buffer.alloc(32, 1),
    gasLimit: 1_000_000n,
    debugEnabled: false,
  }
  return () => executor.runGetMethod(call)
}

const given = <T>(): T => JSON.parse(process.env['LEAST'] ?? '{}') as T

const send = (res: ServerResponse, value: unknown): void => {
  const text = JSON.stringify(value)
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
  res.end(text)
}

const read = (req: IncomingMessage, then: (body: string) => void): void => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => then(Buffer.concat(chunks).toString()))
}

const listen = (listener: RequestListener): void => {
  const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, listener)
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
}

const serve = (answer: (req: IncomingMessage, body: string) => Promise<unknown>): void =>
  listen((req, res) => read(req, (body) => answer(req, body).then((value) => send(res, value))))

const MODES = {
  async same() {
    const { headers, body, parse } = given<LeastAnswer>()
    const bytes = Buffer.from(body)
    const answer = (res: ServerResponse): void => {
      res.writeHead(200, headers)
      res.end(bytes)
    }
    listen(
      parse
        ? (req, res) =>
            read(req, (text) => {
              JSON.parse(text)
              answer(res)
            })
        : (_, res) => answer(res),
    )
  },
  async 'get-method'() {
    const thread = new Worker(process.argv[1]!, { argv: ['--least=thread'], workerData: given<LeastGetMethod>() })
    await once(thread, 'message')
    const open = new Map<number, (value: unknown) => void>()
    let last = 0
    thread.on('message', ({ id, result }: { id: number; result: unknown }) => {
      open.get(id)?.(result)
      open.delete(id)
    })
    serve(async (_, body) => {
      const { id: asked, params } = JSON.parse(body) as { id: unknown; params: unknown }
      const id = ++last
      const result = await new Promise((resolve) => {
        open.set(id, resolve)
        thread.postMessage({ id, params })
      })
      return { jsonrpc: '2.0', id: asked, result }
    })
  },
  async thread() {
    const run = await createLeastCall(workerData as LeastGetMethod)
    parentPort!.on('message', async ({ id }: { id: number }) => {
      const { output } = await run()
      parentPort!.postMessage({ id, result: output.success ? { stack: output.stack, gas_used: output.gas_used.toString() } : output.error })
    })
    parentPort!.postMessage('ready')
  },
  async forward() {
    const { host, port, key } = given<LeastPeer>()
    const client = createLiteClient({ host, port, key: Buffer.from(key, 'base64') }, { tl: createLiteTl(), onChange: () => undefined })
    const { signal } = new AbortController()
    const { last } = await client.query('getMasterchainInfo', {}, signal)
    serve(async ({ url = '' }) => {
      const account = parseRaw(url.slice(url.indexOf('=') + 1))!
      const { state } = await client.query('getAccountState', { id: last, account }, signal)
      return { ok: true, result: Buffer.from(state).toString('base64') }
    })
  },
  async tell() {
    const { text } = given<LeastTold>()
    const server = createServer((_, res) => {
      res.end(() => {
        for (const socket of sockets.clients) socket.send(text)
      })
    })
    const sockets = new WebSocketServer({ server, perMessageDeflate: false })
    // What a reader of streaming v2 waits for before it listens.
    sockets.on('connection', (socket) => socket.once('message', () => socket.send('{"status":"subscribed"}')))
    server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  },
} as const

export type LeastMode = keyof typeof MODES

/** The side of the process that was started. */
export const runLeast = (mode: string): Promise<void> => MODES[mode as LeastMode]()

/** Starts one and waits for its address. */
export const startLeast = async (
  mode: LeastMode,
  values: LeastAnswer | LeastGetMethod | LeastPeer | LeastTold,
): Promise<{ readonly url: string; cpu(): number; stop(): void }> => {
  const child = spawn(process.execPath, [process.argv[1]!, `--least=${mode}`], {
    env: { ...process.env, LEAST: JSON.stringify(values) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { url: String(line).trim(), cpu: () => processorMs(child.pid!), stop: () => child.kill() }
}
