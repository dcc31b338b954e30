import { expect } from 'vitest'
import { builtService, type Started } from '../service/process.ts'
import { type Connection, openConnection, post, rpcText, type WireAnswer } from './connection.ts'

/* A running service as its clients have it: a port, and nothing of its inside. */

/** Members of `/status` that the tests read. */
export interface WireStatus {
  readonly sockets: number
  readonly unread_bytes: { readonly http: number; readonly websocket: number; readonly events: number }
  readonly unfinished_bytes: number
  readonly head: { readonly seqno: number }
}

export interface WireService {
  readonly url: string
  readonly port: number
  readonly started: Started
  open(): Promise<Connection>
  /** Sends bytes on a connection of their own and reads one answer. */
  ask(bytes: string, isHead?: boolean): Promise<WireAnswer>
  /** The result of a call. Throws if it is refused. */
  rpc<T = unknown>(method: string, params?: object): Promise<T>
  status(): Promise<WireStatus>
  /** Ends the service as its operator does. It fails if the service had an error meanwhile. */
  stop(): Promise<void>
}

/** An embedded chain that makes blocks for messages alone, and no index. */
const PLAIN = ['--port', '0', '--liteserver-port', 'off', '--block-time', '0', '--log', 'error']

/** Starts the service with settings besides those above. Without `--index` among them it has none. */
export const startService = (...settings: readonly string[]): Promise<WireService> => startServiceIn(undefined, ...settings)

/** The same in a folder, which may have a file of settings. */
export const startServiceIn = async (cwd: string | undefined, ...settings: readonly string[]): Promise<WireService> => {
  const index = settings.includes('--index') ? [] : ['--index', 'off']
  const started = builtService.start([...PLAIN, ...index, ...settings], cwd === undefined ? {} : { cwd })
  const url = await started.ready
  const port = Number(new URL(url).port)
  const open = (): Promise<Connection> => openConnection(port)
  const ask = async (bytes: string, isHead = bytes.startsWith('HEAD ')): Promise<WireAnswer> => {
    const connection = await open()
    try {
      // A refusal can come before all bytes are taken.
      void connection.send(bytes)
      return await connection.answer(isHead)
    } finally {
      connection.destroy()
    }
  }
  return {
    url,
    port,
    started,
    open,
    ask,
    async rpc<T>(method: string, params: object = {}) {
      const answer = (await ask(post('/jsonRPC', rpcText(method, params)))).json as { readonly result?: T; readonly error?: object }
      if (answer.error) throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
      return answer.result as T
    },
    status: async () => (await ask('GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n')).json as WireStatus,
    async stop() {
      started.child.kill('SIGTERM')
      expect(await started.ended).toMatchObject({ code: 0, err: '' })
    },
  }
}

/** Checks a refusal that any client can read: JSON, open to pages of every origin, with a request id. Returns its text. */
export const expectRefusal = ({ status, headers, json }: WireAnswer, expected: number): string => {
  expect([status, json]).toEqual([expected, { ok: false, error: expect.any(String), code: expected, '@extra': expect.any(String) }])
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\w.:-]+$/),
    'x-api-version': expect.stringMatching(/^2\.\d+\.\d+$/),
  })
  return (json as { readonly error: string }).error
}
