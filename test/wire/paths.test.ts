import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, post, rpcText } from '../kit/wire/connection.ts'
import { expectRefusal, startService, type WireService } from '../kit/wire/service.ts'

/* Paths and queries: which of them mean a method, how they are decoded, and what others are answered. */

let service: WireService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.stop())

const HASH = '0'.repeat(64)
const INFO = { ok: true, result: { '@type': 'blocks.masterchainInfo' } }

describe('paths that mean nothing', () => {
  it.each([
    '/nothing',
    '/api/nothing',
    '/jsonrpc',
    '/jsonRPC/',
    '/API/v2/getMasterchainInfo',
    '//api/v2/getMasterchainInfo',
    '/api%2Fv2/getMasterchainInfo',
    '/api/v2/%',
    '/api/v2/%zz',
    '/%ff',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/page/..%2f..%2fpackage.json',
    '/page/%2e%2e%2fpackage.json',
    '/api/v2/__proto__',
    '/api/v2/constructor',
    '/local/local/health',
  ])('%s is answered with 404', async (path) => {
    expect(expectRefusal(await service.ask(get(path)), 404)).toBe('Not Found')
  })

  it.each([
    '/api/v2/getMasterchainInfo/',
    '/api/v2/getMasterchainInfo%2F',
    '/api/v2%2FgetMasterchainInfo',
    '/api/v2/getMasterchainInfo%00',
    '/api/v2/getMasterchainInf%6F',
    '/api/v2//getMasterchainInfo',
    '/api/v2/../v2/getMasterchainInfo',
    '/api/v2/getmasterchaininfo',
    '/api/v2/getMasterchainInfo;x=1',
  ])('%s is no other spelling of a method: 404, and the method that was meant', async (path) => {
    expect(expectRefusal(await service.ask(get(path)), 404)).toBe('Not Found; did you mean /api/v2/getMasterchainInfo?')
  })

  it('a path of v3 has the form of v3, and one below an unknown network says so', async () => {
    const plain = await service.ask(get('/api/v3/nothing'))
    expect([plain.status, plain.json]).toEqual([404, { error: 'not found', code: 404 }])
    const close = await service.ask(get('/api/v3/Decode'))
    expect([close.status, close.json]).toEqual([404, { error: 'not found; did you mean /api/v3/decode?', code: 404 }])
    for (const path of ['/other/api/v2/getMasterchainInfo', '/other/jsonRPC'])
      expect(expectRefusal(await service.ask(get(path)), 404)).toBe('Not Found; this service has no network other')
  })

  it('a method without a path of its own, and a path of v4 without its prefix, are told where they are', async () => {
    for (const name of ['local.mine', 'rpc.discover'])
      expect(expectRefusal(await service.ask(get(`/api/v2/${name}`)), 404)).toBe(`Not Found; ${name} is called by JSON-RPC, at /jsonRPC`)
    const block = await service.ask(get('/block/latest'))
    expect(expectRefusal(block, 404)).toBe('Not Found; did you mean /api/v4/block/latest?')
  })

  it('a method that this service does not serve is answered with 501 and the reason', async () => {
    const { status, json } = await service.ask(get('/api/v3/blocks'))
    expect([status, json]).toEqual([501, { error: expect.stringContaining('v3.blocks is not served here: there is no index'), code: 501 }])
  })
})

describe('paths that mean something', () => {
  it.each([
    '/api/v2/getMasterchainInfo',
    '/api/v2/getMasterchainInfo?',
    '/api/v2/getMasterchainInfo#fragment',
    '/api/v2/getMasterchainInfo?#fragment',
    '/local/api/v2/getMasterchainInfo',
    '/api/v2/getMasterchainInfo?api_key=',
  ])('%s is the method', async (path) => {
    expect((await service.ask(get(path))).json).toMatchObject(INFO)
  })

  it('the name of the network may stand before any path', async () => {
    const call = rpcText('getMasterchainInfo')
    expect((await service.ask(post('/local/jsonRPC', call))).json).toMatchObject({ ...INFO, id: 1 })
    expect((await service.ask(post('/local/api/v2/jsonRPC?x=1', call))).json).toMatchObject({ ...INFO, id: 1 })
    expect((await service.ask(get('/local/health'))).json).toEqual({ ok: true, result: 'OK' })
    for (const path of ['/local', '/local/', '/'])
      expect((await service.ask(get(path))).json).toMatchObject({ ok: true, result: { name: 'tonway' } })
  })

  it.each(['/', '/api/v2', '/api/v2/'])('a POST to %s is a call in the dialect of TON Center', async (path) => {
    for (const query of ['', '?from=a'])
      expect((await service.ask(post(path + query, rpcText('getMasterchainInfo')))).json).toMatchObject({
        ...INFO,
        id: 1,
        '@extra': expect.any(String),
      })
    expect((await service.ask(post(path, '{'))).status).toBe(422)
  })

  it('a path of documents leads to them', async () => {
    for (const path of ['/docs/', '/api/v2', '/api/v3/', '/local/api/v2']) {
      const { status, headers } = await service.ask(get(path))
      expect([status, headers['location']]).toEqual([302, `${path.startsWith('/local') ? '/local' : ''}/docs`])
    }
    for (const path of ['/openapi.json', '/api/v2/openapi.json', '/local/openapi.json'])
      expect((await service.ask(get(path))).json).toMatchObject({ openapi: '3.1.0' })
    expect((await service.ask(get('/openrpc.json'))).json).toMatchObject({ openrpc: expect.any(String) })
    expect((await service.ask(get('/favicon.ico'))).status).toBe(204)
  })

  it('a browser gets the page, whose script alone may run; others get JSON', async () => {
    const page = await service.ask(get('/', 'Accept: text/html,application/xhtml+xml,*/*;q=0.8'))
    expect(page.status).toBe(200)
    expect(page.headers).toMatchObject({ 'content-type': expect.stringContaining('text/html'), vary: expect.stringContaining('Accept') })
    const policy = page.headers['content-security-policy']!
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).not.toMatch(/unsafe-|\*|https?:/)
    for (const directive of ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]) expect(policy).toContain(directive)
    const below = await service.ask(get('/local', 'Accept: text/html'))
    expect([below.status, below.headers['location']]).toEqual([302, 'local/'])
    expect((await service.ask(get('/', 'Accept: application/json'))).headers['content-type']).toContain('application/json')
  })
})

describe('queries', () => {
  const hash = async (query: string) => {
    const { status, json, headers } = await service.ask(get(`/api/v2/detectHash?${query}`))
    return { status, json: json as { error?: string; result?: { hex: string } }, headers }
  }

  it.each([
    ['hash=%00', "invalid hash: '\u0000'"],
    ['hash=%', "invalid hash: '%'"],
    ['hash=%zz', "invalid hash: '%zz'"],
    ['hash=%E0%A4%A', "invalid hash: '\ufffd%A'"],
    ['hash=a+b', "invalid hash: 'a b'"],
    ['hash=%2F%2B%3D', "invalid hash: '/+='"],
    ['hash=', 'hash required'],
    ['', 'hash required'],
    ['hash%00=a', 'hash required'],
    ['hash=a&hash=b', 'hash takes one value, not a list'],
  ])('the query %j is refused with 422 and its value as it was read', async (query, text) => {
    const { status, json } = await hash(query)
    expect([status, json]).toMatchObject([422, { ok: false, code: 422, error: expect.stringContaining(text) }])
    expect(json.error).toMatch(/^failed to parse get request: /)
  })

  it('a name and a value may be percent-encoded', async () => {
    expect((await hash(`%68ash=${HASH.replaceAll('0', '%30')}`)).json).toMatchObject({ ok: true, result: { hex: HASH } })
    expect((await hash(`hash=${encodeURIComponent(`${'A'.repeat(43)}=`)}`)).json).toMatchObject({ ok: true, result: { hex: HASH } })
  })

  it('unknown names are told in a header, encoded and bounded, and the call is served', async () => {
    const { status, headers } = await hash(`hash=${HASH}&hush=1&api_key=secret&%D0%B8%D0%BC%D1%8F=2&__proto__=3&a%0d%0ab=4`)
    expect([status, headers['x-unknown-params']]).toEqual([200, 'hush, %D0%B8%D0%BC%D1%8F, __proto__, a%0D%0Ab'])
    const many = await hash(`hash=${HASH}&${Array.from({ length: 1_500 }, (_, i) => `n${i}`).join('&')}`)
    expect([many.status, many.headers['x-unknown-params']]).toEqual([200, Array.from({ length: 10 }, (_, i) => `n${i}`).join(', ')])
    const long = await hash(`hash=${HASH}&${'x'.repeat(150)}&${'y'.repeat(150)}`)
    expect(long.headers['x-unknown-params']).toBe('x'.repeat(150))
  })

  it.each([
    ['many values', `hash=${'1&hash='.repeat(1_000)}`],
    ['brackets', `hash${'[]'.repeat(3_500)}=1`],
    ['percent signs', `hash=${'%'.repeat(8_000)}`],
    ['spaces', `hash=${'%20'.repeat(2_600)}x`],
  ])('a long query of %s is refused soon', async (_what, query) => {
    expect((await hash(query)).status).toBe(422)
  })

  it('a list of v3 may repeat its name or have brackets', async () => {
    for (const query of ['opcodes=0x0&opcodes=0x0', 'opcodes[]=0x0&opcodes[]=0x0', 'opcodes%5B%5D=0x0&opcodes=0x0'])
      expect((await service.ask(get(`/api/v3/decode?${query}`))).json).toMatchObject({ opcodes: ['text_comment', 'text_comment'] })
  })
})
