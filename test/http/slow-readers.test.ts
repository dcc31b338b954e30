import type { Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { collectGarbage } from '../kit/gc.ts'
import { startTransport, type Transport } from '../kit/service/test-transports.ts'
import { open, rawPost, rawRequest } from './raw.ts'

/* Long answers: how they are written, and what becomes of those that nobody reads. */

const MiB = 1 << 20
let server: Transport
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server?.close()
})

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
const rpc = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** Asks and does not read. */
const askAndLeave = async (request: string): Promise<Socket> => {
  const socket = await open(server.url)
  socket.on('error', () => {})
  sockets.push(socket)
  socket.pause()
  socket.write(request)
  return socket
}

/** Everything that comes until the connection ends. */
const readToEnd = async (request: string): Promise<string> => {
  const socket = await open(server.url)
  socket.on('error', () => {})
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(request)
  await closed
  return Buffer.concat(chunks).toString('latin1')
}

describe('an answer that is made while it is written', () => {
  const path = '/api/v2/pieces?count=20&size=50000'
  const expected = Array.from({ length: 20 }, () => 'x'.repeat(50_000))
  const params = { count: 20, size: 50_000 }

  it('a streamed answer is the same at every door, compressed or not', async () => {
    server = await startTransport()
    for (const headers of [{}, { 'Accept-Encoding': 'identity' }] as Record<string, string>[]) {
      const answer = await fetch(server.url + path, { headers })
      expect(answer.headers.get('content-encoding')).toBe('Accept-Encoding' in headers ? null : 'gzip')
      expect(await answer.json()).toMatchObject({ ok: true, result: expected })
    }
    for (const door of ['/jsonRPC', '/api/v2/jsonRPC']) {
      const answer = await fetch(server.url + door, { method: 'POST', body: rpc('pieces', params) })
      expect(await answer.json()).toMatchObject({ id: 1, ok: true, result: expected })
    }
    const batch = await fetch(`${server.url}/jsonRPC`, { method: 'POST', body: `[${rpc('pieces', params)}]` })
    expect(await batch.json()).toMatchObject([{ id: 1, result: expected }])
    expect(server.pieces).toEqual({ made: 100, over: 5 })
  })

  it('HTTP/1.0 gets the answer in one piece, and HEAD its length', async () => {
    server = await startTransport()
    const old = await readToEnd(`GET ${path} HTTP/1.0\r\n\r\n`)
    const [head = '', body = ''] = old.split('\r\n\r\n')
    expect(head).toContain(`Content-Length: ${body.length}`)
    expect(JSON.parse(body)).toMatchObject({ result: expected })
    const { headers } = await rawRequest(server.url, `HEAD ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    // The time in `@extra` has more or fewer digits.
    expect(Math.abs(Number(headers['content-length']) - body.length)).toBeLessThan(20)
  })

  it('a streamed answer that fails in the middle is cut off, not ended', async () => {
    server = await startTransport()
    const failing = { ...params, fail: 15 }
    for (const request of [
      get(`${path}&fail=15`),
      rawPost('/jsonRPC', rpc('pieces', failing)),
      rawPost('/api/v2/jsonRPC', rpc('pieces', failing)),
    ]) {
      const text = await readToEnd(request)
      // What was not sent when it failed is not sent any more: it may be all of it.
      expect(text).not.toContain('"error"')
      expect(text.endsWith('0\r\n\r\n')).toBe(false)
    }
    expect(server.pieces.made).toBe(45)
    const compressed = fetch(`${server.url}${path}&fail=15`, { headers: { 'Accept-Encoding': 'gzip' } })
    await expect(compressed.then((answer) => answer.text())).rejects.toThrow()
    expect(server.pieces.over).toBe(4)
    // Nothing is on its way any more.
    await expect.poll(() => server.http.answers().unread_bytes.http).toBe(0)
  })

  it('a streamed answer that fails at once is an ordinary error', async () => {
    server = await startTransport()
    const answer = await fetch(`${server.url}${path}&fail=1`)
    expect([answer.status, await answer.json()]).toMatchObject([500, { ok: false, error: 'a piece that fails' }])
    expect(
      await (await fetch(`${server.url}/jsonRPC`, { method: 'POST', body: rpc('pieces', { ...params, fail: 0 }) })).json(),
    ).toMatchObject({
      error: { message: 'a piece that fails' },
    })
  })

  it('a streamed answer is not made further when its reader leaves', async () => {
    server = await startTransport({ unread: { ofConnection: MiB, ofAll: 64 * MiB, patience: 60_000, grace: 60_000 } })
    const socket = await askAndLeave(get('/api/v2/pieces?count=1000000&size=500000'))
    await expect.poll(() => server.http.answers().unread_bytes.http).toBeGreaterThan(0)
    socket.destroy()
    await expect.poll(() => server.pieces.over).toBe(1)
    await expect.poll(() => server.http.answers().unread_bytes.http).toBe(0)
  })

  it('a reader who takes nothing does not delay what makes the answer', async () => {
    server = await startTransport()
    const socket = await askAndLeave(get('/api/v2/pieces?count=80&size=500000'))
    await expect.poll(() => server.pieces).toEqual({ made: 80, over: 1 })
    expect(server.http.answers().unread_bytes.http).toBeGreaterThan(20 * MiB)
    socket.destroy()
    await expect.poll(() => server.http.answers().unread_bytes.http).toBe(0)
  })

  it('a streamed answer waits for a reader who takes nothing, holds no more than a connection may, and is cut off in the end', async () => {
    server = await startTransport({ unread: { ofConnection: 2 * MiB, ofAll: 64 * MiB, patience: 300, grace: 60_000 } })
    const socket = await askAndLeave(get('/api/v2/pieces?count=1000000&size=500000'))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    let most = 0
    while (server.pieces.over === 0) {
      most = Math.max(most, server.http.answers().unread_bytes.http)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(most).toBeLessThanOrEqual(2 * MiB)
    // What the kernel's buffers take comes on top.
    expect(server.pieces.made).toBeLessThan(100)
    socket.resume()
    await closed
    expect(server.http.answers().unread_bytes.http).toBe(0)
  })
})

describe('long answers that nobody reads', () => {
  const LIMITS = { ofConnection: 16 * MiB, ofAll: 32 * MiB, patience: 1_000, grace: 50 }

  it('unread answers take a bounded amount of memory, and others are answered', async () => {
    server = await startTransport({ unread: LIMITS })
    const inUse = (): number => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers
    }
    const before = inUse()
    let most = 0
    let unread = 0
    for (let i = 0; i < 30; i++) {
      await askAndLeave(get(`/api/v2/echo?size=${8 * MiB}`))
      expect((await fetch(`${server.url}/api/v2/getMasterchainInfo`)).status).toBe(200)
      if (i % 5 === 4) most = Math.max(most, inUse() - before)
      unread = Math.max(unread, server.http.answers().unread_bytes.http)
    }
    expect(unread).toBeLessThanOrEqual(LIMITS.ofAll)
    expect(unread).toBeGreaterThan(8 * MiB)
    // All of them are 240 MiB. On a busy machine several are being made besides those that wait.
    expect(most).toBeLessThan(160 * MiB)
  }, 120_000)

  it('unread answers are counted in /status and /metrics', async () => {
    server = await startTransport({ unread: LIMITS, metrics: 'local' })
    const told = async () => {
      const status = (await (await fetch(`${server.url}/status`)).json()) as object
      const metrics = await (await fetch(`${server.url}/metrics`)).text()
      return { status, bytes: Number(/^tonway_unread_bytes\{transport="http"\} (\d+)$/m.exec(metrics)?.[1]), metrics }
    }
    const before = await told()
    expect(before).toMatchObject({ status: { unread_bytes: { http: 0, websocket: 0 }, batch_bytes: 0, unfinished_bytes: 0 }, bytes: 0 })
    expect(before.metrics).toContain('\ntonway_batch_bytes 0\n')
    const socket = await askAndLeave(get(`/api/v2/echo?size=${8 * MiB}`))
    await expect.poll(() => server.http.answers().unread_bytes.http).toBeGreaterThan(8 * MiB)
    const waiting = server.http.answers().unread_bytes.http
    expect(await told()).toMatchObject({ status: { unread_bytes: { http: waiting, websocket: 0 } }, bytes: waiting })
    socket.resume()
    await expect.poll(async () => (await told()).bytes).toBe(0)
  })

  it('unread answers give way to those of clients that read', async () => {
    server = await startTransport({ unread: LIMITS })
    for (let i = 0; i < 4; i++) await askAndLeave(get(`/api/v2/echo?size=${8 * MiB}`))
    await expect.poll(() => server.http.answers().unread_bytes.http).toBeGreaterThan(24 * MiB)
    const answers = async (): Promise<number> => {
      const { status, headers, body } = await rawRequest(server.url, get(`/api/v2/echo?size=${8 * MiB}`))
      if (status === 200) expect(body.length).toBe(Number(headers['content-length']))
      else expect([status, headers['retry-after'], JSON.parse(body)]).toMatchObject([503, '1', { ok: false, code: 503 }])
      return status
    }
    // Until the others have had their time it may be refused.
    await expect.poll(answers).toBe(200)
    expect(server.http.answers().unread_bytes.http).toBeLessThanOrEqual(LIMITS.ofAll)
  })

  it('further long answers are refused on a connection whose earlier ones are not read', async () => {
    server = await startTransport({ unread: { ...LIMITS, ofConnection: 10 * MiB, ofAll: 1_000 * MiB } })
    const socket = await askAndLeave(get(`/api/v2/echo?size=${8 * MiB}`).repeat(6))
    await expect.poll(() => server.http.answers().unread_bytes.http).toBeGreaterThanOrEqual(8 * MiB)
    expect(server.http.answers().unread_bytes.http).toBeLessThanOrEqual(10 * MiB)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1').replaceAll(/x+/g, 'x')
    })
    socket.resume()
    await expect.poll(() => text.match(/HTTP\/1\.1 \d+/g)?.length).toBe(6)
    expect(text).toContain('HTTP/1.1 200')
    expect(text).toContain('HTTP/1.1 503')
  })

  it('long answers are complete and compressed for clients that read them', async () => {
    server = await startTransport()
    const text = await readToEnd(get(`/api/v2/echo?size=${2 * MiB}`, 'Accept-Encoding: gzip\r\nConnection: close\r\n'))
    expect(text).toContain('Content-Encoding: gzip')
    const body = text.slice(text.indexOf('\r\n\r\n') + 4)
    const chunks: Buffer[] = []
    for (let at = 0; ; ) {
      const end = body.indexOf('\r\n', at)
      const size = Number.parseInt(body.slice(at, end), 16)
      if (size === 0) break
      chunks.push(Buffer.from(body.slice(end + 2, end + 2 + size), 'latin1'))
      at = end + 2 + size + 2
    }
    expect(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString())).toMatchObject({ result: 'x'.repeat(2 * MiB) })
  })
})
