import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, post, requestOf } from '../kit/wire/connection.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* Verbs: HEAD, OPTIONS, those that a path does not serve, and the headers that let pages of any origin read the answers. */

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const EXPOSED =
  'X-API-Version, X-Request-Id, X-Unknown-Params, X-Index-Seqno, X-Index-First, X-Next-Cursor, X-Fork, X-Tvm-Version, Retry-After'

describe('HEAD', () => {
  it.each([
    ['/health', 200],
    ['/api/v2/getMasterchainInfo', 200],
    ['/api/v2/detectHash', 422],
    ['/api/v3/decode?opcodes=0x0', 200],
    ['/api/v3/nothing', 404],
    ['/jsonRPC', 405],
    ['/api/v2/sendBoc', 405],
    ['/openapi.json', 200],
    ['/nothing', 404],
  ])('HEAD %s is answered like GET, with %d and without a body', async (path, status) => {
    const connection = await service.open()
    await connection.send(get(path))
    const full = await connection.answer()
    await connection.send(requestOf('HEAD', path))
    const head = await connection.answer(true)
    expect([head.status, full.status]).toEqual([status, status])
    for (const name of ['content-type', 'allow', 'access-control-allow-origin', 'x-api-version'])
      expect(head.headers[name]).toBe(full.headers[name])
    // The time in `@extra` and the name of the verb in an error have more or fewer digits.
    expect(Math.abs(Number(head.headers['content-length']) - full.body.length)).toBeLessThan(20)
    // Whatever came after the head would be taken for the next answer.
    await connection.send(get('/health'))
    expect((await connection.answer()).json).toEqual({ ok: true, result: 'OK' })
    connection.destroy()
  })
})

describe('OPTIONS', () => {
  it.each([
    '/jsonRPC',
    '/api/v2/jsonRPC',
    '/api/v2/getMasterchainInfo',
    '/api/v3/decode',
    '/nothing',
    '*',
  ])('OPTIONS %s is answered with 204 and what is allowed', async (path) => {
    const { status, headers } = await service.ask(requestOf('OPTIONS', path))
    expect([status, headers['allow'], headers['access-control-allow-origin']]).toEqual([204, 'GET, HEAD, POST, OPTIONS', '*'])
  })

  it.each([
    'https://dapp.example',
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
  ])('a preflight of %s may read and call, without credentials', async (origin) => {
    const { status, headers } = await service.ask(
      requestOf(
        'OPTIONS',
        '/jsonRPC',
        `Origin: ${origin}`,
        'Access-Control-Request-Method: POST',
        'Access-Control-Request-Headers: content-type,x-api-key,x-ton-client-version',
      ),
    )
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,HEAD,POST,OPTIONS',
      'access-control-allow-headers': 'content-type,x-api-key,x-ton-client-version',
      'access-control-max-age': '86400',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })
})

describe('verbs that a path does not serve', () => {
  it.each([
    ['GET', '/api/v2/sendBoc', 'POST'],
    ['PUT', '/api/v2/sendBoc', 'POST'],
    ['PUT', '/api/v2/getMasterchainInfo', 'GET, HEAD, POST'],
    ['DELETE', '/api/v2/getMasterchainInfo', 'GET, HEAD, POST'],
    ['PATCH', '/api/v2/shards', 'GET, HEAD, POST'],
    ['TRACE', '/api/v2/getMasterchainInfo', 'GET, HEAD, POST'],
    ['PROPFIND', '/api/v2/getMasterchainInfo', 'GET, HEAD, POST'],
  ])('%s %s is answered with 405 and Allow: %s', async (verb, path, allow) => {
    const { status, headers, json } = await service.ask(requestOf(verb, path))
    expect([status, headers['allow'], json]).toEqual([
      405,
      allow,
      { ok: false, error: `unsupported http method: ${verb}`, code: 405, '@extra': '_' },
    ])
  })

  it.each([
    ['GET', '/api/v3/message', 'POST'],
    ['POST', '/api/v3/blocks', 'GET, HEAD'],
    ['DELETE', '/api/v3/decode', 'GET, HEAD, POST'],
    ['GET', '/api/emulate/v1/emulateTrace', 'POST'],
  ])('%s %s is answered with 405 in the form of v3, and Allow: %s', async (verb, path, allow) => {
    const { status, headers, json } = await service.ask(requestOf(verb, path))
    expect([status, headers['allow'], json]).toEqual([405, allow, { error: `unsupported http method: ${verb}`, code: 405 }])
  })

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'TRACE'])('%s to a path of JSON-RPC is answered with 405 in its own form', async (verb) => {
    const strict = await service.ask(requestOf(verb, '/jsonRPC'))
    expect([strict.status, strict.headers['allow'], strict.json]).toEqual([
      405,
      'POST',
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32005, message: `method ${verb} is not supported`, data: { kind: 'METHOD_NOT_ALLOWED' } },
      },
    ])
    const dialect = await service.ask(requestOf(verb, '/api/v2/jsonRPC'))
    expect([dialect.status, dialect.headers['allow'], dialect.json]).toEqual([
      405,
      'POST',
      { ok: false, error: `method ${verb} is not supported`, code: 405, '@extra': '_' },
    ])
  })

  it('a stream of events is begun by GET or POST', async () => {
    const { status, headers, json } = await service.ask(requestOf('PUT', '/api/streaming/v2/sse'))
    expect([status, headers['allow'], json]).toEqual([405, 'GET, POST', { error: 'method PUT is not supported', code: 405 }])
  })
})

describe('headers of every answer', () => {
  it.each([
    ['an answer of v2', get('/api/v2/getMasterchainInfo'), 200],
    ['JSON-RPC', post('/jsonRPC', '{"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo"}'), 200],
    ['a parse error', post('/jsonRPC', '{'), 200],
    ['a batch', post('/jsonRPC', '[1]'), 200],
    ['a notification', post('/jsonRPC', '{"jsonrpc":"2.0","method":"getMasterchainInfo"}'), 204],
    ['v3', get('/api/v3/decode?opcodes=0x0'), 200],
    ['a refused parameter', get('/api/v2/detectHash'), 422],
    ['no path', get('/nothing'), 404],
    ['a verb that is none', requestOf('PUT', '/api/v2/sendBoc'), 405],
    ['status', get('/status'), 200],
    ['readiness', get('/ready'), 200],
    ['a document', get('/openapi.json'), 200],
    ['a refused head', get('/health', 'Host: a'), 400],
    ['a malformed head', 'nonsense\r\n\r\n', 400],
  ])('%s has the headers of version, request id, CORS and safety', async (_what, bytes, status) => {
    const answer = await service.ask(bytes)
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'x-api-version': expect.stringMatching(/^(2\.\d+|1\.\d+)\.\d+$/),
      'x-request-id': expect.stringMatching(/^[\w.:-]+$/),
      'access-control-allow-origin': '*',
      'access-control-expose-headers': EXPOSED,
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringMatching(/^no-(store|cache)$/),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
    for (const name of ['x-powered-by', 'server', 'set-cookie', 'access-control-allow-credentials'])
      expect(answer.headers).not.toHaveProperty(name)
  })

  it('v3 has its own version, and the time that it took', async () => {
    const { headers } = await service.ask(get('/api/v3/decode?opcodes=0x0'))
    expect(headers).toMatchObject({
      'x-api-version': expect.stringMatching(/^1\./),
      'server-timing': expect.stringMatching(/^app;dur=[\d.]+$/),
    })
  })

  it('connections stay open, and the answer says for how long', async () => {
    const connection = await service.open()
    for (let i = 0; i < 3; i++) {
      await connection.send(get('/health'))
      expect((await connection.answer()).headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=65' })
    }
    connection.destroy()
  })
})
