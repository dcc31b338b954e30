import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { setMaxListeners } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../server/net/address-ranges.ts'
import { createDnsResolver, createFetch, type FetchOptions, FetchRefusal, type RefusalKind } from '../../server/net/fetch.ts'
import { createPost } from '../../server/net/post.ts'

/* A stranger's server stands on 127.0.0.1, the only address that these tests take for a public one; what it must not reach stands on 127.0.0.2. */

const PUBLIC = '127.0.0.1'
const json = '{"name":"Acorn"}'
const never = new AbortController().signal

const pages: Record<string, RequestListener> = {
  '/ok.json': (_, res) => res.setHeader('content-type', 'application/json; charset=utf-8').end(json),
  '/untyped': (_, res) => res.end(json),
  '/gzip': (_, res) => res.setHeader('content-type', 'text/plain').setHeader('content-encoding', 'gzip').end(gzipSync(json)),
  '/bomb': (_, res) =>
    res
      .setHeader('content-type', 'application/json')
      .setHeader('content-encoding', 'gzip')
      .end(gzipSync(Buffer.alloc(1 << 22))),
  '/not-gzip': (_, res) => res.setHeader('content-type', 'application/json').setHeader('content-encoding', 'gzip').end(json),
  '/zstd': (_, res) => res.setHeader('content-type', 'application/json').setHeader('content-encoding', 'zstd').end(json),
  '/html': (_, res) => res.setHeader('content-type', 'text/html').end('<h1>'),
  '/404': (_, res) => res.writeHead(404).end(),
  '/503': (_, res) => res.writeHead(503).end(),
  '/says-big': (_, res) => res.writeHead(200, { 'content-type': 'application/json', 'content-length': 1 << 30 }).flushHeaders(),
  '/endless': (_, res) => {
    res.setHeader('content-type', 'application/json')
    const more = (): void => {
      if (!res.destroyed) res.write(Buffer.alloc(1 << 16), more)
    }
    more()
  },
  '/drip': (_, res) => {
    res.setHeader('content-type', 'application/json')
    const timer = setInterval(() => res.write(' '), 20)
    res.on('close', () => clearInterval(timer))
  },
  '/silent': () => {},
  '/cut': (_, res) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    res.write('{', () => res.destroy())
  },
  '/loop': (_, res) => res.writeHead(302, { location: '/loop' }).end(),
  '/to-ok': (_, res) => res.writeHead(301, { location: 'ok.json' }).end(),
  '/to-private': (req, res) => res.writeHead(302, { location: `http://127.0.0.2:${req.socket.localPort}/ok.json` }).end(),
  '/to-file': (_, res) => res.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/to-data': (_, res) => res.writeHead(302, { location: 'data:application/json,{}' }).end(),
  '/to-nowhere': (_, res) => res.writeHead(302, { location: 'http://' }).end(),
  '/headers': (_, res) => res.writeHead(200, { 'content-type': 'application/json', 'x-long': 'x'.repeat(20_000) }).end(json),
  '/ipfs/Qm1/0.json': (_, res) => res.setHeader('content-type', 'application/json').end('{"ipfs":1}'),
}

let outside: Server
let inside: Server
let port: number
let reached = 0
beforeAll(async () => {
  outside = createServer((req, res) => (pages[req.url!] ?? pages['/404']!)(req, res))
  port = await new Promise<number>((done) => outside.listen(0, PUBLIC, () => done((outside.address() as AddressInfo).port)))
  inside = createServer((_, res) => {
    reached++
    res.setHeader('content-type', 'application/json').end('"secret"')
  })
  await new Promise<void>((done) => inside.listen(port, '127.0.0.2', done))
})
afterAll(() => {
  for (const server of [outside, inside]) {
    server?.closeAllConnections()
    server?.close()
  }
  expect(reached).toBe(0)
})

const fetching = (options: FetchOptions = {}) =>
  createFetch({ isAllowed: (address) => address === PUBLIC, resolve: async () => [PUBLIC], timeout: 5_000, ...options })
const at = (path: string): string => `http://${PUBLIC}:${port}${path}`
const refusal = async (promise: Promise<unknown>): Promise<RefusalKind> => {
  const error = await promise.catch((thrown: unknown) => thrown)
  if (!(error instanceof FetchRefusal)) throw new Error(`not refused: ${JSON.stringify(error)}`)
  return error.kind
}

describe('what is fetched', () => {
  it.each([
    ['a page of the right type', '/ok.json', json],
    ['a page without a type', '/untyped', json],
    ['a compressed page', '/gzip', json],
    ['a redirect, relative to where it stands', '/to-ok', json],
  ])('fetch reads %s', async (_, path, body) => {
    const { bytes, url } = await fetching().get(at(path), never)
    expect(Buffer.from(bytes).toString()).toBe(body)
    expect(url).toBe(at(path === '/to-ok' ? '/ok.json' : path))
  })

  it('fetch by name connects to the address that was checked, with one lookup', async () => {
    let asked = 0
    const resolve = async () => (asked++ === 0 ? [PUBLIC] : ['127.0.0.2'])
    const { bytes } = await fetching({ resolve }).get(`http://acorn.example:${port}/ok.json`, never)
    expect([Buffer.from(bytes).toString(), asked]).toEqual([json, 1])
  })

  it('of several addresses only the public ones are contacted', async () => {
    const resolve = async () => ['127.0.0.2', PUBLIC]
    expect(Buffer.from((await fetching({ resolve }).get(`http://two.example:${port}/ok.json`, never)).bytes).toString()).toBe(json)
  })

  it('of a name with thousands of addresses only the first sixteen are looked at', async () => {
    const asked: string[] = []
    const resolve = async () => Array.from({ length: 4_000 }, (_, i) => `198.51.${i >> 8}.${i & 255}`)
    const isAllowed = (address: string): boolean => {
      asked.push(address)
      return address === '198.51.0.16'
    }
    expect(await refusal(fetching({ resolve, isAllowed }).get('http://many.example/', never))).toBe('address')
    expect(asked).toHaveLength(16)
  })

  it('ipfs is fetched through the gateway, which may be private', async () => {
    const ipfs = createFetch({ ipfsGateway: at('/ipfs') })
    for (const url of ['ipfs://Qm1/0.json', 'ipfs://ipfs/Qm1/0.json']) {
      expect(Buffer.from((await ipfs.get(url, never)).bytes).toString()).toBe('{"ipfs":1}')
    }
    expect(await refusal(createFetch().get('ipfs://Qm1/0.json', never))).toBe('url')
  })

  it.each([
    'ipfs://../ok.json',
    'ipfs://Qm1/%2e%2e/../ok.json',
    'ipfs://..%2fok.json',
    'ipfs://..%5Cok.json',
    'http://HERE/ok.json',
    'http://HERE/ipfs',
  ])('nothing else on the host of a private gateway is fetched: %s', async (url) => {
    const ipfs = createFetch({ ipfsGateway: at('/ipfs/') })
    expect(await refusal(ipfs.get(url.replace('HERE', new URL(at('/')).host), never))).toBe('address')
  })
})

describe('what is refused', () => {
  it.each<[string, string, RefusalKind]>([
    ['a file', 'file:///etc/passwd', 'url'],
    ['ftp', 'ftp://example.com/x', 'url'],
    ['data', 'data:application/json,{}', 'url'],
    ['no URL', 'acorn', 'url'],
    ['an empty one', '', 'url'],
    ['one over the length', `http://example.com/${'x'.repeat(5000)}`, 'url'],
    ['a user name', 'http://root@example.com/', 'url'],
    ['this machine', 'http://127.0.0.2/ok.json', 'address'],
    ['this machine in hexadecimal', 'http://0x7f000002/', 'address'],
    ['this machine as one number', 'http://2130706434/', 'address'],
    ['this machine by IPv6', 'http://[::1]/', 'address'],
    ['this machine as IPv4 in IPv6', 'http://[::ffff:127.0.0.2]/', 'address'],
    ['the metadata service of clouds', 'http://169.254.169.254/latest/meta-data', 'address'],
  ])('a URL with %s is refused without a connection', async (_, url, kind) => {
    expect(await refusal(fetching().get(url, never))).toBe(kind)
  })

  it.each<[string, string, RefusalKind]>([
    ['HTML for JSON', '/html', 'type'],
    ['an encoding that is none', '/not-gzip', 'type'],
    ['an encoding that nobody knows', '/zstd', 'type'],
    ['a bomb', '/bomb', 'size'],
    ['a body that says it is big', '/says-big', 'size'],
    ['a body without end', '/endless', 'size'],
    ['a page that is not there', '/404', 'status'],
    ['a server in trouble', '/503', 'status'],
    ['redirects without end', '/loop', 'redirects'],
    ['a redirect to a private address', '/to-private', 'address'],
    ['a redirect to a file', '/to-file', 'url'],
    ['a redirect to data', '/to-data', 'url'],
    ['a redirect to nowhere', '/to-nowhere', 'url'],
    ['a body that is cut', '/cut', 'network'],
    ['headers without end', '/headers', 'network'],
  ])('fetch refuses %s', async (_, path, kind) => {
    expect(await refusal(fetching().get(at(path), never))).toBe(kind)
  })

  it.each(['/silent', '/drip'])('fetch gives up a server that sends %s for ever', async (path) => {
    expect(await refusal(fetching({ timeout: 200 }).get(at(path), never))).toBe('timeout')
  })

  it('fetch refuses a name with only private addresses, and an unknown name', async () => {
    expect(await refusal(fetching({ resolve: async () => ['127.0.0.2', '10.0.0.1'] }).get('http://evil.example/', never))).toBe('address')
    const lost = async () => {
      throw new Error('ENOTFOUND')
    }
    expect(await refusal(fetching({ resolve: lost }).get('http://lost.example/', never))).toBe('network')
  })

  it('names whose servers are silent wait in no line of the system, and a fetch ends in its time all the same', async () => {
    const silent = createSocket('udp4')
    let queries = 0
    silent.on('message', () => queries++)
    await new Promise<void>((done) => silent.bind(0, PUBLIC, done))
    const slow = fetching({ resolve: createDnsResolver([`${PUBLIC}:${silent.address().port}`]), timeout: 300 })
    const all = Array.from({ length: 16 }, (_, i) => refusal(slow.get(`http://h${i}.slow.example/`, never)))
    await lookup('localhost')
    expect(new Set(await Promise.all(all))).toEqual(new Set(['timeout']))
    // An A and an AAAA query for each of four names. The other twelve wait.
    expect(queries).toBe(8)
    silent.close()
  })

  it('a webhook whose name waits behind too many others is refused for a while, and not as unknown', async () => {
    const silent = createSocket('udp4')
    await new Promise<void>((done) => silent.bind(0, PUBLIC, done))
    const resolve = createDnsResolver([`${PUBLIC}:${silent.address().port}`])
    const post = createPost({ hosts: [], loopback: false, resolve })
    const leaving = new AbortController()
    setMaxListeners(0, leaving.signal)
    // Four are looked up, and a thousand wait.
    const all = Array.from({ length: 1_005 }, (_, i) => post.check(`https://h.slow${i}.example/`, leaving.signal))
    await expect(Promise.race(all)).rejects.toMatchObject({ kind: 'UNAVAILABLE', message: 'too many names are looked up' })
    leaving.abort()
    silent.close()
    post.close()
  })

  it('a caller that aborts fetch gets its own reason', async () => {
    const leaving = new AbortController()
    const asked = fetching().get(at('/silent'), leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(asked).rejects.toThrow('gone')
  })
})

describe('public addresses', () => {
  it.each([
    ...['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'].map((address) => [address, true] as const),
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.168.1.1'].map(no),
    ...['198.18.0.1', '203.0.113.9', '224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:8.8.8.8', '64:ff9b::808:808'].map(no),
    ...['2001::1', '2001:db8::1', '2002:7f00:1::', 'fc00::1', 'fe80::1', 'fe80::1%eth0', 'ff02::1', 'localhost', ''].map(no),
  ])('%s: %s', (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected)
  })
})

function no(address: string): readonly [string, boolean] {
  return [address, false]
}
