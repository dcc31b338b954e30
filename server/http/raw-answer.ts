import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../base/log.ts'
import { API_VERSION } from '../base/version.ts'
import { inSharedTurn } from '../base/yield.ts'
import { envelope } from './answer-forms.ts'
import { COMMON_HEADERS, JSON_TYPE } from './headers.ts'
import type { Times } from './limits.ts'

const SHOWN = 256

type Headers = Readonly<Record<string, string>>

/** Writes the last answer on a connection that has no response object, and ends the connection. */
export const createRawAnswer = (times: Times, accessLog: Log | undefined) => {
  const common = {
    'X-API-Version': API_VERSION,
    ...COMMON_HEADERS,
    'Content-Type': JSON_TYPE,
  }
  const write = (socket: Duplex, status: number, body: string, headers: Headers): void => {
    const requestId = randomUUID()
    const all = { ...common, 'X-Request-Id': requestId, 'Content-Length': Buffer.byteLength(body), ...headers, Connection: 'close' }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
    const answer = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`, ...lines, '', body].join('\r\n')
    // These requests do not reach the middleware that logs requests.
    accessLog?.info('http.refused', { requestId, peer: (socket as Socket).remoteAddress, status, answer: body.slice(0, SHOWN) })
    socket.end(answer)
    // A client that does not close its side would keep the descriptor open.
    unlessClosed(socket, times.linger, () => socket.destroy())
  }
  /** Thousands of connections can be refused in one turn. */
  const say = (socket: Duplex, status: number, body: string, headers: Headers = {}): void =>
    inSharedTurn(() => socket.destroyed || write(socket, status, body, headers))
  return {
    say,
    /** Sends TON Center's error body. */
    refuse: (socket: Duplex, status: number, text: string, headers?: Headers): void => say(socket, status, envelope(text, status), headers),
    /** For a connection with a request that has begun. Its answer could be sent before a refusal that waits for a turn. */
    refuseAtOnce: (socket: Duplex, status: number, text: string): void => write(socket, status, envelope(text, status), {}),
  }
}

/** Calls `work` after some milliseconds, unless the socket is closed before. */
export const unlessClosed = (socket: Duplex, ms: number, work: () => void): void => {
  const timer = setTimeout(work, ms)
  socket.once('close', () => clearTimeout(timer))
}
