import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TonError } from '../../../shared/errors.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'

/* What the heads of requests to the endpoints of JSON-RPC decide: who calls, whether the request is taken at all, and how its answer is compressed. */

let server: Transport
beforeAll(async () => {
  server = await startTransport({
    networks: ['local', 'testnet'],
    gate: {
      admit(req) {
        const key = req.headers['x-api-key']
        if (key === 'wrong') throw new TonError('UNAUTHORIZED', 'API key does not exist')
        if (key === 'away') return Promise.reject(new TonError('UNAVAILABLE', 'keys are away', { retryAfter: 3 }))
        const caller = { keyId: 'a', servers: undefined, take: () => key !== 'poor', charge: () => {}, onEnd: () => () => {} }
        return key === 'later' ? Promise.resolve(caller) : caller
      },
    },
  })
})
afterAll(() => server.close())

const call = (method: string, params: object = {}): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

interface Answer {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

const ask = (path: string, headers: Readonly<Record<string, string>>, body: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, { method: 'POST', agent: false, headers }, (response) => {
      const coding = response.headers['content-encoding']
      buffer(response).then((bytes) => {
        const text = coding === 'gzip' ? gunzipSync(bytes) : coding === 'deflate' ? inflateSync(bytes) : bytes
        resolve({ status: response.statusCode, headers: response.headers, body: String(text) })
      }, reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })

describe.each(['/jsonRPC', '/api/v2/jsonRPC'])('a request to %s', (path) => {
  it.each([
    ['a compressed body', { 'Content-Encoding': 'gzip' }, 415, /compressed/],
    ['an expectation', { Expect: 'the best' }, 417, /Expect/],
    ['a wrong key', { 'X-API-Key': 'wrong' }, 401, /API key does not exist/],
    ['a key while keys are away', { 'X-API-Key': 'away' }, 503, /keys are away/],
  ])('a request with %s is refused as a whole', async (_what, headers, status, text) => {
    for (const body of [call('getShards', { seqno: 7 }), `[${call('getShards', { seqno: 7 })}]`, '{']) {
      const answer = await ask(path, headers, body)
      expect([answer.status, answer.body]).toEqual([status, expect.stringMatching(text)])
      expect(answer.headers['retry-after']).toBe(status === 503 ? '3' : undefined)
    }
  })

  it('a request whose key takes time to find is answered, and one over its limit is refused', async () => {
    expect(await ask(path, { 'X-API-Key': 'later' }, call('getShards', { seqno: 7 }))).toMatchObject({ status: 200 })
    for (const body of [call('getShards', { seqno: 'x' }).replace('"method"', '"m"'), '{', '5']) {
      const { status, body: text } = await ask(path, { 'X-API-Key': 'poor' }, body)
      expect([status, text]).toEqual([429, expect.stringContaining('Ratelimit exceeded')])
    }
  })

  it.each([
    ['gzip, deflate, br', 'gzip'],
    ['deflate', 'deflate'],
    ['identity;q=0', undefined],
    ['br', undefined],
  ])('answers for a client that accepts %s are compressed as it can read them', async (accepted, coding) => {
    for (const size of [10, 2_000, 60_000, 200_000]) {
      const { status, headers, body } = await ask(path, { 'Accept-Encoding': accepted }, call('echo', { size }))
      expect([status, headers['content-encoding']]).toEqual([200, size === 10 ? undefined : coding])
      expect(JSON.parse(body)).toMatchObject({ ok: true, id: 1, result: 'x'.repeat(size) })
    }
    const { headers, body } = await ask(path, { 'Accept-Encoding': accepted }, call('pieces', { count: 10, size: 20_000 }))
    expect(headers['content-encoding']).toBe(coding)
    expect(JSON.parse(body).result).toHaveLength(10)
  })

  it('a body of unknown length, and a prefix of a network, are as good as any other', async () => {
    const body = call('getShards', { seqno: 7 })
    const chunked = await ask(path, { 'Transfer-Encoding': 'chunked' }, body)
    expect(JSON.parse(chunked.body)).toMatchObject({ ok: true, id: 1 })
    expect(await ask(`/testnet${path}`, {}, call('getMasterchainInfo'))).toMatchObject({ status: 200 })
    expect(server.calls.get('getMasterchainInfo')?.network).toBe('testnet')
  })
})

describe('the end of the service', () => {
  it('calls that run when the service ends are answered, and each is counted', async () => {
    const own = await startTransport({ metrics: 'all' })
    const post = (method: string, params: object) => fetch(`${own.url}/jsonRPC`, { method: 'POST', body: call(method, params) })
    await (await post('getMasterchainInfo', {})).text()
    expect(await (await fetch(`${own.url}/metrics`)).text()).toMatch(/door="jsonRPC",status="200"\} 1/)
    const busy = post('slow', { ms: 300 })
    await expect.poll(() => own.peak.now).toBe(1)
    const closing = own.close()
    expect(await (await busy).json()).toMatchObject({ result: 'slept 300' })
    await closing
  })
})
