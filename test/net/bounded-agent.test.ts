import { once } from 'node:events'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, expect, it } from 'vitest'
import { BoundedAgent } from '../../server/net/bounded-agent.ts'
import { CERTIFICATE, KEY } from './certificate.ts'

const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server whose chain of certificates has as many copies of one. */
const startHost = async (copies: number, length = 200_000, onConnection = (_socket: TLSSocket): void => {}): Promise<number> => {
  const server = createServer({ key: KEY, cert: CERTIFICATE.repeat(copies), maxVersion: 'TLSv1.2' }, (asked, answer) =>
    asked.resume().on('end', () => answer.end('a'.repeat(length))),
  )
    .on('secureConnection', onConnection)
    .listen(0, '127.0.0.1')
  closing.push(() => server.close().closeAllConnections())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const post = (port: number, agent: BoundedAgent): Promise<{ readonly size: number; readonly isReused: boolean }> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: 'localhost', port, agent, method: 'POST' }, (answer) => {
      let size = 0
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      answer.on('end', () => resolve({ size, isReused: sent.reusedSocket }))
    })
    sent.on('error', reject).end('{}')
  })

const openAgent = (options = {}): BoundedAgent => {
  const agent = new BoundedAgent({ keepAlive: true, ...options })
  closing.push(() => agent.destroy())
  return agent
}

it('an answer longer than the limit of the handshake arrives, and the connection is used again', async () => {
  const agent = openAgent({ ca: CERTIFICATE })
  const port = await startHost(1)
  expect(await post(port, agent)).toEqual({ size: 200_000, isReused: false })
  expect(await post(port, agent)).toEqual({ size: 200_000, isReused: true })
})

it('a host that nobody trusts, and one that is not there, are named as node names them', async () => {
  await expect(post(await startHost(1), openAgent())).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  await expect(post(1, openAgent())).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

it('a handshake with many certificates is ended before OpenSSL checks them', async () => {
  const port = await startHost(25)
  await expect(post(port, openAgent({ ca: CERTIFICATE }))).rejects.toThrow('the TLS handshake is over 8192 bytes')
})

it('a connection ends after 1.5 MB, also when several answers share it', async () => {
  const agent = openAgent({ ca: CERTIFICATE })
  await expect(post(await startHost(1, 2_000_000), agent)).rejects.toThrow('the connection has received over 1572864 bytes')
  const port = await startHost(1, 700_000)
  expect(await post(port, agent)).toEqual({ size: 700_000, isReused: false })
  expect(await post(port, agent)).toEqual({ size: 700_000, isReused: true })
  await expect(post(port, agent)).rejects.toThrow('the connection has received over')
})

it('a host cannot begin another handshake', async () => {
  const ends: unknown[] = []
  const port = await startHost(1, 1_000, (socket) => {
    socket.on('error', ({ message }) => ends.push(message))
    socket.renegotiate({}, (error) => ends.push(error ?? 'another handshake'))
  })
  await post(port, openAgent({ ca: CERTIFICATE })).catch(() => {})
  await expect.poll(() => ends).not.toEqual([])
  expect(ends).not.toContain('another handshake')
})
