import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../base/log.ts'
import { envelope } from './error-text.ts'
import { commonHeaders } from './headers.ts'
import type { Times } from './limits.ts'

/** Writes the last answer on a connection that has no response object, by hand, and ends the connection. */
export interface RawAnswer {
  /** With TON Center's error body. */
  refuse(socket: Duplex, status: number, text: string, headers?: Readonly<Record<string, string>>): void
  /** With a body of JSON text. */
  say(socket: Duplex, status: number, body: string, headers?: Readonly<Record<string, string>>): void
}

export interface RawAnswerDeps {
  readonly apiVersion: string
  /** Makes an id for the answer. */
  readonly nextId: () => string
  readonly times: Times
  /** The access log, if it is on. These requests reach nothing else that would log them. */
  readonly accessLog: Log | undefined
}

/** Characters of an answer that the access log has. */
const SHOWN = 256

export const createRawAnswer = ({ apiVersion, nextId, times, accessLog }: RawAnswerDeps): RawAnswer => {
  const common = commonHeaders(apiVersion)
  const say: RawAnswer['say'] = (socket, status, body, headers = {}) => {
    const requestId = nextId()
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`]
    for (let i = 0; i < common.length; i += 2) lines.push(`${common[i]}: ${common[i + 1]}`)
    lines.push(`X-Request-Id: ${requestId}`, 'Content-Type: application/json; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`)
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
    lines.push('Connection: close', '', body)
    accessLog?.info('http.refused', { requestId, peer: (socket as Socket).remoteAddress, status, answer: body.slice(0, SHOWN) })
    partWith(socket, lines.join('\r\n'), times)
  }
  return {
    say,
    refuse: (socket, status, text, headers) => say(socket, status, envelope(text, status), headers),
  }
}

/** Sends the answer. Destroys the socket after times.linger, because a peer that does not hang up would hold its half and our descriptor. */
const partWith = (socket: Duplex, answer: string, times: Times): void => {
  socket.end(answer)
  const leave = setTimeout(() => socket.destroy(), times.linger)
  socket.once('close', () => clearTimeout(leave))
}
