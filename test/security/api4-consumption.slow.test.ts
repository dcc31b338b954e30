import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { UNREAD_LIMITS } from '../../server/base/writer/unread.ts'
import { LIMITS, TIMES } from '../../server/http/limits.ts'
import { open, rawPost, rawRequest } from '../http/raw.ts'
import { rpcRequest } from '../kit/service/client.ts'
import { startTransport, type Transport } from '../kit/service/test-transports.ts'
import { exchange, expectAlive, request } from './wire.ts'

/* OWASP API4:2023, unrestricted resource consumption. Limits and plans are in test/access; here is what one connection, body or socket may take. */

/** One with little time for its callers, and one with little time for readers only. */
let server: Transport
let quick: Transport
beforeAll(async () => {
  server = await startTransport({ times: { ...TIMES, headers: 2_000, request: 3_000, check: 100, linger: 100 } })
  quick = await startTransport({ unread: { ...UNREAD_LIMITS, patience: 500 } })
})
afterAll(() => Promise.all([server?.close(), quick?.close()]))

const post = async (path: string, body: string, headers = {}) => {
  const answer = await rawRequest(quick.url, rawPost(path, body, headers))
  return { status: answer.status, parsed: JSON.parse(answer.body) }
}

describe('API4: what one caller may take', () => {
  it('headers and bodies that come too slowly are ended by time', async () => {
    const sockets = await Promise.all(Array.from({ length: 40 }, () => open(server.url)))
    const closed = sockets.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())))
    const texts: string[] = sockets.map(() => '')
    for (const [i, socket] of sockets.entries()) {
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        texts[i] = `${texts[i]}${chunk}`
      })
      socket.write(
        i % 2 === 0
          ? 'GET /health HTTP/1.1\r\nHost: localhost\r\n'
          : 'POST /jsonRPC HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n',
      )
    }
    const drip = setInterval(() => {
      for (const [i, socket] of sockets.entries()) if (!socket.destroyed) socket.write(i % 2 === 0 ? `X-${i}: a\r\n` : 'x')
    }, 20)
    // Meanwhile others are answered.
    await expectAlive(server.url)
    await Promise.all(closed)
    clearInterval(drip)
    for (const text of texts) expect(text).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('the service allows 5 s for headers and 15 s for a request', () => {
    expect([TIMES.headers, TIMES.request]).toEqual([5_000, 15_000])
  })

  it('a batch has bounds for its calls, for those that run at once, and for the bytes of its answer', { timeout: 60_000 }, async () => {
    const refused = await post(
      '/jsonRPC',
      JSON.stringify(Array.from({ length: LIMITS.batchItems + 1 }, (_, i) => rpcRequest('getMasterchainInfo', {}, i))),
    )
    expect(refused).toMatchObject({ status: 413, parsed: { error: { code: -32013 } } })
    quick.peak.most = 0
    await post('/jsonRPC', JSON.stringify(Array.from({ length: 100 }, (_, i) => rpcRequest('slow', { ms: 5 }, i))))
    expect(quick.peak.most).toBeLessThanOrEqual(LIMITS.batchLanes)
    const big = await post('/jsonRPC', JSON.stringify(Array.from({ length: 60 }, (_, i) => rpcRequest('echo', { size: 1 << 19 }, i))))
    expect(JSON.stringify(big.parsed).length).toBeLessThan(LIMITS.batchBytes + 100_000)
    expect(big.parsed.filter((item: { error?: object }) => item.error !== undefined).length).toBeGreaterThan(20)
  })

  it.each([
    ['arrays', '['.repeat(500_000)],
    ['objects', '{"a":'.repeat(100_000)],
    ['an open text', `{"a":"${'\\u0000'.repeat(80_000)}`],
    ['digits', `{"jsonrpc":"2.0","id":1,"method":"getShards","params":{"seqno":${'9'.repeat(500_000)}}}`],
    ['an exponent', '{"jsonrpc":"2.0","id":1,"method":"getShards","params":{"seqno":1e999999999}}'],
    ['members', `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
  ])('a body of %s ends soon, with an error', async (_what, body) => {
    const answer = await post('/jsonRPC', body)
    expect(answer.parsed.error.code).toBeLessThan(0)
    expect((await rawRequest(quick.url, rawPost('/api/v2/getShards', body))).status).toBe(422)
  })

  it.each([
    ['a long base64', `boc=${'A'.repeat(7_000)}`],
    ['a long address', `address=${'0:'.repeat(3_500)}`],
    ['spaces', `address=${'%20'.repeat(2_500)}x`],
    ['many names', Array.from({ length: 1_500 }, (_, i) => `a${i}`).join('&')],
    ['many values', `address=${'1&address='.repeat(700)}`],
    ['brackets', `address${'[]'.repeat(3_000)}=1`],
    ['percent signs', `address=${'%'.repeat(7_000)}`],
  ])('a query of %s is read in linear time', async (_what, query) => {
    const { statuses } = await exchange(quick.url, request(`GET /api/v2/getAddressBalance?${query}`, ['Connection: close']))
    expect(statuses).toHaveLength(1)
    expect(statuses[0]).toBe(422)
  })

  it('a compressed body is not inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(50 << 20))
    const head = request('POST /jsonRPC', [
      'Content-Encoding: gzip',
      'Content-Type: application/json',
      `Content-Length: ${bomb.length}`,
      'Connection: close',
    ])
    const { statuses, text } = await exchange(quick.url, head, bomb)
    expect(statuses).toEqual([415])
    expect(text).toContain('must not be compressed')
  })

  it('a socket runs a bounded number of calls at once, and its frames are read when there is room', async () => {
    const socket = new WebSocket(quick.wsUrl)
    await new Promise((resolve) => socket.once('open', resolve))
    quick.peak.most = 0
    const answered = new Promise<void>((resolve) => {
      let count = 0
      socket.on('message', () => {
        if (++count === 200) resolve()
      })
    })
    for (let i = 0; i < 200; i++) socket.send(JSON.stringify(rpcRequest('slow', { ms: 5 }, i)))
    await answered
    expect(quick.peak.most).toBeLessThanOrEqual(LIMITS.socketCalls)
    socket.terminate()
  })

  it('a peer that does not read is cut off, and what waited for it is freed', async () => {
    const socket = new WebSocket(quick.wsUrl)
    await new Promise((resolve) => socket.once('open', resolve))
    const { _socket: raw } = socket as unknown as { _socket: { pause(): void; destroy(): void } }
    for (let i = 0; i < 40; i++) socket.send(JSON.stringify(rpcRequest('echo', { size: 4 << 20 }, i)))
    await new Promise((resolve) => setImmediate(resolve))
    raw.pause()
    await expect.poll(() => quick.http.sockets()).toBe(0)
    raw.destroy()
    await expectAlive(quick.url)
  })

  it('the work for a caller who hangs up is ended', async () => {
    const before = quick.aborted.length
    const socket = await open(quick.url)
    socket.write(rawPost('/api/v2/slow', '{"ms":60000}'))
    await expect.poll(() => quick.peak.now).toBeGreaterThan(0)
    socket.destroy()
    await expect.poll(() => [quick.peak.now, quick.aborted.length > before]).toEqual([0, true])
  })
})
