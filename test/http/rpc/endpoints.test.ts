import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../../../server/http/limits.ts'
import { startTransport, type Transport } from '../../kit/service/test-transports.ts'

let server: Transport
beforeAll(async () => {
  server = await startTransport()
})
afterAll(() => server.close())

const call = (members: object = {}): object => ({ jsonrpc: '2.0', id: 1, method: 'getShards', params: { seqno: 7 }, ...members })
const RESULT = { '@type': 'blocks.shards', shards: [], seqno: 7 }
const send = (path: string, body: unknown) =>
  fetch(`${server.url}${path}`, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
const strict = async (body: unknown, status = 200) => {
  const answer = await send('/jsonRPC', body)
  expect(answer.status).toBe(status)
  return answer.json()
}
const failure = (id: unknown, code: number, message: unknown = expect.any(String)) => ({
  jsonrpc: '2.0',
  id,
  error: expect.objectContaining({ code, message }),
})

describe('POST /jsonRPC', () => {
  it.each([1, 0, -1, 1.5, 'text', '', null])('strict JSON-RPC echoes the id %j', async (id) => {
    expect(await strict(call({ id }))).toEqual({ ok: true, jsonrpc: '2.0', id, result: RESULT })
  })

  it('params may be absent, null or empty', async () => {
    for (const params of [undefined, null, {}, []])
      expect(await strict({ jsonrpc: '2.0', id: 1, method: 'getMasterchainInfo', params })).toMatchObject({ ok: true, id: 1 })
  })

  it('notifications run and get no answer', async () => {
    const before = server.runs.get('sendBoc') ?? 0
    const answer = await send('/jsonRPC', { jsonrpc: '2.0', method: 'sendBoc', params: { boc: 'te6cckEBAQEAAgAAAEysuc0=' } })
    expect(answer.status).toBe(204)
    expect(await answer.text()).toBe('')
    expect(server.runs.get('sendBoc')).toBe(before + 1)
    expect(
      (
        await send('/jsonRPC', [
          { jsonrpc: '2.0', method: 'getNothing' },
          { jsonrpc: '2.0', method: 'fail', params: {} },
        ])
      ).status,
    ).toBe(204)
  })

  it.each([
    ['no jsonrpc', { jsonrpc: undefined }, 1],
    ['another jsonrpc', { jsonrpc: '1.0' }, 1],
    ['a number for jsonrpc', { jsonrpc: 2 }, 1],
    ['no method', { method: undefined }, 1],
    ['a number for method', { method: 1 }, 1],
    ['an object for id', { id: {} }, null],
    ['true for id', { id: true }, null],
    ['a text for params', { params: 'bar' }, 1],
    ['a number for params', { params: 5 }, 1],
    ['a result', { result: 1 }, 1],
    ['an error', { error: {} }, 1],
  ])('a request with %s is invalid', async (_what, members, id) => {
    expect(await strict(call(members))).toEqual(failure(id, -32600, expect.stringMatching(/^Invalid Request: \S.*/)))
  })

  it.each([
    '{',
    '',
    'nonsense',
    '{"jsonrpc":"2.0","id":1',
    '[{"jsonrpc":"2.0"',
    '['.repeat(100_000),
    '\u0000',
  ])('a body that is no JSON is a parse error (%#)', async (body) => {
    expect(await strict(body)).toMatchObject({
      id: null,
      error: { code: -32700, message: 'Parse error', data: { issues: [{ param: 'body', message: expect.stringMatching(/.{8}/) }] } },
    })
  })

  it.each(['null', '1', '"x"', 'true', '{}', '[]'])('%s is an invalid request', async (body) => {
    expect(await strict(body)).toEqual(
      failure(
        null,
        -32600,
        `Invalid Request: ${body === '[]' ? 'the batch is empty' : body === '{}' ? 'jsonrpc must be "2.0"' : 'a call must be an object'}`,
      ),
    )
  })

  it('positional params, bad params (with their reasons) and unknown methods are refused', async () => {
    expect(await strict(call({ params: [7] }))).toEqual(failure(1, -32602, 'params must contain an object'))
    const bad = await strict(call({ params: { seqno: 'x' } }))
    expect(bad).toMatchObject({ id: 1, error: { code: -32602, data: { kind: 'INVALID_PARAMS', issues: [{ param: 'seqno' }] } } })
    for (const method of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'jsonRPC', '', 'ж', 'rpc.x'])
      expect(await strict(call({ method }))).toEqual(failure(1, -32601, 'Method not found'))
    expect(await strict('{"jsonrpc":"2.0","id":1')).toMatchObject({
      error: { data: { issues: [{ message: expect.stringContaining('position 23') }] } },
    })
    expect(await strict(call({ method: 'getshards' }))).toEqual(failure(1, -32601, 'Method not found; did you mean getShards?'))
  })

  it.each([
    ['chain', -32050, 'LITE_SERVER_UNKNOWN: cannot apply external message to current state'],
    ['notFound', -32004, 'transaction was not found'],
    ['timeout', -32054, 'LITE_SERVER_NETWORK timeout'],
    ['limited', -32029, 'Ratelimit exceeded'],
    ['unknown', -32603, expect.stringMatching(/^internal error, request [\w.-]+$/)],
  ])('an error of kind %s has code %d', async (how, code, message) => {
    // A lone call that is refused for its limit is a request that is refused.
    expect(await strict(call({ method: 'fail', params: { how } }), how === 'limited' ? 429 : 200)).toEqual(failure(1, code, message))
  })

  it('other verbs get 405 and an error object', async () => {
    const answer = await fetch(`${server.url}/jsonRPC`)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
    expect(await answer.json()).toEqual(failure(null, -32005))
  })
})

describe.each(['/jsonRPC', '/api/v2/jsonRPC'])('batches at POST %s', (path) => {
  const batch = async (items: unknown): Promise<unknown> => {
    const answer = await send(path, items)
    expect(answer.status).toBe(200)
    return answer.json()
  }

  it('a batch of one is answered with an array, without `ok`', async () => {
    expect(await batch([call()])).toEqual([{ jsonrpc: '2.0', id: 1, result: RESULT }])
  })

  it('a batch is answered in the order of its calls, whatever each takes and whatever becomes of it', async () => {
    const slow = (id: number, ms: number) => call({ id, method: 'slow', params: { ms } })
    const items = [
      slow(1, 120),
      null,
      call({ id: 2 }),
      5,
      'x',
      [],
      [call()],
      call({ id: 3, method: 'getNothing' }),
      slow(4, 10),
      {},
      call({ id: 5, method: 'fail', params: { how: 'unknown' } }),
    ]
    expect(await batch(items)).toEqual([
      { jsonrpc: '2.0', id: 1, result: 'slept 120' },
      failure(null, -32600),
      { jsonrpc: '2.0', id: 2, result: RESULT },
      failure(null, -32600),
      failure(null, -32600),
      failure(null, -32600),
      failure(null, -32600),
      failure(3, -32601),
      { jsonrpc: '2.0', id: 4, result: 'slept 10' },
      failure(null, -32600),
      failure(5, -32603),
    ])
  })

  it('the answer of a batch leaves notifications out', async () => {
    expect(await batch([{ jsonrpc: '2.0', method: 'getNothing' }, call()])).toEqual([{ jsonrpc: '2.0', id: 1, result: RESULT }])
  })

  it('a batch has at most 1000 calls, and one of 1001 is refused as a whole', async () => {
    const many = Array.from({ length: 1001 }, (_, id) => call({ id }))
    const answers = (await batch(many.slice(1))) as { id: number }[]
    expect(answers.map((answer) => answer.id)).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1))
    const refused = await send(path, many)
    expect(refused.status).toBe(413)
    expect(await refused.json()).toEqual(failure(null, -32013))
  })

  it('the number of calls of a batch that run at once is bounded', async () => {
    server.peak.most = 0
    await batch(Array.from({ length: 100 }, (_, id) => call({ id, method: 'slow', params: { ms: 10 } })))
    expect(server.peak.most).toBe(LIMITS.batchLanes)
  })

  it('answers that do not fit into the answer of a batch are left out, and the others kept', async () => {
    const size = 3 << 20
    const answers = (await batch([
      ...Array.from({ length: 8 }, (_, id) => call({ id, method: 'echo', params: { size } })),
      call({ id: 8 }),
      { jsonrpc: '2.0', method: 'echo', params: { size } },
    ])) as { id: number; result?: string; error?: { code: number } }[]
    expect(answers.map((answer) => answer.id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(answers.filter((answer) => answer.result?.length === size)).toHaveLength(5)
    expect(answers.filter((answer) => answer.error?.code === -32013)).toHaveLength(3)
    expect(answers[8]).toHaveProperty('result')
  })
})

describe('POST /api/v2/jsonRPC', () => {
  const dialect = async (body: unknown, status = 200) => {
    const answer = await send('/api/v2/jsonRPC', body)
    expect(answer.status).toBe(status)
    return answer.json()
  }
  const extra = expect.stringMatching(/^\d{10}:[0_]:[\d.]+(:c)?$/)

  it.each([1, 0, 'text', ''])('the JSON-RPC of v2 echoes jsonrpc and the id %j', async (id) => {
    expect(await dialect(call({ id }))).toEqual({ ok: true, result: RESULT, jsonrpc: '2.0', id, '@extra': extra })
  })

  it.each([undefined, null, {}, [], true])('a request with the id %j is answered without an echo', async (id) => {
    expect(await dialect(call({ id }))).toEqual({ ok: true, result: RESULT, '@extra': extra })
  })

  it.each([undefined, null, 'x', 5, [], {}, true])('the JSON-RPC of v2 takes params %j as none', async (params) => {
    expect(await dialect({ id: 1, method: 'getMasterchainInfo', params })).toMatchObject({ ok: true, id: 1 })
  })

  it('the JSON-RPC of v2 does not require jsonrpc, and ignores other members', async () => {
    for (const jsonrpc of [undefined, '1.0', 2]) expect(await dialect(call({ jsonrpc, extra: 1 }))).toMatchObject({ ok: true })
  })

  it.each(['getShards', 'shards'])('@extra says that %s asked a lite-server', async (method) => {
    const asked = expect.stringMatching(/^\d{10}:0:/)
    expect(await dialect(call({ method, params: { seqno: 1 } }))).toMatchObject({ ok: true, '@extra': asked })
  })

  it('the JSON-RPC of v2 answers a POST of a write', async () => {
    const sent = await dialect(call({ method: 'sendBoc', params: { boc: 'te6cckEBAQEAAgAAAEysuc0=' } }))
    expect(sent).toMatchObject({ ok: true, result: { '@type': 'ok' } })
  })

  it.each([
    ['positional params', call({ params: [7] }), 422, 'params must contain an object'],
    ['no method', call({ method: undefined }), 422, /method/],
    ['an object for method', call({ method: {} }), 422, /method/],
    ['a bad parameter', call({ params: { seqno: 'x' } }), 422, /seqno/],
    ['an unknown member', call({ params: { seqno: 1, x: 1 } }), 422, /x/],
    ['an unknown method', call({ method: 'getNothing' }), 404, 'Method not found'],
    ['its own name', call({ method: 'jsonRPC' }), 404, 'Method not found'],
    ['a path for a method', call({ method: '../getMasterchainInfo' }), 404, 'Method not found; did you mean getMasterchainInfo?'],
    ['__proto__', call({ method: '__proto__' }), 404, 'Method not found'],
    ['a refusal of the chain', call({ method: 'fail', params: { how: 'chain' } }), 500, /^LITE_SERVER_UNKNOWN/],
    ['a time-out', call({ method: 'fail', params: { how: 'timeout' } }), 504, 'LITE_SERVER_NETWORK timeout'],
    ['a fault of ours', call({ method: 'fail', params: { how: 'unknown' } }), 500, /^internal error, request [\w.-]+$/],
  ])('the error %s has its text, code and status, with the id', async (_what, body, status, text) => {
    const answer = await dialect(body, status)
    expect(answer).toMatchObject({ ok: false, code: status, jsonrpc: '2.0', id: 1, '@extra': expect.any(String) })
    expect(answer.error).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
  })

  it.each([
    '{',
    '',
    'null',
    '1',
    '"x"',
    '{"method"',
    '['.repeat(100_000),
  ])('a body that is no object is answered with 422 (%#)', async (body) => {
    expect(await dialect(body, 422)).toEqual({ ok: false, error: expect.any(String), code: 422, '@extra': '_' })
  })

  it('the JSON-RPC of v2 answers other verbs with 405', async () => {
    for (const method of ['GET', 'PUT']) {
      const answer = await fetch(`${server.url}/api/v2/jsonRPC`, { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('POST')
      expect(await answer.json()).toEqual({ ok: false, error: `method ${method} is not supported`, code: 405, '@extra': '_' })
    }
  })
})

describe.each(['/', '/api/v2', '/api/v2/'])('POST %s, which Blueprint takes for the endpoint of TonClient', (path) => {
  it('answers in the dialect of v2, with a query too', async () => {
    for (const query of ['', '?from=blueprint']) {
      const answer = await send(`${path}${query}`, call())
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ ok: true, result: RESULT, jsonrpc: '2.0', id: 1, '@extra': expect.any(String) })
    }
  })

  it('answers errors and batches as v2 does', async () => {
    const refused = await send(path, call({ method: 'getNothing' }))
    expect(refused.status).toBe(404)
    expect(await refused.json()).toMatchObject({ ok: false, error: 'Method not found', code: 404 })
    expect(await (await send(path, '{')).json()).toMatchObject({ ok: false, code: 422 })
    expect(await (await send(path, [call(), call({ id: 2 })])).json()).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  it('leaves the documents to GET', async () => {
    expect((await fetch(`${server.url}${path}`)).status).toBe(200)
  })
})

it.each(['/api/v2/jsonrpc', '/api/v2/jsonRPC/'])('a call to %s is told the path', async (path) => {
  const answer = await send(path, call())
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: 'Not Found; did you mean /api/v2/jsonRPC?' })
})
