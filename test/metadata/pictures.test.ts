import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createLoader, MAX_PICTURES, pictureHandlers } from '../../server/metadata/pictures.ts'
import { FetchRefusal } from '../../server/net/fetch.ts'
import { parseParams } from '../../shared/params.ts'
import { registry } from '../../shared/registry.ts'
import { gifOf, pngOf } from '../kit/pictures.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { startTonway } from '../kit/service/tonway.ts'
import { until } from '../kit/wait.ts'

/* Pictures of tokens through the whole service. A stranger's server stands behind the IPFS gateway, the only place that a test may fetch from. */

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
const acorn = pngOf(16, 16)
const asked: string[] = []

const send =
  (type: string, body: Buffer | string): RequestListener =>
  (_, res) =>
    res.setHeader('content-type', type).end(body)

const files: Readonly<Record<string, RequestListener>> = {
  '/acorn.png': send('image/png', acorn),
  '/shared.png': send('image/png', acorn),
  '/called-png.gif': send('image/png', gifOf(5, 6)),
  '/untyped': send('application/octet-stream', acorn),
  '/picture.svg': send('image/svg+xml', SVG),
  '/svg-as.png': send('image/png', SVG),
  '/html-as.png': send('image/png', '<html><script>alert(1)</script></html>'),
  '/page.html': send('text/html', acorn),
  '/wide.png': send('image/png', pngOf(60_000, 60_000)),
  '/heavy.png': send('image/png', Buffer.concat([acorn, Buffer.alloc(1 << 20)])),
  '/endless.png': (_, res) => {
    res.setHeader('content-type', 'image/png')
    const more = (): void => {
      if (!res.destroyed) res.write(Buffer.alloc(1 << 16), more)
    }
    more()
  },
  '/loop.png': (_, res) => res.writeHead(302, { location: 'loop.png' }).end(),
  '/inside.png': (_, res) => res.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end(),
  '/file.png': (_, res) => res.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/gone.png': (_, res) => res.writeHead(404).end(),
  '/content.json': send(
    'application/json',
    JSON.stringify({ name: 'Far', image_data: acorn.toString('base64'), image: 'ipfs://gone.png' }),
  ),
}

let service: V3Service
let server: Server
/** Jetton masters by what they say of their picture. */
const tokens = new Map<string, string>()

const IMAGES = [
  ...Object.keys(files)
    .filter((path) => path !== '/content.json')
    .map((path) => `ipfs:/${path}`),
  `data:image/png;base64,${acorn.toString('base64')}`,
  // The type in the address is the token's word; the bytes decide.
  `data:image/svg+xml;base64,${acorn.toString('base64')}`,
  `data:image/png;base64,${Buffer.from(SVG).toString('base64')}`,
  `data:image/svg+xml,${encodeURIComponent(SVG)}`,
  'http://127.0.0.1:1/secret.png',
  'http://localhost/secret.png',
  'http://user:pass@example.com/x.png',
  'http://[::ffff:169.254.169.254]/latest/meta-data',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '../../etc/passwd',
]

beforeAll(async () => {
  server = createServer((req, res) => {
    asked.push(req.url!)
    const file = files[req.url!.replace('/ipfs', '')]
    if (file) file(req, res)
    else res.writeHead(404).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ipfs/`
  service = await startV3({ metadata: true, ipfsGateway: gateway })
  const deploy = async (content: { image?: string; uri?: string }) => (await service.call('local.deployJetton', { ...content })).address
  for (const image of IMAGES) tokens.set(image, await deploy({ image }))
  tokens.set('far', await deploy({ uri: 'ipfs://content.json' }))
  tokens.set('none', (await service.call('local.deployJetton', { name: 'No picture' })).address)
  await service.settle()
}, 120_000)
afterAll(async () => {
  await service?.close()
  server?.closeAllConnections()
  server?.close()
})

const picture = (image: string, init?: RequestInit): Promise<Response> =>
  fetch(`${service.url}/picture/${tokens.get(image) ?? image}`, init)

/** What a refused picture is answered with. */
const refused = async (image: string): Promise<string> => {
  const answer = await picture(image)
  expect([image, answer.status, answer.headers.get('content-type')]).toEqual([image, 404, 'application/json; charset=utf-8'])
  return String(((await answer.json()) as { error: string }).error)
}

it('failures to load a picture are kept within the same bound as pictures', async () => {
  const loader = createLoader({ get: () => Promise.reject(new FetchRefusal('status', 'there is none')) })
  for (let i = 0; i < MAX_PICTURES + 100; i++) {
    expect(await loader.forceFetch(`https://example.com/${i}.png`, { context: { client: 'me' } })).toHaveProperty('fault')
  }
  expect(loader.size).toBe(MAX_PICTURES)
})

describe('/picture/<account>', () => {
  it('/picture answers the bytes of a picture, with their own type and a policy that runs nothing', async () => {
    const answer = await picture('ipfs://acorn.png')
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(acorn)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(acorn.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, max-age=3600',
    })
    const head = await picture('ipfs://acorn.png', { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(acorn.length)])
    const etag = answer.headers.get('etag')!
    for (const known of [etag, `"a", ${etag}`, `W/${etag}`, '*']) {
      const again = await picture('ipfs://acorn.png', { headers: { 'If-None-Match': known } })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
    expect((await picture('ipfs://acorn.png', { headers: { 'If-None-Match': '"a", W/"b"' } })).status).toBe(200)
    const under = await fetch(`${service.url}/local/picture/${tokens.get('ipfs://acorn.png')}`)
    expect(under.headers.get('content-type')).toBe('image/png')
  })

  it('a picture has the type of its first bytes, whatever the server or the token says', async () => {
    expect((await picture('ipfs://called-png.gif')).headers.get('content-type')).toBe('image/gif')
    expect((await picture('ipfs://untyped')).headers.get('content-type')).toBe('image/png')
    expect((await picture(`data:image/svg+xml;base64,${acorn.toString('base64')}`)).headers.get('content-type')).toBe('image/png')
    expect((await picture(`data:image/png;base64,${acorn.toString('base64')}`)).status).toBe(200)
  })

  it('/picture shows no SVG, no page and nothing else that is no raster picture', async () => {
    expect(await refused('ipfs://picture.svg')).toContain('refused (type)')
    expect(await refused('ipfs://page.html')).toContain('refused (type)')
    for (const image of [
      'ipfs://svg-as.png',
      'ipfs://html-as.png',
      'ipfs://wide.png',
      `data:image/png;base64,${Buffer.from(SVG).toString('base64')}`,
    ])
      expect(await refused(image)).toContain('not a PNG, JPEG, GIF or WebP')
    expect(await refused(`data:image/svg+xml,${encodeURIComponent(SVG)}`)).toContain('not an http, https or ipfs URL')
  })

  it('no picture of more than 1 MiB is loaded', async () => {
    for (const image of ['ipfs://heavy.png', 'ipfs://endless.png']) expect(await refused(image)).toContain('larger than 1 MiB')
  })

  it('a picture is loaded from no private address, no file and no other scheme, neither directly nor through a redirect', async () => {
    for (const image of [
      'http://127.0.0.1:1/secret.png',
      'http://localhost/secret.png',
      'http://[::ffff:169.254.169.254]/latest/meta-data',
    ])
      expect(await refused(image)).toContain('refused (address)')
    expect(await refused('ipfs://inside.png')).toContain('refused (address)')
    for (const image of ['ipfs://file.png', 'http://user:pass@example.com/x.png']) expect(await refused(image)).toContain('refused (url)')
    for (const image of ['file:///etc/passwd', 'javascript:alert(1)', '../../etc/passwd'])
      expect(await refused(image)).toContain('not an http, https')
    expect(await refused('ipfs://loop.png')).toContain('refused (redirects)')
    expect(await refused('ipfs://gone.png')).toContain('refused (status)')
  })

  it('a picture is loaded once for many callers, and a failed one no more than once in a while', async () => {
    await refused('ipfs://gone.png')
    asked.length = 0
    await Promise.all(Array.from({ length: 20 }, () => picture('ipfs://shared.png').then((answer) => answer.arrayBuffer())))
    for (let i = 0; i < 5; i++) await refused('ipfs://gone.png')
    expect(asked).toEqual(['/ipfs/shared.png'])
  })

  it('a picture is found in a document that the content names, and the next one is taken if the first cannot be shown', async () => {
    const master = tokens.get('far')!
    await until(async () => (await fetch(`${service.url}/picture/${master}`)).status === 200)
    expect(await service.call('token.picture', { address: master })).toMatchObject({ type: 'image/png', width: 16, height: 16 })
  })

  it('a wallet of a jetton has the picture of the jetton', async () => {
    const { wallets } = await service.call('local.wallets', {})
    const jetton = tokens.get('ipfs://acorn.png')!
    const { address } = await service.call('local.mintJetton', { jetton, owner: wallets[0]!.address, amount: '5' })
    await service.settle()
    expect((await fetch(`${service.url}/picture/${address}`)).headers.get('content-type')).toBe('image/png')
  })

  it('/picture says that there is no picture, no token, no address or no index', async () => {
    expect(await refused('none')).toContain('has no picture')
    expect(await refused(`0:${'99'.repeat(32)}`)).toContain('has no picture')
    for (const bad of ['nonsense', '%00', '..%2f..%2fetc%2fpasswd', '<script>'])
      expect([bad, (await fetch(`${service.url}/picture/${bad}`)).status]).toEqual([bad, 422])
    await using plain = await startTonway({ blockTime: 0 })
    expect((await fetch(`${plain.url}/picture/${tokens.get('none')}`)).status).toBe(501)
  })

  it('with metadata off no picture is loaded from outside, but one in the content is shown', async () => {
    const { reader } = service.tonway.app.network.index!
    const { 'token.picture': tell } = pictureHandlers({ reader, want: undefined, fetch: undefined })
    const call = { signal: new AbortController().signal, requestId: '', log: silentLog, localAllowed: true, network: 'local' }
    const of = (image: string) => tell(parseParams(registry['token.picture'], { address: tokens.get(image) }, 'body') as never, call)
    asked.length = 0
    await expect(of('ipfs://acorn.png')).rejects.toThrow('nothing off the chain is fetched')
    expect(await of(`data:image/png;base64,${acorn.toString('base64')}`)).toMatchObject({ width: 16, height: 16 })
    expect(asked).toEqual([])
  })

  it('a picture is counted as a call', async () => {
    await using limited = await startTonway({ blockTime: 0, anonymousRps: 1 })
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await fetch(`${limited.url}/picture/${tokens.get('none')}`)).status),
    )
    expect(statuses).toContain(429)
  })
})
