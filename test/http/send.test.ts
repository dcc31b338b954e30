import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { sendJson } from '../../server/http/answer/send.ts'
import type { Exchange, State } from '../../server/http/exchange.ts'

/* How an answer is written, where the rest of the service would hide it. */

const TEXT = JSON.stringify('x'.repeat(100_000))

/** What a client gets that asks a server which answers by `act`, and the errors that are logged. */
const answered = async (coding: string, act: (ctx: Exchange) => void, headers: string[] = []) => {
  const logged: unknown[] = []
  const written: unknown[] = []
  const server = createServer((req, res) => {
    const end = res.end.bind(res)
    res.end = ((body: unknown) => {
      written.push(body)
      return end(body)
    }) as typeof res.end
    const log = { ...silentLog, error: (_: string, fields: unknown) => void logged.push(fields) }
    const state = { headers, call: { log } } as unknown as State
    act({ req, res, method: 'GET', originalUrl: '/', state, acceptsEncodings: () => coding })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const answer = await fetch(url, { headers: { 'accept-encoding': coding } }).then(
      (response) => response.text(),
      () => 'cut off',
    )
    return { answer, logged, written }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('an answer', () => {
  it('an answer that cannot be written after its compression cuts its connection, not the process', async () => {
    const { answer, logged } = await answered('gzip', (ctx) => sendJson(ctx, 200, TEXT), ['X-Broken', 'two\nlines'])
    expect(answer).toBe('cut off')
    expect(logged).toMatchObject([{ err: { code: 'ERR_INVALID_CHAR' } }])
  })

  it('a compressed answer is left out if another one was sent meanwhile', async () => {
    const { answer, logged } = await answered('gzip', (ctx) => {
      sendJson(ctx, 200, TEXT)
      ctx.res.end('faster')
    })
    expect([answer, logged]).toEqual(['faster', []])
  })

  it('a large answer goes out as bytes, whether it is compressed or not', async () => {
    for (const coding of ['gzip', 'identity']) {
      const { answer, written } = await answered(coding, (ctx) => sendJson(ctx, 200, TEXT))
      expect(answer).toBe(TEXT)
      const [body] = written as Buffer[]
      expect(Buffer.isBuffer(body)).toBe(true)
      expect((coding === 'gzip' ? gunzipSync(body!) : body!).toString()).toBe(TEXT)
    }
  })
})
