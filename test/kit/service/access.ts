import { WebSocket } from 'ws'
import type { KeyStore, NewKey } from '../../../server/access/key-store.ts'
import { startTonway, type Tonway, type TonwayOptions } from './tonway.ts'

/** A service that looks at keys, on a database of the test, with a clock of the test: a second passes when it is told to. */
export interface Guarded extends Tonway {
  readonly clock: { now(): number; ticks(): number; pass(milliseconds: number): void }
  readonly store: KeyStore
  /** A new key of the local network and plan `advanced`, unless told otherwise. */
  key(options?: Partial<NewKey>): Promise<{ readonly key: string; readonly id: string }>
}

/** Stands still but for what passes by hand. */
export const createHandClock = () => {
  let passed = 0
  const start = Date.now()
  return {
    now: () => Math.floor((start + passed) / 1000),
    ticks: () => passed,
    pass(milliseconds: number) {
      passed += milliseconds
    },
  }
}

let owners = 0

/** Every key is of an owner of its own, so that tests do not spend each other's seconds. */
export const startGuarded = async (databaseUrl: string, options: TonwayOptions = {}): Promise<Guarded> => {
  const clock = createHandClock()
  const tonway = await startTonway({ clock, databaseUrl, keys: 'on', anonymousRps: 1, blockTime: 0, ...options })
  const store = await tonway.app.access.store!()
  return {
    ...tonway,
    clock,
    store,
    async key(more = {}) {
      const { key, record } = await store.create({ network: 'local', plan: 'advanced', owner: `owner ${++owners}`, ...more })
      return { key, id: record.id }
    },
  }
}

/** An answer as HTTP gave it. */
export interface Raw {
  readonly status: number
  readonly body: unknown
  readonly retryAfter: string | null
  readonly headers: Headers
}

const raw = async (response: Response): Promise<Raw> => {
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    retryAfter: response.headers.get('retry-after'),
    headers: response.headers,
  }
}

/** A request by fetch, with its body parsed. */
export const ask = async (url: string, init?: RequestInit): Promise<Raw> => raw(await fetch(url, init))

const JSON_TYPE = { 'Content-Type': 'application/json' }
export const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Raw> =>
  ask(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: typeof body === 'string' ? body : JSON.stringify(body) })

export const call = (method: string, id: number | string = 1): object => ({ jsonrpc: '2.0', id, method, params: {} })

/** A WebSocket and what came over it. */
export interface Line {
  readonly socket: WebSocket
  /** Sends, and resolves with the next message. */
  ask(message: unknown): Promise<unknown>
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
}

/** Opens a WebSocket; rejects with the status and body of a refusal. */
export const openLine = (url: string, headers: Record<string, string> = {}): Promise<Line> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers })
    const waiting: ((value: unknown) => void)[] = []
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
    socket.on('message', (data) => waiting.shift()?.(JSON.parse(String(data))))
    socket.on('open', () =>
      resolve({
        socket,
        closed,
        ask: (message) =>
          new Promise((done) => {
            waiting.push(done)
            socket.send(typeof message === 'string' ? message : JSON.stringify(message))
          }),
      }),
    )
  })
