import type { Socket } from 'node:net'
import { expect } from 'vitest'
import { open } from '../http/raw.ts'
import { ask, post } from '../kit/service/client.ts'

/* What attackers do: bytes on a socket, and a look at what comes back. */

/** Everything that came on a connection until it ended. */
export interface Exchange {
  readonly text: string
  /** Status of every answer in it, in order. */
  readonly statuses: readonly number[]
}

const statusesOf = (text: string): number[] => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))

/**
 * Sends bytes, says that nothing more will come, and reads until the server has hung up: answers that are more than asked for show. A server that
 * waits for the rest of a body gives up by its request timeout.
 */
export const exchange = async (url: string, ...parts: readonly (string | Buffer)[]): Promise<Exchange> => {
  const socket = await open(url)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  for (const part of parts) if (!socket.destroyed) await written(socket, part)
  socket.end()
  await closed
  return { text, statuses: statusesOf(text) }
}

const written = (socket: Socket, part: string | Buffer): Promise<void> =>
  new Promise((resolve) => socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part, () => resolve()))

/** A request with these header lines. */
export const request = (line: string, headers: readonly string[] = [], body = ''): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n')

/** The server is there, and its first caller after the attack gets the answer that is his. */
export const expectAlive = async (url: string): Promise<void> => {
  expect((await ask(`${url}/health`)).body).toEqual({ ok: true, result: 'OK' })
  const answer = await post(`${url}/jsonRPC`, '{"jsonrpc":"2.0","id":"after","method":"getMasterchainInfo"}')
  expect(answer.body).toMatchObject({ id: 'after' })
}

/** Texts that no answer may have, whatever went wrong. */
export const LEAKS = /\bat .+:\d+:\d+|node_modules|node:internal|\.ts:\d+|\/work\/|ECONN|password|postgres:\/\/|stack"|"cause"/
