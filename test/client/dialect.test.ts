import { describe, expect, it } from 'vitest'
import { createClient } from '../../client/index.ts'
import { sleep } from '../kit/wait.ts'
import { type Answer, failing, type Seen, send, serve } from './servers.ts'

/* Servers without batches: TON Center's own programs, and others that answer one call at a time. */

/** The C++ program: no id, no jsonrpc, errors as text; an array makes it fail (v2.md 1.6). */
const tonCenter =
  (refuse: Answer, result: (seen: Seen) => unknown = ({ calls }) => calls[0]!.params): Answer =>
  (seen, response, request) => {
    if (seen.path !== '/api/v2/jsonRPC') return send(response, { ok: false, error: 'Not Found', code: 404 }, 404)
    if (Array.isArray(seen.body)) return refuse(seen, response, request)
    send(response, { ok: true, result: result(seen), '@extra': '1:0:0' })
  }
const plain500: Answer = (_, response) => send(response, 'Internal Server Error', 500)
const fast = { rps: 1000, retry: { times: 1, base: 1 } }
const five = ['a', 'b', 'c', 'd', 'e']

describe('a server without batches', () => {
  it.each([
    ['500 as text', plain500],
    ['422', (_, response) => send(response, { ok: false, error: 'failed to parse', code: 422 }, 422)],
    ['405', (_, response) => send(response, { ok: false, error: 'no', code: 405 }, 405)],
    ['200 and an error of its dialect', (_, response) => send(response, { ok: false, error: 'no', code: 500 })],
    [
      'an error about the request',
      (_, response) => send(response, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'an object is expected' } }),
    ],
  ] satisfies [string, Answer][])('a server that refuses arrays by %s is recognised once', async (_, refuse) => {
    await using server = await serve(tonCenter(refuse))
    const ton = createClient({ url: `${server.url}/api/v2/jsonRPC`, ...fast })
    for (const round of [1, 2]) {
      const answers = await Promise.all(five.map((address) => ton.getAddressBalance({ address: address + round })))
      expect(answers).toEqual(five.map((address) => ({ address: address + round })))
    }
    expect(server.seen.filter(({ body }) => Array.isArray(body)).length).toBe(1)
    expect(server.seen.length).toBe(11)
  })

  it('a server without batches is recognised once though hundreds of calls begin together', async () => {
    await using server = await serve(tonCenter(plain500))
    const ton = createClient({ url: `${server.url}/api/v2/jsonRPC`, ...fast, rps: 1e6 })
    const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => ton.getAddressBalance({ address: `${i}` })))
    expect(answers).toEqual(Array.from({ length: 300 }, (_, i) => ({ address: `${i}` })))
    expect(server.seen.filter(({ body }) => Array.isArray(body)).length).toBe(1)
  })

  it('a server without batches is found below its base address', async () => {
    await using server = await serve(tonCenter(plain500))
    for (const url of [server.url, `${server.url}/`, `${server.url}/api/v2`, `${server.url}/api/v2/`]) {
      const lone = createClient({ url, ...fast })
      expect(await lone.sendBoc({ boc: 'x' })).toEqual({ boc: 'x' })
      const ton = createClient({ url, ...fast })
      expect(await Promise.all([ton.getAddressBalance({ address: 'a' }), ton.getAddressBalance({ address: 'b' })])).toEqual([
        { address: 'a' },
        { address: 'b' },
      ])
    }
    // What was not found was not done: each write was done once.
    expect(server.seen.filter(({ path, calls }) => path === '/api/v2/jsonRPC' && calls[0]!.method === 'sendBoc').length).toBe(4)
  })

  it('a server without batches gets a write once, never in an array', async () => {
    await using server = await serve(tonCenter(plain500))
    const ton = createClient({ url: `${server.url}/api/v2/jsonRPC`, ...fast })
    const answers = await Promise.all([
      ton.getAddressBalance({ address: 'a' }),
      ton.sendBoc({ boc: 'x' }),
      ton.getAddressBalance({ address: 'b' }),
    ])
    expect(answers).toEqual([{ address: 'a' }, { boc: 'x' }, { address: 'b' }])
    const writes = server.seen.filter(({ calls }) => calls.some(({ method }) => method === 'sendBoc'))
    expect(writes.map(({ body }) => Array.isArray(body))).toEqual([false])
  })

  it('a server without batches answers with the id as text, as the Python program does', async () => {
    await using server = await serve(tonCenter(plain500, ({ calls }) => calls[0]!.params))
    await using python = await serve((seen, response) =>
      Array.isArray(seen.body)
        ? send(response, { ok: false, error: 'x', code: 422 }, 422)
        : send(response, { ok: true, result: seen.calls[0]!.params, jsonrpc: '2.0', id: String(seen.calls[0]!.id) }),
    )
    for (const { url } of [server, python]) {
      const ton = createClient({ url: `${url}/api/v2/jsonRPC`, ...fast })
      expect(await Promise.all(five.map((address) => ton.getAddressBalance({ address })))).toEqual(five.map((address) => ({ address })))
    }
  })

  it('a server without batches answers errors in its own form', async () => {
    const errors: Record<string, [number, object]> = {
      a: [422, { ok: false, error: 'Failed to parse ton_addr', code: 422 }],
      b: [404, { ok: false, error: 'transaction was not found', code: 404 }],
      c: [500, { ok: false, error: 'LITE_SERVER_UNKNOWN: no', code: 500 }],
      d: [429, { ok: false, result: 'Ratelimit exceed', code: 429 }],
      e: [200, { ok: false, error: 'no', code: 401 }],
      f: [542, { ok: false, error: 'no workers', code: 542 }],
    }
    await using server = await serve(({ calls, body }, response) => {
      if (Array.isArray(body)) return send(response, '', 500)
      const [status, answer] = errors[String(calls[0]!.params['address'])]!
      send(response, answer, status)
    })
    const ton = createClient({ url: `${server.url}/api/v2/jsonRPC`, ...fast })
    const got = await Promise.all(Object.keys(errors).map((address) => failing(ton.getAddressBalance({ address }))))
    expect(got.map(({ kind, message, status }) => [kind, message.slice('getAddressBalance: '.length), status])).toEqual([
      ['INVALID_PARAMS', 'Failed to parse ton_addr', 422],
      ['NOT_FOUND', 'transaction was not found', 404],
      ['INTERNAL', 'LITE_SERVER_UNKNOWN: no', 500],
      ['RATE_LIMITED', 'Ratelimit exceed', 429],
      ['UNAUTHORIZED', 'no', 401],
      ['NO_WORKERS', 'no workers', 542],
    ])
  })

  it('a first failure of something in front of a server does not mark it for good as one without batches', async () => {
    const page = 'default backend - 404'
    const echoed: Answer = ({ body, calls }, response) => {
      const items = calls.map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params }))
      send(response, Array.isArray(body) ? items : { ok: true, ...items[0] })
    }
    const ask = (ton: ReturnType<typeof createClient>) => Promise.all(five.map((address) => ton.getAddressBalance({ address })))
    await using server = await serve((seen, response, request) =>
      server.seen.length === 1 ? send(response, page, 404) : echoed(seen, response, request),
    )
    const ton = createClient({ url: server.url, ...fast })
    for (let round = 0; round < 3; round++) expect(await ask(ton)).toEqual(five.map((address) => ({ address })))
    expect(server.seen.map(({ calls }) => calls.length)).toEqual([5, 1, 1, 1, 1, 1, 5, 5])
    // One that repeats ids and takes no arrays is asked about them twice, not for ever.
    await using other = await serve((seen, response, request) =>
      Array.isArray(seen.body) ? send(response, page, 404) : echoed(seen, response, request),
    )
    const lone = createClient({ url: other.url, ...fast })
    for (let round = 0; round < 4; round++) expect(await ask(lone)).toEqual(five.map((address) => ({ address })))
    expect(other.seen.filter(({ body }) => Array.isArray(body)).length).toBe(2)
  })

  it('one failure does not mark a server as one without batches', async () => {
    let broken = true
    await using server = await serve(({ calls, body }, response) => {
      if (broken) return send(response, 'oops', 500)
      const items = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: 'ok' }))
      send(response, Array.isArray(body) ? items : items[0])
    })
    const ton = createClient({ url: server.url, retry: false, rps: 1000 })
    const two = (round: number) => Promise.allSettled(['a', 'b'].map((address) => ton.getAddressBalance({ address: address + round })))
    expect((await two(1)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    broken = false
    expect((await two(2)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(server.seen.at(-1)!.calls.length).toBe(2)
  })
})

describe('its limits', () => {
  it('calls to a server without batches are spread evenly over a second, with a bounded number at once', async () => {
    let active = 0
    let most = 0
    await using server = await serve(async ({ body }, response) => {
      if (Array.isArray(body)) return send(response, '', 500)
      most = Math.max(most, ++active)
      await sleep(100)
      active--
      send(response, { ok: true, result: 'ok' })
    })
    const ton = createClient({ url: `${server.url}/api/v2/jsonRPC`, rps: 50, concurrency: 3, retry: false })
    await Promise.all(Array.from({ length: 12 }, (_, i) => ton.getAddressBalance({ address: `${i}` })))
    expect(most).toBe(3)
    const times = server.seen.slice(1).map(({ at }) => at)
    // No second holds more than its share.
    expect(times.at(-1)! - times[0]!).toBeGreaterThanOrEqual((11 * 1000) / 50 - 5)
  })

  it('a server without batches gets one call a second without a key, ten with one', async () => {
    await using server = await serve(tonCenter(plain500))
    const url = `${server.url}/api/v2/jsonRPC`
    const two = async (key?: string) => {
      server.seen.length = 0
      const ton = createClient({ url, key })
      await Promise.all([ton.getAddressBalance({ address: 'a' }), ton.getAddressBalance({ address: 'b' })])
      const [, first, second] = server.seen
      expect(first!.headers['x-api-key']).toBe(key)
      return second!.at - first!.at
    }
    expect(await two()).toBeGreaterThanOrEqual(500)
    const withKey = [await two('key'), await two('key'), await two('key')]
    for (const pause of withKey) expect(pause).toBeGreaterThanOrEqual(20)
    expect(Math.min(...withKey)).toBeLessThan(900)
  })

  it('a call that is aborted while it waits for its turn takes none', async () => {
    await using server = await serve(tonCenter(plain500))
    const ton = createClient({ url: `${server.url}/api/v2/jsonRPC`, rps: 20 })
    await Promise.all([ton.getAddressBalance({ address: 'a' }), ton.getAddressBalance({ address: 'b' })])
    server.seen.length = 0
    const stop = new AbortController()
    const calls = Array.from({ length: 20 }, (_, i) => ton.getAddressBalance({ address: `${i}` }, { signal: stop.signal }))
    const last = ton.getAddressBalance({ address: 'last' })
    await sleep(60)
    stop.abort()
    const before = server.seen.length
    const ends = await Promise.allSettled(calls)
    expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(10)
    await last
    // The last one, and at most one that had its turn already.
    expect(server.seen.length - before).toBeLessThanOrEqual(2)
  })

  it('the key may be in the URL, and is sent in the header', async () => {
    await using server = await serve(tonCenter(plain500))
    const ton = createClient({ url: `${server.url}/api/v2/jsonRPC?api_key=k1`, ...fast })
    await ton.getMasterchainInfo()
    expect(server.seen[0]).toMatchObject({ path: '/api/v2/jsonRPC', headers: { 'x-api-key': 'k1' } })
  })

  it('headers can be set by the caller, anew for each request', async () => {
    await using server = await serve(tonCenter(plain500))
    let n = 0
    const ton = createClient({ url: `${server.url}/api/v2/jsonRPC`, headers: async () => ({ 'X-Trace': `t${++n}` }) })
    await ton.getMasterchainInfo()
    await ton.getMasterchainInfo()
    expect(server.seen.map(({ headers }) => headers['x-trace'])).toEqual(['t1', 't2'])
  })
})
