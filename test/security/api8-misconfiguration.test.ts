import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawPost, rawRequest } from '../http/raw.ts'
import { ask } from '../kit/service/client.ts'
import { startTransport, type Transport } from '../kit/service/test-transports.ts'
import { startTonway } from '../kit/service/tonway.ts'
import { exchange, expectAlive, LEAKS, request } from './wire.ts'

/* OWASP API8:2023, security misconfiguration. */

let server: Transport
beforeAll(async () => {
  server = await startTransport()
})
afterAll(() => server.close())

const JSON_ANSWERS: readonly (readonly [what: string, bytes: string, status: number])[] = [
  ['an answer', request('GET /api/v2/getMasterchainInfo'), 200],
  ['a cached answer', request('GET /api/v2/count'), 200],
  ['a long answer', request('GET /api/v2/echo?size=100000', ['Accept-Encoding: gzip']), 200],
  ['JSON-RPC', rawPost('/jsonRPC', '{"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo"}'), 200],
  ['a refused parameter', request('GET /api/v2/getShards'), 422],
  ['a v3 path that is none', request('GET /api/v3/nothing'), 404],
  ['a path that is none', request('GET /nothing'), 404],
  ['a verb that is none', request('PUT /api/v2/sendBoc'), 405],
  ['a failure', rawPost('/api/v2/fail', '{"how":"unknown"}'), 500],
  ['a limit', rawPost('/api/v2/fail', '{"how":"limited"}'), 429],
  ['a body too large', rawPost('/jsonRPC', ' '.repeat((1 << 20) + 1)), 413],
  ['a URL too long', request(`GET /${'x'.repeat(9_000)}`), 414],
  [
    'too many headers',
    request(
      'GET /health',
      Array.from({ length: 300 }, (_, i) => `a${i}: 1`),
    ),
    431,
  ],
  ['status', request('GET /status'), 200],
  ['documents', request('GET /openapi.json'), 200],
]

describe('API8: how answers are dressed', () => {
  it.each(JSON_ANSWERS)('the answer has safe headers: %s', async (_what, bytes, status) => {
    const { headers, body, status: given } = await rawRequest(server.url, bytes)
    expect(given).toBe(status)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-type']).toMatch(/^application\/json/)
    // Every origin may read, none with a user's cookies.
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    for (const name of ['x-powered-by', 'server', 'set-cookie']) expect(headers[name], name).toBeUndefined()
    if (status >= 400) expect(body).not.toMatch(LEAKS)
  })

  it.each([
    ['no HTTP', 'nonsense\r\n\r\n', 400],
    ['headers too large', request('GET /health', [`X-Long: ${'y'.repeat(70_000)}`]), 431],
    [
      'a refused upgrade',
      request('GET /nowhere', [
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ]),
      404,
    ],
  ])('the answer to %s, which no handler sees, has safe headers', async (_what, bytes, status) => {
    const answer = await rawRequest(server.url, bytes)
    expect(answer).toMatchObject({ status, headers: { 'x-content-type-options': 'nosniff', connection: 'close' } })
    expect(answer.headers['server']).toBeUndefined()
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false, code: status })
  })

  it.each(['/', '/docs'])('the page at %s runs nothing but its own script, and cannot be framed', async (path) => {
    const { headers, body } = await rawRequest(server.url, request(`GET ${path}`, ['Accept: text/html']))
    const policy = headers['content-security-policy']
    expect(policy).toMatch(/^default-src 'none'; /)
    expect(policy).not.toMatch(/unsafe-|\*|https?:/)
    for (const directive of ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]) expect(policy).toContain(directive)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(body).not.toMatch(/\son\w+=|javascript:|innerHTML/)
  })

  it.each(['https://evil.example', 'null', 'http://localhost.evil.example'])('a preflight of %s gets no credentials', async (origin) => {
    const answer = await ask(`${server.url}/jsonRPC`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'x-api-key' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET,HEAD,POST,OPTIONS')
  })
})

describe('API8: what is told of the inside', () => {
  it('callers from elsewhere learn nothing of the inside; callers on this machine get the reason without passwords', async () => {
    const url = 'postgres://keeper:S3CRET@127.0.0.1:1/inside'
    await using tonway = await startTonway({ index: true, databaseUrl: url, keys: 'off', blockTime: 0 })
    const textOf = async (path: string, headers: Record<string, string> = {}) => (await ask(tonway.url + path, { headers })).text
    const outside = { 'X-Forwarded-For': '203.0.113.7' }
    await expect.poll(() => textOf('/api/v3/masterchainInfo')).toMatch(/the index is not available: .*127\.0\.0\.1:1/)
    for (const path of ['/api/v3/masterchainInfo', '/status', '/ready', '/docs', '/openapi.json']) {
      expect(await textOf(path), path).not.toContain('S3CRET')
      expect([path, (await textOf(path, outside)).match(/S3CRET|keeper|127\.0\.0\.1:1|ECONN|postgres:/)?.[0]]).toEqual([path, undefined])
    }
    expect(await textOf('/api/v3/masterchainInfo', outside)).toContain(
      '"error":"the index is not available: the database cannot be reached (DATABASE_URL)"',
    )
  })
})

describe('API8: what lies about', () => {
  it.each([
    '/.env',
    '/.git/config',
    '/.git/HEAD',
    '/package.json',
    '/package-lock.json',
    '/node_modules/koa/package.json',
    '/tonway.config.json',
    '/server/main.ts',
    '/dist/server/main.js',
    '/dist/server/main.js.map',
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/docs/../../etc/passwd',
    '/static/..%c0%af..%c0%afetc/passwd',
    '/etc/passwd',
    '/proc/self/environ',
    '/server-status',
    '/.well-known/security.txt',
    '/backup.sql',
    '/.DS_Store',
  ])('the path %s shows no file', async (path) => {
    const { statuses, text } = await exchange(server.url, request(`GET ${path}`, ['Connection: close']))
    expect(statuses).toEqual([404])
    expect(text).not.toMatch(/root:|"dependencies"|\[core\]/)
  })

  it('the default settings are closed: this machine only, no default key, figures and controls for this machine', async () => {
    const { SETTINGS } = await import('../../server/config/settings.ts')
    expect([SETTINGS.host.fallback, SETTINGS.metrics.fallback, SETTINGS.allowLocal.fallback]).toEqual(['127.0.0.1', 'local', ''])
  })

  it('all packages are locked by hash and come from the registry', () => {
    const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
      packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }>
    }
    // Where they come from is left to npm's settings; what comes is what was locked, whoever serves it.
    const fromElsewhere = (resolved?: string): boolean => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')
    const loose = Object.entries(packages).filter(
      ([name, { resolved, integrity }]) => name !== '' && (fromElsewhere(resolved) || !integrity?.startsWith('sha512-')),
    )
    expect(loose.map(([name]) => name)).toEqual([])
    expect(Object.keys(packages).length).toBeGreaterThan(50)
  })

  it('the verb TRACE gives nothing back', async () => {
    const { text, statuses } = await exchange(server.url, request('TRACE /health', ['Cookie: secret=1', 'Connection: close']))
    expect(statuses).toHaveLength(1)
    expect(text).not.toContain('secret=1')
    await expectAlive(server.url)
  })
})
