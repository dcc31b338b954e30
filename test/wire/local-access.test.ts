import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, post, requestOf, rpcText } from '../kit/wire/connection.ts'
import { frame, openFrames } from '../kit/wire/frames.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/*
 * Who may call `local.*`, which can rewrite the chain. Any page can make a browser send requests to this machine, and a name of its own can point here;
 * a proxy makes everybody look local.
 */

let service: WireService
let open: WireService
beforeAll(async () => {
  ;[service, open] = await Promise.all([startService(), startService('--allow-local', 'https://dapp.example,devbox')])
})
afterAll(async () => {
  await service?.stop()
  await open?.stop()
})

const CALL = rpcText('local.wallets')
const REFUSED = {
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32003, message: expect.stringContaining('TONWAY_ALLOW_LOCAL'), data: { kind: 'FORBIDDEN' } },
}
const withHost = (host: string, ...lines: readonly string[]): string =>
  post('/jsonRPC', CALL, ...lines).replace('Host: localhost\r\n', `Host: ${host}\r\n`)
const answerTo = async (bytes: string, of = service): Promise<unknown> => (await of.ask(bytes)).json
const SERVED = { ok: true, id: 1, result: { wallets: expect.any(Array) } }

describe('callers on this machine', () => {
  it.each([
    '127.0.0.1:8081',
    'localhost:8081',
    'LOCALHOST',
    '[::1]:8081',
    '127.8.8.8:1',
    'app.localhost:3000',
  ])('callers by the Host %s may call', async (host) => {
    expect(await answerTo(withHost(host))).toMatchObject(SERVED)
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8081', 'https://[::1]:3000', 'http://app.localhost'])
      expect(await answerTo(withHost(host, `Origin: ${origin}`))).toMatchObject(SERVED)
  })

  it('callers with the headers of browsers and SDKs may call', async () => {
    const lines = [
      ...['Accept: */*', 'Accept-Encoding: identity', 'Accept-Language: de', 'Authorization: a', 'Cache-Control: no-cache', 'Cookie: a=b'],
      ...[
        'DNT: 1',
        'If-None-Match: a',
        'Pragma: a',
        'Priority: u=1',
        'Proxy-Connection: keep-alive',
        'Referer: http://localhost/',
        'TE: trailers',
      ],
      ...[
        'Sec-CH-UA-Platform: a',
        'Sec-Fetch-Site: same-origin',
        'traceparent: a',
        'User-Agent: a',
        'X-Requested-With: a',
        'X-Ton-Client-Version: 1',
      ],
    ]
    expect(await answerTo(withHost('localhost', ...lines))).toMatchObject(SERVED)
  })
})

describe('callers who are not on this machine, or look so', () => {
  it.each([
    ['another Host (DNS rebinding)', 'evil.example:8081', []],
    ['a Host that begins like a local one', 'localhost.evil.example', []],
    ['a Host that begins like an address', '127.0.0.1.evil.example', []],
    ['an empty Host', '', []],
    ['a foreign origin', 'localhost', ['Origin: https://evil.example']],
    ['a foreign origin that looks local', 'localhost', ['Origin: http://localhost.evil.example']],
    ['an opaque origin', 'localhost', ['Origin: null']],
    ['a file for an origin', 'localhost', ['Origin: file://']],
    ['a broken origin', 'localhost', ['Origin: http://']],
    // 60 KB of other letters take node's parser of URLs 80 ms.
    ['an endless origin', 'localhost', [`Origin: http://${'a.'.repeat(520)}localhost`]],
    ['a request of another site without an origin', 'localhost', ['Sec-Fetch-Site: cross-site']],
  ])('callers with %s may not call', async (_what, host, lines) => {
    expect(await answerTo(withHost(host, ...lines))).toEqual(REFUSED)
  })

  it.each([
    ...[
      'X-Forwarded-For',
      'X_Forwarded_For',
      'Forwarded',
      'Via',
      'X-Real-IP',
      'True-Client-IP',
      'X-Client-IP',
      'X-Cluster-Client-IP',
      'X-Forwarded-Host',
    ],
    ...[
      'WL-Proxy-Client-IP',
      'X-ProxyUser-Ip',
      'X-NginX-Proxy',
      'X-Varnish',
      'Fastly-FF',
      'Fly-Region',
      'CF-Ray',
      'CF-Connecting-IP',
      'CDN-Loop',
    ],
    ...['X-Azure-FDID', 'X-ARR-LOG-ID', 'X-Original-URL', 'X-Amzn-Trace-Id', 'X-Cloud-Trace-Context', 'X-AppEngine-Country', 'X-Vercel-Id'],
    ...[
      'X-Akamai-Edgescape',
      'X-Envoy-External-Address',
      'X-Traefik-Router',
      'Ngrok-Skip-Browser-Warning',
      'Tailscale-User-Login',
      'X-Scheme',
    ],
    ...[
      'Max-Forwards',
      'Front-End-Https',
      'X-Request-Start',
      'Surrogate-Capability',
      'X-Squid-Error',
      'X-Nf-Request-Id',
      'Ali-Cdn-Real-Ip',
    ],
  ])('callers with the header %s of a forwarder may not call', async (name) => {
    expect(await answerTo(withHost('localhost', `${name}: x`))).toEqual(REFUSED)
  })

  it('callers in HTTP/1.0, which nginx speaks, may not call', async () => {
    const bytes = post('/jsonRPC', CALL).replace('HTTP/1.1', 'HTTP/1.0')
    expect(await answerTo(bytes)).toEqual(REFUSED)
  })

  it.each([
    ['localhost', 'evil.example'],
    ['evil.example', 'localhost'],
    ['127.0.0.1:8081', 'evil.example:8081'],
  ])('callers with the target http://%s and the Host %s may not call', async (target, host) => {
    expect(await answerTo(withHost(host).replace('POST /', `POST http://${target}/`))).toEqual(REFUSED)
    expect(await answerTo(withHost('127.0.0.1:1').replace('POST /', 'POST http://localhost/'))).toMatchObject(SERVED)
  })
})

describe('every transport', () => {
  const EVIL = 'Origin: https://evil.example'

  it('a refused caller is refused in a batch, in the dialect and by a form of a page', async () => {
    expect(await answerTo(post('/jsonRPC', `[${CALL}]`, EVIL))).toEqual([REFUSED])
    for (const type of ['application/json', 'text/plain']) {
      const { status, json } = await service.ask(post('/api/v2/jsonRPC', CALL, EVIL, `Content-Type: ${type}`))
      expect([status, json]).toMatchObject([403, { ok: false, code: 403, id: 1 }])
    }
    const before = (await service.status()).head.seqno
    const mine = '{"jsonrpc":"2.0","method":"local.mine"}'
    expect((await service.ask(post('/jsonRPC', mine, EVIL))).status).toBe(204)
    expect((await service.status()).head.seqno).toBe(before)
  })

  it('a refused caller is refused over a WebSocket', async () => {
    for (const [lines, answer] of [
      [[EVIL], { id: 1, error: { code: -32003 } }],
      [['X-Forwarded-For: 203.0.113.7'], { id: 1, error: { code: -32003 } }],
      [['Origin: http://localhost:3000'], { id: 1, result: { wallets: expect.any(Array) } }],
    ] as const) {
      const { connection, next } = await openFrames(service, '/jsonRPC', ...lines)
      await connection.send(frame(0x81, Buffer.from(CALL)))
      expect(JSON.parse(String((await next()).payload))).toMatchObject(answer)
      connection.destroy()
    }
  })

  it('local methods have no path of REST, whoever calls', async () => {
    for (const path of ['/api/v2/local.wallets', '/api/v2/local/wallets', '/api/v3/local/wallets']) {
      expect((await service.ask(get(path))).status).toBe(404)
      expect((await service.ask(requestOf('POST', path))).status).toBe(404)
    }
  })
})

describe('callers whom the setting allows', () => {
  it.each([
    [true, 'localhost', ['Origin: https://dapp.example']],
    [true, 'devbox:8081', []],
    [true, 'devbox:8081', ['Origin: http://devbox:3000']],
    [true, 'devbox:8081', ['X-Forwarded-For: 203.0.113.7']],
    [false, 'localhost', ['Origin: https://dapp.example:444']],
    [false, 'localhost', ['Origin: http://dapp.example']],
    [false, 'localhost', ['Origin: https://evil.example']],
    [false, 'devbox:8081', ['Origin: https://evil.example']],
    [false, 'other:8081', []],
  ])('may call: %s, with the Host %s and %j', async (isAllowed, host, lines) => {
    expect(await answerTo(withHost(host, ...lines), open)).toMatchObject(isAllowed ? SERVED : REFUSED)
  })
})
