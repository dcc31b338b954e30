import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startTransport, type Transport } from '../kit/service/test-transports.ts'

/* One thing that is thrown, at every door: the same kind and the same text, in the form and with the status of the door. */

let server: Transport
beforeAll(async () => {
  server = await startTransport()
})
afterAll(() => server?.close())

const post = (path: string, body: unknown) =>
  fetch(`${server.url}${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
const callOf = (how: string) => ({ jsonrpc: '2.0', id: 1, method: 'fail', params: { how } })

const overSocket = (how: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(server.wsUrl)
    socket.onerror = () => reject(new Error('the socket failed'))
    socket.onopen = () => socket.send(JSON.stringify(callOf(how)))
    socket.onmessage = ({ data }) => {
      socket.close()
      resolve(JSON.parse(String(data)))
    }
  })

describe('an error', () => {
  it.each([
    ['overloaded', 'UNAVAILABLE', 503, -32053, '8 TVM requests are waiting', 1],
    ['timeout', 'SOURCE_TIMEOUT', 504, -32054, 'LITE_SERVER_NETWORK timeout', undefined],
    ['workers', 'NO_WORKERS', 542, -32093, 'no workers available (archival=0 mode=Single)', undefined],
    ['limited', 'RATE_LIMITED', 429, -32029, 'Ratelimit exceeded', 7],
    ['chain', 'CHAIN', 500, -32050, 'LITE_SERVER_UNKNOWN: cannot apply external message to current state', undefined],
  ] as const)('an error of the kind "%s" is %s at every door', async (how, kind, status, code, text, retryAfter) => {
    const header = retryAfter === undefined ? null : String(retryAfter)
    const rest = await fetch(`${server.url}/api/v2/fail?how=${how}`)
    expect([rest.status, rest.headers.get('retry-after')]).toEqual([status, header])
    expect(await rest.json()).toMatchObject({ ok: false, error: text, code: status })

    const dialect = await post('/api/v2/jsonRPC', callOf(how))
    expect([dialect.status, dialect.headers.get('retry-after')]).toEqual([status, header])
    expect(await dialect.json()).toMatchObject({ ok: false, error: text, code: status, id: 1 })

    const error = { code, message: text, data: retryAfter === undefined ? { kind } : { kind, retryAfter } }
    const strict = { jsonrpc: '2.0', id: 1, error }
    expect(await (await post('/jsonRPC', callOf(how))).json()).toEqual(strict)
    expect(await (await post('/jsonRPC', [callOf(how)])).json()).toEqual([strict])
    expect(await overSocket(how)).toEqual(strict)
  })
})

describe('an answer with a header that cannot be written', () => {
  const BAD = encodeURIComponent('two\nlines')
  const answers = async (path: string): Promise<void> => {
    for (const encoding of ['gzip', 'identity']) {
      const answer = await fetch(`${server.url}${path}`, { headers: { 'Accept-Encoding': encoding } })
      expect([answer.status, answer.headers.get('x-test')]).toEqual([500, null])
      expect(await answer.json()).toMatchObject({ ok: false, code: 500, error: expect.stringMatching(/^internal error, request /) })
      expect((await fetch(`${server.url}${path.replace(BAD, 'fine')}`)).headers.get('x-test')).toBe('fine')
    }
  }

  it('an answer with a header that cannot be written is an internal error, compressed or not', async () => {
    await answers(`/api/v2/echo?size=100000&header=${BAD}`)
    await answers(`/api/v2/echo?size=1000000&header=${BAD}`)
  })

  it('an answer that would be made while it is sent is made no further', async () => {
    const before = server.pieces.over
    await answers(`/api/v2/pieces?count=20&size=50000&header=${BAD}`)
    await expect.poll(() => server.pieces.over).toBe(before + 4)
    await expect.poll(() => server.http.answers().unread_bytes.http).toBe(0)
  })
})
