import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createLocalAccess } from '../../server/http/local-access.ts'
import { startTransport } from '../kit/service/test-transports.ts'
import { open, rawPost, rawRequest } from './raw.ts'

const may = (headers: Record<string, string>, address = '127.0.0.1', allowed: readonly string[] = []): boolean =>
  createLocalAccess(allowed)({
    headers,
    rawHeaders: Object.entries(headers).flat(),
    socket: { remoteAddress: address },
  } as unknown as IncomingMessage)

/** Opens a WebSocket with an HTTP request of its own, sends a text of at most 125 bytes, and resolves with the answer, which is as short. */
const overUpgrade = async (url: string, upgrade: string, text: string): Promise<unknown> => {
  const socket = await open(url)
  try {
    socket.write(upgrade)
    const [head] = (await once(socket, 'data')) as [Buffer]
    expect(head.toString()).toMatch(/^HTTP\/1\.1 101 /)
    // FIN and text; masked by zeros, so that the text stays as it is.
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    return JSON.parse(answer.toString('utf8', answer[1]! < 126 ? 2 : 4))
  } finally {
    socket.destroy()
  }
}

describe('who may call local.*', () => {
  it.each([
    ['127.0.0.1:8081', '127.0.0.1'],
    ['localhost:8081', '::1'],
    ['LOCALHOST', '127.0.0.1'],
    ['[::1]:8081', '::1'],
    ['127.8.8.8:1', '::ffff:127.0.0.1'],
    ['app.localhost:3000', '127.0.0.1'],
  ])('callers of this machine may call local.*, by Host %s', (host, address) => {
    expect(may({ host }, address)).toBe(true)
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8081', 'https://[::1]:3000', 'http://app.localhost'])
      expect(may({ host, origin }, address)).toBe(true)
  })

  it.each([
    ['another Host (DNS rebinding)', { host: 'evil.example:8081' }, '127.0.0.1'],
    ['a Host that looks local', { host: 'localhost.evil.example' }, '127.0.0.1'],
    ['a Host that looks like an address', { host: '127.0.0.1.evil.example' }, '127.0.0.1'],
    ['a Host with a user', { host: 'localhost@evil.example' }, '127.0.0.1'],
    ['no Host', {}, '127.0.0.1'],
    ['an empty Host', { host: '' }, '127.0.0.1'],
    ['another machine', { host: 'localhost:8081' }, '192.168.1.7'],
    ['another machine by IPv6', { host: 'localhost:8081' }, '2001:db8::1'],
    ['a foreign origin', { host: 'localhost:8081', origin: 'https://evil.example' }, '127.0.0.1'],
    ['a foreign origin that looks local', { host: 'localhost:8081', origin: 'http://localhost.evil.example' }, '127.0.0.1'],
    ['an opaque origin', { host: 'localhost:8081', origin: 'null' }, '127.0.0.1'],
    ['a file', { host: 'localhost:8081', origin: 'file://' }, '127.0.0.1'],
    ['a broken origin', { host: 'localhost:8081', origin: 'http://' }, '127.0.0.1'],
    ['a cross-site request without Origin', { host: 'localhost:8081', 'sec-fetch-site': 'cross-site' }, '127.0.0.1'],
    ['a proxy', { host: 'localhost:8081', 'x-forwarded-for': '1.2.3.4' }, '127.0.0.1'],
    ['a standard proxy', { host: 'localhost:8081', forwarded: 'for=1.2.3.4' }, '127.0.0.1'],
    ['a proxy that only signs', { host: 'localhost:8081', via: '1.1 proxy' }, '127.0.0.1'],
    ['Caddy and Traefik', { host: 'localhost:8081', 'x-forwarded-host': 'public.example' }, '127.0.0.1'],
    ['Envoy', { host: 'localhost:8081', 'x-envoy-expected-rq-timeout-ms': '15000' }, '127.0.0.1'],
    ['Cloudflare', { host: 'localhost:8081', 'cf-connecting-ip': '1.2.3.4' }, '127.0.0.1'],
  ])('callers with %s may not call local.*', (_what, headers, address) => {
    expect(may(headers, address)).toBe(false)
  })

  it.each([
    ...[
      'Ali-Cdn-Real-Ip',
      'X_Forwarded_For',
      'X-Varnish',
      'X-Forwarded-For',
      'Forwarded',
      'X-Forwarded',
      'Forwarded-For',
      'X-Forward-For',
      'Via',
    ],
    ...[
      'X-Real-IP',
      'X_REAL_IP',
      'True-Client-IP',
      'Client-IP',
      'X-Client-IP',
      'X-ClientIP',
      'X-Cluster-Client-IP',
      'X-RemoteIP',
      'X-Remote-Addr',
    ],
    ...[
      'WL-Proxy-Client-IP',
      'Proxy-Client-IP',
      'X-ProxyUser-Ip',
      'X-NginX-Proxy',
      'Fastly-Client-IP',
      'Fastly-FF',
      'Fly-Client-IP',
      'Fly-Region',
    ],
    ...['CF-Ray', 'CF-Connecting-IP', 'CDN-Loop', 'X-Azure-SocketIP', 'X-Azure-FDID', 'X-FD-HealthProbe', 'X-ARR-LOG-ID', 'X-Original-URL'],
    ...['X-Amzn-Trace-Id', 'X-Amz-Cf-Id', 'X-Cloud-Trace-Context', 'X-AppEngine-Country', 'X-Goog-Authenticated-User-Email', 'X-Vercel-Id'],
    ...['X-Akamai-Edgescape', 'Akamai-Origin-Hop', 'X-Sucuri-ClientIP', 'Incap-Client-IP', 'X-Envoy-External-Address', 'X-Traefik-Router'],
    ...[
      'Ngrok-Skip-Browser-Warning',
      'Tailscale-User-Login',
      'X-Host',
      'X-Scheme',
      'X-SSL',
      'Max-Forwards',
      'Front-End-Https',
      'X-Request-Start',
    ],
    ...[
      'Surrogate-Capability',
      'X-Squid-Error',
      'EO-Client-IP',
      'Do-Connecting-Ip',
      'X-NF-Client-Connection-IP',
      'X-Nf-Request-Id',
      'Z-Forwarded-For',
    ],
  ])('callers with a header of a forwarder may not call local.*: %s', (header) => {
    // As node gives them: in lower case.
    expect(may({ host: 'localhost:8081', [header.toLowerCase()]: 'x' })).toBe(false)
  })

  it('callers of this machine may call local.* with many headers of their own', () => {
    const own = [
      'accept',
      'accept-encoding',
      'accept-language',
      'authorization',
      'cache-control',
      'connection',
      'content-type',
      'cookie',
      'dnt',
    ]
    const more = [
      'if-none-match',
      'origin-trial',
      'pragma',
      'priority',
      'proxy-connection',
      'referer',
      'sec-ch-ua-platform',
      'sec-fetch-site',
      'te',
    ]
    const sdks = [
      'traceparent',
      'upgrade-insecure-requests',
      'user-agent',
      'x-api-key',
      'x-request-id',
      'x-requested-with',
      'x-ton-client-version',
    ]
    const headers = Object.fromEntries([...own, ...more, ...sdks].map((name) => [name, 'x']))
    expect(may({ host: 'localhost:8081', ...headers })).toBe(true)
  })

  it('nginx with its default settings may not call local.*', async () => {
    const server = await startTransport()
    try {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'local.wallets', params: {} })
      const asNginx = `POST /jsonRPC HTTP/1.0\r\nHost: 127.0.0.1:${new URL(server.url).port}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      expect(JSON.parse((await rawRequest(server.url, asNginx)).body)).toMatchObject({ error: { code: -32003 } })
    } finally {
      await server.close()
    }
  })

  it.each([
    ['localhost', 'evil.example', false],
    ['127.0.0.1:8081', 'evil.example:8081', false],
    ['evil.example', 'localhost', false],
    ['localhost', '127.0.0.1:8081', true],
  ])('a request for http://%s with Host %s may call local.*: %s', async (target, host, isAllowed) => {
    const server = await startTransport()
    try {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'local.wallets', params: {} })
      const post = `POST http://${target}/jsonRPC HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const answer = JSON.parse((await rawRequest(server.url, post)).body)
      expect(answer).toMatchObject(isAllowed ? { ok: true, result: [] } : { error: { code: -32003, data: { kind: 'FORBIDDEN' } } })
      const upgrade = `GET http://${target}/jsonRPC HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
      expect(await overUpgrade(server.url, upgrade, body)).toMatchObject(
        isAllowed ? { id: 1, result: [] } : { id: 1, error: { code: -32003 } },
      )
    } finally {
      await server.close()
    }
  })

  it('callers that the setting names may call local.*', () => {
    const foreign = { host: 'localhost:8081', origin: 'https://dapp.example' }
    expect(may(foreign, '127.0.0.1', ['https://dapp.example'])).toBe(true)
    expect(may(foreign, '127.0.0.1', ['https://dapp.example:444'])).toBe(false)
    expect(may(foreign, '127.0.0.1', ['http://dapp.example'])).toBe(false)
    expect(may({ host: 'devbox:8081' }, '10.0.0.5', ['devbox'])).toBe(true)
    expect(may({ host: 'devbox:8081', origin: 'http://devbox:3000' }, '10.0.0.5', ['devbox'])).toBe(true)
    expect(may({ host: 'devbox:8081', origin: 'https://evil.example' }, '10.0.0.5', ['devbox'])).toBe(false)
    expect(may({ host: 'other:8081' }, '10.0.0.5', ['devbox'])).toBe(false)
    expect(may({ host: 'x', origin: 'https://evil.example' }, '10.0.0.5', ['*'])).toBe(true)
  })

  it('every transport that has local.* asks whether the caller may use it', async () => {
    const server = await startTransport()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'local.wallets', params: {} })
    const evil = { Origin: 'https://evil.example' }
    try {
      expect(JSON.parse((await rawRequest(server.url, rawPost('/jsonRPC', body))).body)).toMatchObject({ ok: true })
      const strict = await rawRequest(server.url, rawPost('/jsonRPC', body, evil))
      expect(strict.status).toBe(200)
      expect(JSON.parse(strict.body)).toMatchObject({ id: 1, error: { code: -32003, data: { kind: 'FORBIDDEN' } } })
      const batch = await rawRequest(server.url, rawPost('/jsonRPC', `[${body}]`, evil))
      expect(JSON.parse(batch.body)).toMatchObject([{ id: 1, error: { code: -32003 } }])
      const dialect = await rawRequest(server.url, rawPost('/api/v2/jsonRPC', body, evil))
      expect(dialect.status).toBe(403)
      expect(JSON.parse(dialect.body)).toMatchObject({ ok: false, code: 403, id: 1 })
      // A form of a page, which no preflight guards.
      const form = await rawRequest(server.url, rawPost('/api/v2/jsonRPC', body, { ...evil, 'Content-Type': 'text/plain' }))
      expect(form.status).toBe(403)

      const overSocket = (origin: string): Promise<unknown> =>
        new Promise((resolve, reject) => {
          const socket = new WebSocket(server.wsUrl, { origin })
          socket.once('error', reject)
          socket.once('open', () => socket.send(body))
          socket.once('message', (data) => {
            resolve(JSON.parse(String(data)))
            socket.close()
          })
        })
      expect(await overSocket('https://evil.example')).toMatchObject({ id: 1, error: { code: -32003 } })
      expect(await overSocket('http://localhost:3000')).toMatchObject({ id: 1, result: [] })
    } finally {
      await server.close()
    }
  })
})
