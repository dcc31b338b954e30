import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../shared/errors.ts'
import { rawPost, rawRequest } from '../http/raw.ts'
import { startTransport, type Transport } from '../kit/service/test-transports.ts'
import { expectAlive, LEAKS } from './wire.ts'

/* OWASP API3:2023, broken object property level authorization: what nobody asked to write is not written, what nobody may see is not shown. */

let server: Transport
beforeAll(async () => {
  server = await startTransport()
})
afterAll(async () => {
  await expectAlive(server.url)
  // Whatever was sent: objects of this process are as they were.
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  expect(Object.keys(Object.prototype)).toEqual([])
  await server.close()
})

const post = async (path: string, body: string) => {
  const answer = await rawRequest(server.url, rawPost(path, body))
  return { status: answer.status, body: answer.body, parsed: answer.body === '' ? undefined : JSON.parse(answer.body) }
}
const rpc = (params: string, method = 'getAddressBalance') => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
const ADDRESS = '"address":"0:0000000000000000000000000000000000000000000000000000000000000000"'

describe('API3: members that nobody defined', () => {
  it.each([
    'localAllowed',
    'caller',
    'network',
    'log',
    'signal',
    'is_admin',
    'plan',
    'weight',
    'cache',
    'requestId',
    'api_key',
  ])('%s in a body is refused by name, at every door', async (name) => {
    const body = `{${ADDRESS},"${name}":true}`
    for (const answer of [await post('/api/v2/getAddressBalance', body), await post('/api/v2/jsonRPC', rpc(body))]) {
      expect(answer.status).toBe(422)
      expect(answer.parsed.error).toContain(`unknown parameter '${name}'`)
    }
    expect((await post('/jsonRPC', rpc(body))).parsed.error).toMatchObject({ code: -32602, data: { issues: [{ param: name }] } })
    expect(server.runs.get('getAddressBalance')).toBeUndefined()
  })

  it.each([
    ['__proto__', `{${ADDRESS},"__proto__":{"polluted":1}}`],
    ['constructor', `{${ADDRESS},"constructor":{"prototype":{"polluted":1}}}`],
    ['toString', `{${ADDRESS},"toString":1}`],
    ['hasOwnProperty', `{${ADDRESS},"hasOwnProperty":1}`],
  ])('%s is treated like any other name', async (_name, body) => {
    expect((await post('/api/v2/getAddressBalance', body)).status).toBe(422)
    expect((await post('/jsonRPC', rpc(body))).parsed.error.code).toBe(-32602)
    const query = await rawRequest(
      server.url,
      `GET /api/v2/detectHash?hash=00&__proto__=1&constructor[prototype][polluted]=1&toString=x HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    )
    expect([200, 422]).toContain(query.status)
  })

  it('the envelope of a call takes no members that mean something inside', async () => {
    const answer = await post(
      '/jsonRPC',
      '{"jsonrpc":"2.0","id":1,"method":"local.wallets","localAllowed":true,"__proto__":{"localAllowed":true},"params":{}}',
    )
    expect(answer.parsed).toMatchObject({ id: 1 })
    const forwarded = await rawRequest(
      server.url,
      rawPost('/jsonRPC', '{"jsonrpc":"2.0","id":1,"method":"local.wallets","localAllowed":true,"params":{}}', {
        'X-Forwarded-For': '1.2.3.4',
      }),
    )
    expect(JSON.parse(forwarded.body).error.code).toBe(-32003)
  })

  it('ids of calls are echoed as what they are, or not at all', async () => {
    for (const id of ['{"toJSON":1}', '[1]', 'true', '{"__proto__":null}']) {
      const { parsed } = await post('/jsonRPC', `{"jsonrpc":"2.0","id":${id},"method":"getMasterchainInfo"}`)
      expect(parsed).toMatchObject({ id: null, error: { code: -32600 } })
    }
  })
})

describe('API3: members that nobody may see', () => {
  it.each([
    'unknown',
    'text',
    'bigint',
    'undefined',
    'chain',
    'workers',
    'deep',
  ])('a failure of kind %s shows its text and code, and nothing of the inside', async (how) => {
    for (const path of ['/api/v2/fail', '/api/v2/jsonRPC', '/jsonRPC']) {
      const { body, parsed } = await post(path, path.endsWith('RPC') ? rpc(JSON.stringify({ how }), 'fail') : JSON.stringify({ how }))
      expect(body).not.toMatch(LEAKS)
      const known = path === '/jsonRPC' ? ['jsonrpc', 'id', 'error'] : ['ok', 'error', 'code', 'jsonrpc', 'id', '@extra']
      expect(Object.keys(parsed).filter((name) => !known.includes(name))).toEqual([])
      if (path === '/jsonRPC') {
        expect(Object.keys(parsed.error)).toEqual(['code', 'message', 'data'])
        expect(Object.keys(parsed.error.data).filter((name) => !['kind', 'retryAfter', 'issues'].includes(name))).toEqual([])
        expect(Object.keys(ERRORS)).toContain(parsed.error.data.kind)
      }
    }
  })

  it('X-Unknown-Params cannot write another header or a key', async () => {
    const answer = await rawRequest(
      server.url,
      `GET /api/v2/getMasterchainInfo?a%0d%0aSet-Cookie:%20x=1=1&api_key=SECRET&b%00=1 HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    )
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers['x-unknown-params']).not.toContain('SECRET')
    expect(answer.headers['x-unknown-params']).not.toContain('api_key')
  })

  it.each([
    'a\r\nSet-Cookie: x=1',
    'a b',
    'x'.repeat(65),
    '<script>',
    '../..',
    'a;b',
    '\u00ff',
  ])('an invalid request id is not given back: %j', async (id) => {
    const answer = await rawRequest(server.url, `GET /health HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${id}\r\n\r\n`)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers['x-request-id'] ?? 'none').not.toBe(id)
  })
})
