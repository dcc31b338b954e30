import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../kit/service/client.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'
import { rawRequest } from '../raw.ts'

let server: Transport
beforeAll(async () => {
  server = await startTransport()
})
afterAll(() => server.close())

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
type Body = Record<string, unknown> & { readonly error: string }
const get = (path: string, init: RequestInit = {}) => ask<Body>(`${server.url}${path}`, init)
const post = (path: string, body: BodyInit) => get(path, { method: 'POST', body })

describe('the REST mirror', () => {
  it('REST answers have an envelope and @extra; the second one comes from the cache', async () => {
    const first = (await get(`/api/v2/getAddressBalance?address=${ADDRESS}`)).body
    expect(first).toEqual({ ok: true, result: '1500000000', '@extra': expect.stringMatching(/^\d{10}:0:\d+(\.\d{1,3})?$/) })
    const second = (await get(`/api/v2/getAddressBalance?address=${ADDRESS}`)).body
    expect(second).toEqual({ ok: true, result: '1500000000', '@extra': expect.stringMatching(/^\d{10}:0:\d+(\.\d{1,3})?:c$/) })
  })

  it('@extra says that a computation asked no lite-server', async () => {
    const hash = '00'.repeat(32)
    expect((await get(`/api/v2/detectHash?hash=${hash}`)).body).toMatchObject({ '@extra': expect.stringMatching(/^\d{10}:_:/) })
  })

  it('a POST may have an object, an empty body or no body, and its query is ignored', async () => {
    for (const body of ['{}', '', ' \n', '\ufeff{}'])
      expect((await post('/api/v2/getMasterchainInfo', body)).body).toMatchObject({ ok: true })
    const asked = await post('/api/v2/getAddressBalance?address=nonsense', JSON.stringify({ address: ADDRESS }))
    expect(asked.body).toMatchObject({ ok: true, result: '1500000000' })
  })

  it('a POST without a body that has its parameters in the query is told where they belong', async () => {
    const { status, body } = await post(`/api/v2/getAddressBalance?address=${ADDRESS}&api_key=k`, '')
    const error = 'failed to parse post request: the body is empty (expected a JSON object with address in the body, not in the query)'
    expect([status, body]).toMatchObject([422, { ok: false, error }])
  })

  it('the REST mirror serves aliases of methods', async () => {
    expect((await get('/api/v2/shards?seqno=5')).body).toMatchObject({ ok: true, result: { seqno: 5 } })
    expect((await post('/api/v2/shards', '{"seqno":5}')).body).toMatchObject({ ok: true, result: { seqno: 5 } })
  })

  it('HEAD is answered like GET without a body', async () => {
    const full = await rawRequest(server.url, 'GET /api/v2/getMasterchainInfo HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const head = await rawRequest(server.url, 'HEAD /api/v2/getMasterchainInfo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    expect(head.status).toBe(200)
    expect(head.body).toBe('')
    expect(head.headers['content-type']).toBe(full.headers['content-type'])
    expect(Number(head.headers['content-length'])).toBeGreaterThan(500)
  })

  it.each([
    ['GET', '/api/v2/sendBoc', 'POST'],
    ['HEAD', '/api/v2/sendBoc', 'POST'],
    ['PUT', '/api/v2/getMasterchainInfo', 'GET, HEAD, POST'],
    ['DELETE', '/api/v2/sendBoc', 'POST'],
    ['PATCH', '/api/v2/shards', 'GET, HEAD, POST'],
  ])('%s %s is answered with 405 and Allow: %s', async (method, path, allow) => {
    const answer = await get(path, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe(allow)
    if (method !== 'HEAD') expect(answer.body).toEqual({ ok: false, error: `unsupported http method: ${method}`, code: 405, '@extra': '_' })
  })

  it.each([
    '/api/v2/getNothing',
    '/api/v2/getmasterchaininfo',
    '/api/v2/getMasterchainInfo/',
    '/api/v2/__proto__',
    '/api/v2/constructor',
    '/api/v2/toString',
    '/api/v2/hasOwnProperty',
    '/api/v2/local.wallets',
    '/api/v2/%zz',
    '/api/v2/%00',
    '/api/v2/../v2/getMasterchainInfo/..',
    '/nothing',
    '//',
    '/api/v2/jsonRPC/',
    '/api/v2/getMasterchainInfo%2f',
  ])('%s is answered with 404 in JSON, by GET and POST', async (path) => {
    for (const verb of ['GET', 'POST']) {
      const answer = await rawRequest(server.url, `${verb} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`)
      expect(answer.status).toBe(404)
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      const error = expect.stringMatching(
        /^Not Found(; did you mean \/api\/v2\/(getMasterchainInfo|jsonRPC)\?|; local.wallets is called by JSON-RPC, at \/jsonRPC)?$/,
      )
      expect(JSON.parse(answer.body)).toEqual({ ok: false, error, code: 404, '@extra': '_' })
    }
  })

  it('a path of a network that is not served says so', async () => {
    for (const path of ['/testnet/api/v2/getMasterchainInfo', '/testnet/jsonRPC'])
      expect((await rawRequest(server.url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).body).toContain(
        '"Not Found; this service has no network testnet"',
      )
  })

  it.each([
    ['chain', 500, 'LITE_SERVER_UNKNOWN: cannot apply external message to current state', '0'],
    ['chain400', 400, 'LITE_SERVER_UNKNOWN: refused', '0'],
    ['notFound', 404, 'transaction was not found', '0'],
    ['notAToken', 409, 'Smart contract is not Jetton or NFT', '0'],
    ['timeout', 504, 'LITE_SERVER_NETWORK timeout', '_'],
    ['workers', 542, 'no workers available (archival=0 mode=Single)', '_'],
    ['deep', 533, 'Result stack depth >= 100', '_'],
    ['limited', 429, 'Ratelimit exceeded', '_'],
  ])('an error of kind %s is answered with %d', async (how, status, text, source) => {
    const answer = await get(`/api/v2/fail?how=${how}`)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({
      ok: false,
      error: text,
      code: status,
      '@extra': expect.stringMatching(new RegExp(`^\\d{10}:${source}:[\\d.]+$`)),
    })
    expect(answer.headers.get('retry-after')).toBe(how === 'limited' ? '7' : null)
  })

  it.each(['unknown', 'text', 'bigint', 'undefined'])('an internal error (%s) shows a request id and nothing else', async (how) => {
    const answer = await get(`/api/v2/fail?how=${how}`, { headers: { 'X-Request-Id': 'my-own.id:7' } })
    expect(answer.status).toBe(500)
    expect(answer.headers.get('x-request-id')).toBe('my-own.id:7')
    expect(answer.body).toMatchObject({ error: 'internal error, request my-own.id:7', code: 500 })
  })

  it('a method without a handler is answered with 501', async () => {
    const answer = await get('/api/v2/unserved')
    expect(answer.status).toBe(501)
    expect(answer.body).toMatchObject({ ok: false, code: 501 })
  })
})

describe('parameters of the REST mirror', () => {
  it('unknown query parameters are named, and the call is served', async () => {
    const answer = await get(`/api/v2/getAddressBalance?address=${ADDRESS}&adress=1&api_key=secret&имя=2&__proto__=3`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-unknown-params')).toBe('adress, %D0%B8%D0%BC%D1%8F, __proto__')
  })

  it('the named unknown parameters are bounded: ten names, 200 bytes, any characters', async () => {
    const many = Array.from({ length: 50 }, (_, i) => `n${i}=1`).join('&')
    const ten = (await get(`/api/v2/getMasterchainInfo?${many}`)).headers.get('x-unknown-params')
    expect(ten).toBe(Array.from({ length: 10 }, (_, i) => `n${i}`).join(', '))
    const long = (await get(`/api/v2/getMasterchainInfo?${'ж'.repeat(30)}=1&${'я'.repeat(30)}=1`)).headers.get('x-unknown-params')
    expect(long?.length).toBeLessThanOrEqual(200)
    expect((await get('/api/v2/getMasterchainInfo?a%0d%0ab=1&%ED%A0%80=2&%zz=3')).status).toBe(200)
  })

  it('unknown members of a body are refused', async () => {
    const answer = await post('/api/v2/getAddressBalance', JSON.stringify({ address: ADDRESS, adress: 1 }))
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ ok: false, code: 422 })
  })

  const bodies = [
    '{',
    '{"address":"a"',
    'nonsense',
    '[]',
    '[1]',
    'null',
    '1',
    '"text"',
    'true',
    '{"address":}',
    '{"address":[[[[]]]]}',
    '{"address":{}}',
    '{"address":12}',
    '{"address":null}',
    '{"address":"0:12"}',
    '{"__proto__":{"address":"x"}}',
    '{"constructor":1}',
    '\u0000',
    '{"address":"\u0000"}',
    '{"seqno":1e999,"address":"x"}',
    '['.repeat(100_000),
    '{"a":'.repeat(100_000),
    `{"address":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ]
  it.each(bodies.map((body) => [body.slice(0, 40), body]))('a POST of %s is answered with 422 in JSON', async (_title, body) => {
    const answer = await post('/api/v2/getAddressBalance', body)
    expect(answer.status).toBe(422)
    const { error, ...rest } = answer.body
    expect(rest).toEqual({ ok: false, code: 422, '@extra': expect.any(String) })
    expect(error).toMatch(/./)
    expect(error.length).toBeLessThan(1000)
  })

  it.each([
    ['', 'address'],
    ['?address=', 'address'],
    ['?address=nonsense', 'nonsense'],
    [`?address=${ADDRESS}&address=${ADDRESS}`, 'address takes one value, not a list'],
    [`?address=${ADDRESS.slice(0, -1)}A`, 'ton_addr'],
    [`?address=${ADDRESS}&seqno=x`, 'seqno'],
    [`?address=${ADDRESS}&seqno=0`, 'seqno'],
    [`?address=${ADDRESS}&seqno=-1`, 'seqno'],
    [`?address=${ADDRESS}&seqno=99999999999999999999`, 'seqno'],
    [`?address=${'ж'.repeat(100)}`, 'ton_addr'],
  ])('a GET with %s is answered with 422 and the reason', async (query, word) => {
    const answer = await get(`/api/v2/getAddressBalance${query}`)
    expect(answer.status).toBe(422)
    expect(answer.body.error).toContain(word)
  })
})
