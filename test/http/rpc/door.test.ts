import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../server/http/limits.ts'
import { TonError } from '../../../shared/errors.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'

/* POST to exactly the path of an endpoint does not pass Koa. With a `?` behind the path it does, and everything else is the same. */

let server: Transport
const agent = new Agent({ keepAlive: true, maxSockets: 4 })
beforeAll(async () => {
  server = await startTransport({
    networks: ['local', 'testnet'],
    gate: {
      admit(req) {
        if (req.headers['x-api-key'] === 'wrong') throw new TonError('UNAUTHORIZED', 'API key does not exist')
        if (req.headers['x-api-key'] === 'away') return Promise.reject(new TonError('UNAVAILABLE', 'keys are away', { retryAfter: 3 }))
        const caller = {
          keyId: 'a',
          servers: undefined,
          take: () => req.headers['x-api-key'] !== 'poor',
          charge: () => {},
          onEnd: () => () => {},
        }
        return req.headers['x-api-key'] === 'later' ? Promise.resolve(caller) : caller
      },
    },
  })
})
afterAll(async () => {
  agent.destroy()
  await server.close()
})

interface Answer {
  readonly status: number | undefined
  readonly headers: readonly string[]
  readonly body: string
}

/** What differs between two answers to one request: times, ids, and the moment in `@extra`. */
const OWN = new Set(['date', 'x-request-id'])

const ask = (path: string, headers: Readonly<Record<string, string | string[]>>, body: string | Buffer): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, {
      method: 'POST',
      agent,
      headers: { 'Content-Length': String(Buffer.byteLength(body)), ...headers },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const { statusCode: status, rawHeaders } = response
      const told: string[] = []
      for (let i = 0; i < rawHeaders.length; i += 2) {
        const name = rawHeaders[i]!.toLowerCase()
        told.push(OWN.has(name) && headers['X-Request-Id'] === undefined ? name : `${name}: ${name === 'date' ? '' : rawHeaders[i + 1]}`)
      }
      const id = response.headers['x-request-id'] as string
      buffer(response).then((bytes) => {
        const coding = response.headers['content-encoding']
        const text = String(coding === 'gzip' ? gunzipSync(bytes) : coding === 'deflate' ? inflateSync(bytes) : bytes)
        // The time in `@extra` differs, and with it the length.
        const shown = text.includes('"@extra":"') ? told.filter((line) => !line.startsWith('content-length')) : told
        const body = text.replaceAll(id, 'ID').replace(/"@extra":"\d+:(.):[\d.]+(:c)?"/, '"@extra":"$1$2"')
        resolve({ status, headers: shown, body })
      }, reject)
    })
    sent.end(body)
  })

const call = (method: string, params: object = {}, members: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, ...members })

const BODIES: Readonly<Record<string, string | Buffer>> = {
  'a call': call('getShards', { seqno: 7 }),
  'a cached call': call('getMasterchainInfo'),
  'a call of an unknown method': call('getShard'),
  'a call with a wrong parameter': call('getShards', { seqno: 'x' }),
  'a call with an unknown parameter': call('getShards', { seqno: 7, x: 1 }),
  'a call that fails': call('fail', { how: 'limited' }),
  'a call that fails in an unknown way': call('fail', { how: 'unknown' }),
  'a call that may not be made from here': call('local.wallets'),
  'a call with a large id': '{"jsonrpc":"2.0","id":12345678901234567890,"method":"getShards","params":{"seqno":7}}',
  'a call with a byte order mark': `\ufeff${call('getShards', { seqno: 7 })}`,
  'a notification': call('getShards', { seqno: 7 }, { id: undefined }),
  'a batch': `[${call('getShards', { seqno: 7 })},${call('fail', { how: 'deep' })},1]`,
  'a batch of notifications': `[${call('getShards', { seqno: 7 }, { id: undefined })}]`,
  'an empty batch': '[]',
  'a batch that is too long': `[${'1,'.repeat(LIMITS.batchItems)}1]`,
  'no call': '{}',
  'no JSON': '{',
  'bytes that are no text': Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
  nothing: '',
  'a body that is too large': ' '.repeat(LIMITS.body + 1),
  'a long answer': call('echo', { size: 2_000 }),
  'a longer answer': call('echo', { size: 60_000 }),
  'a very long answer': call('echo', { size: 200_000 }),
  'an answer in pieces': call('pieces', { count: 10, size: 20_000 }),
}

const HEADERS: Readonly<Record<string, Readonly<Record<string, string | string[]>>>> = {
  'no further headers': {},
  'gzip accepted': { 'Accept-Encoding': 'gzip, deflate, br' },
  'deflate accepted': { 'Accept-Encoding': 'deflate' },
  'no encoding accepted': { 'Accept-Encoding': 'identity;q=0' },
  'an id of the caller': { 'X-Request-Id': 'mine.1' },
  'an origin': { Origin: 'https://dapp.example', 'Content-Type': 'text/plain' },
  'the connection to be closed': { Connection: 'close' },
  'a compressed body': { 'Content-Encoding': 'gzip' },
  'an expectation': { Expect: 'the best' },
  'a wrong key': { 'X-API-Key': 'wrong' },
  'a key that takes time': { 'X-API-Key': 'later' },
  'keys that are away': { 'X-API-Key': 'away' },
  'a key whose limit is used up': { 'X-API-Key': 'poor' },
}

describe('the door of JSON-RPC', () => {
  it.each(['/jsonRPC', '/api/v2/jsonRPC'])('%s answers any request as it does behind Koa: status, headers, body', async (path) => {
    const seen = new Set<number | undefined>()
    let count = 0
    for (const [what, body] of Object.entries(BODIES)) {
      for (const [how, headers] of Object.entries(HEADERS)) {
        const [plain, koa] = [await ask(path, headers, body), await ask(`${path}?`, headers, body)]
        expect({ what, how, ...plain }).toEqual({ what, how, ...koa })
        seen.add(plain.status)
        count++
      }
    }
    expect(count).toBeGreaterThan(300)
    for (const status of [200, 204, 401, 413, 415, 417, 429, 503]) expect(seen).toContain(status)
  })

  it('a body of unknown length, another verb and a prefix of a network are answered as well', async () => {
    const body = call('getShards', { seqno: 7 })
    const chunked = await fetch(`${server.url}/jsonRPC`, {
      method: 'POST',
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(await chunked.json()).toMatchObject({ ok: true, id: 1 })
    expect((await fetch(`${server.url}/jsonRPC`)).status).toBe(405)
    const other = await fetch(`${server.url}/testnet/jsonRPC`, { method: 'POST', body })
    expect(await other.json()).toMatchObject({ ok: true })
  })

  it('requests by the door are counted, and their callers are told when the service stops', async () => {
    const own = await startTransport({ metrics: 'all' })
    const post = () => fetch(`${own.url}/jsonRPC`, { method: 'POST', body: call('getMasterchainInfo') })
    await (await post()).text()
    expect(await (await fetch(`${own.url}/metrics`)).text()).toMatch(/door="jsonRPC",status="200"\} 1/)
    const busy = fetch(`${own.url}/jsonRPC`, { method: 'POST', body: call('slow', { ms: 300 }) })
    await expect.poll(() => own.peak.now).toBe(1)
    const closing = own.close()
    expect(await (await busy).json()).toMatchObject({ result: 'slept 300' })
    await closing
  })
})
