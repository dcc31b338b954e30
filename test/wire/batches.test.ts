import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { get, post, requestOf } from '../kit/wire/connection.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* Batches of JSON-RPC, and single requests that are no calls. */

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const HASH = '0'.repeat(64)
const call = (id: unknown, method = 'detectHash', params: object = { hash: HASH }): object => ({ jsonrpc: '2.0', id, method, params })
const RESULT = expect.objectContaining({ hex: HASH })
const failure = (id: unknown, code: number) => ({
  jsonrpc: '2.0',
  id,
  error: expect.objectContaining({ code, message: expect.any(String) }),
})
const send = (path: string, body: unknown) => service.ask(post(path, typeof body === 'string' ? body : JSON.stringify(body)))

describe.each(['/jsonRPC', '/api/v2/jsonRPC'])('batches at POST %s', (path) => {
  it('a batch of one is answered with an array of one, without `ok`', async () => {
    const { status, json } = await send(path, [call(1)])
    expect([status, json]).toEqual([200, [{ jsonrpc: '2.0', id: 1, result: RESULT }]])
  })

  it('a batch of 1,000 is answered in its order', async () => {
    const { status, json } = await send(
      path,
      Array.from({ length: 1_000 }, (_, id) => call(id)),
    )
    expect(status).toBe(200)
    expect((json as { id: number; result: object }[]).map(({ id, result }) => [id, 'hex' in result])).toEqual(
      Array.from({ length: 1_000 }, (_, id) => [id, true]),
    )
  })

  it('a batch of 1,001 is refused as a whole with 413', async () => {
    const before = (await service.status()).head.seqno
    const mines = Array.from({ length: 1_001 }, (_, id) => call(id, 'local.mine', {}))
    const { status, json } = await send(path, mines)
    expect([status, json]).toEqual([413, failure(null, -32013)])
    expect(JSON.stringify(json)).toContain('a batch of 1001 items is over the limit of 1000')
    expect((await service.status()).head.seqno).toBe(before)
  })

  it('an empty batch is one invalid request', async () => {
    const { status, json } = await send(path, [])
    expect([status, json]).toEqual([
      200,
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: 'Invalid Request: the batch is empty', data: { kind: 'INVALID_REQUEST' } },
      },
    ])
  })

  it('invalid items, nested arrays and failed calls are answered in their places, notifications not at all', async () => {
    const { status, json } = await send(path, [
      call(1),
      null,
      5,
      'x',
      true,
      [],
      [call(2)],
      {},
      { jsonrpc: '2.0', method: 'detectHash', params: { hash: HASH } },
      { jsonrpc: '2.0', method: 'nothing' },
      call('a', 'nothing'),
      call('b', 'detectHash', {}),
      { ...call('c'), jsonrpc: '1.0' },
      { ...call('d'), method: 1 },
      { ...call('e'), params: 'x' },
      { ...call('f'), params: [1] },
      { ...call('g'), params: [], method: 'getMasterchainInfo' },
      { ...call('h'), result: 1 },
      call({}),
      call(3),
    ])
    expect([status, json]).toEqual([
      200,
      [
        { jsonrpc: '2.0', id: 1, result: RESULT },
        ...Array(7).fill(failure(null, -32600)),
        failure('a', -32601),
        failure('b', -32602),
        failure('c', -32600),
        failure('d', -32600),
        failure('e', -32600),
        failure('f', -32602),
        { jsonrpc: '2.0', id: 'g', result: expect.objectContaining({ '@type': 'blocks.masterchainInfo' }) },
        failure('h', -32600),
        failure(null, -32600),
        { jsonrpc: '2.0', id: 3, result: RESULT },
      ],
    ])
  })

  it('a batch of notifications alone is run and answered with 204', async () => {
    const before = (await service.status()).head.seqno
    const mine = { jsonrpc: '2.0', method: 'local.mine' }
    const { status, text } = await send(path, [mine, mine, mine])
    expect([status, text]).toEqual([204, ''])
    // Calls that run at once may share a block.
    expect((await service.status()).head.seqno).toBeGreaterThan(before)
  })

  it('the slowest call of a batch does not move the others from their places, and at most 16 run at once', async () => {
    const before = (await service.status()).head.seqno
    const slow = Array.from({ length: 48 }, (_, i) => call(`slow ${i}`, 'local.mine', { count: 4 }))
    const items = slow.flatMap((item, i) => [item, call(i)])
    const { json } = await send(path, items)
    expect((json as { id: string }[]).map(({ id }) => id)).toEqual(items.map((item) => (item as { id: unknown }).id))
    // A block serves all calls that wait for one: 16 at a time need 48 * 4 / 16 blocks.
    expect((await service.status()).head.seqno - before).toBeGreaterThanOrEqual(12)
  })
})

describe('single requests', () => {
  it.each([
    ['no jsonrpc', { jsonrpc: undefined }, 'jsonrpc must be "2.0"'],
    ['another jsonrpc', { jsonrpc: '1.0' }, 'jsonrpc must be "2.0"'],
    ['no method', { method: undefined }, 'method must be a string'],
    ['a number for a method', { method: 1 }, 'method must be a string'],
    ['a text for params', { params: 'a' }, 'params must be an object'],
    ['a result', { result: 1 }, 'a call has no result and no error'],
    ['an error', { error: {} }, 'a call has no result and no error'],
  ])('a request with %s is invalid', async (_what, members, text) => {
    const { status, json } = await send('/jsonRPC', { ...call(1), ...members })
    expect([status, json]).toEqual([
      200,
      { jsonrpc: '2.0', id: 1, error: { code: -32600, message: `Invalid Request: ${text}`, data: { kind: 'INVALID_REQUEST' } } },
    ])
  })

  it.each(['null', '1', '"x"', 'true', '{}'])('%s is an invalid request without an id', async (body) => {
    expect((await send('/jsonRPC', body)).json).toEqual(failure(null, -32600))
    const dialect = await send('/api/v2/jsonRPC', body)
    expect([dialect.status, dialect.json]).toEqual([
      422,
      { ok: false, error: expect.stringMatching(/^failed to parse post request: ./), code: 422, '@extra': '_' },
    ])
  })

  it('params may be absent, null or empty, and the dialect takes everything else that is no object as none', async () => {
    for (const params of [undefined, null, {}, []])
      expect((await send('/jsonRPC', { ...call(1, 'getMasterchainInfo'), params })).json).toMatchObject({ ok: true, id: 1 })
    for (const params of [undefined, null, {}, [], 'x', 5, true])
      expect((await send('/api/v2/jsonRPC', { id: 1, method: 'getMasterchainInfo', params })).json).toMatchObject({ ok: true, id: 1 })
    const listed = await send('/api/v2/jsonRPC', { ...call(1), params: [HASH] })
    expect([listed.status, listed.json]).toMatchObject([422, { error: 'params must contain an object', id: 1 }])
  })

  it('an error of the dialect has the status of its kind and the id', async () => {
    for (const [method, params, status, text] of [
      ['nothing', {}, 404, 'Method not found'],
      ['getmasterchaininfo', {}, 404, 'Method not found; did you mean getMasterchainInfo?'],
      ['detectHash', {}, 422, /hash required/],
      ['detectHash', { hash: HASH, hush: 1 }, 422, /hush/],
      ['v3.blocks', {}, 501, /no index/],
    ] as const) {
      const answer = await send('/api/v2/jsonRPC', call(7, method, params))
      expect([answer.status, answer.json]).toEqual([
        status,
        {
          ok: false,
          error: typeof text === 'string' ? text : expect.stringMatching(text),
          code: status,
          jsonrpc: '2.0',
          id: 7,
          '@extra': expect.stringMatching(/^(_|\d{10}:[0_]:[\d.]+)$/),
        },
      ])
    }
  })

  it('an answer of the dialect and of REST says when, by whom and whether from a cache', async () => {
    await service.rpc('local.mine')
    const extras = []
    for (let i = 0; i < 2; i++) extras.push((await service.ask(get('/api/v2/getMasterchainInfo'))).json as { '@extra': string })
    expect(extras.map((answer) => answer['@extra'])).toEqual([
      expect.stringMatching(/^\d{10}:0:\d+(\.\d{1,3})?$/),
      expect.stringMatching(/^\d{10}:0:\d+(\.\d{1,3})?:c$/),
    ])
    const computed = (await send('/api/v2/jsonRPC', call(1))).json
    expect(computed).toMatchObject({ '@extra': expect.stringMatching(/^\d{10}:_:/) })
  })
})

describe('large batches', () => {
  it('answers that do not fit into 16 MiB are left out with an error, and the others stay', async () => {
    const size = (await service.ask(post('/jsonRPC', JSON.stringify(call(1, 'rpc.discover', {}))))).body.length
    const count = Math.floor((16 << 20) / size) + 8
    const { status, json, body } = await send('/jsonRPC', [...Array.from({ length: count }, (_, id) => call(id, 'rpc.discover', {}))])
    const answers = json as { id: number; error?: { code: number; message: string } }[]
    expect([status, answers.map(({ id }) => id)]).toEqual([200, Array.from({ length: count }, (_, id) => id)])
    expect(body.length).toBeLessThan((16 << 20) + 10_000)
    const refused = answers.filter(({ error }) => error !== undefined)
    expect(refused.length).toBeGreaterThanOrEqual(8)
    expect(refused.length).toBeLessThan(12)
    for (const { error } of refused)
      expect(error).toMatchObject({ code: -32013, message: 'left out: the answers of this batch are over 16777216 bytes' })
  })

  it('a WebSocket refuses a batch of 1,001 and goes on', async () => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC`)
    await new Promise((resolve) => socket.once('open', resolve))
    const next = (body: unknown): Promise<unknown> =>
      new Promise((resolve) => {
        socket.once('message', (data) => resolve(JSON.parse(String(data))))
        socket.send(JSON.stringify(body))
      })
    expect(await next(Array.from({ length: 1_001 }, (_, id) => call(id)))).toEqual(failure(null, -32013))
    expect(await next([call(1), null, { jsonrpc: '2.0', method: 'nothing' }])).toEqual([
      { jsonrpc: '2.0', id: 1, result: RESULT },
      failure(null, -32600),
    ])
    expect(await next([])).toEqual(failure(null, -32600))
    socket.close()
  })
})

it('a chunked POST and a POST with a query are answered alike', async () => {
  const body = JSON.stringify([call(1), call(2)])
  const chunked = `${requestOf('POST', '/jsonRPC?a=1', 'Transfer-Encoding: chunked')}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  expect((await service.ask(chunked)).json).toEqual((await send('/jsonRPC', body)).json)
})
