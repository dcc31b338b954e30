import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetch, type FetchRefusal } from '../../server/net/fetch.ts'
import { post, rpcRequest } from '../kit/service/client.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { exchange, expectAlive, request } from './wire.ts'

/* OWASP API7:2023, server side request forgery: nothing that a caller names is spoken to. A canary stands where the attacker points. */

let canary: Server
let port: number
const visits: string[] = []
let tonway: Tonway
beforeAll(async () => {
  canary = createServer((req, res) => {
    visits.push(`${req.method} ${req.url}`)
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"name":"canary"}')
  })
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  port = (canary.address() as AddressInfo).port
  tonway = await startTonway({ blockTime: 0 })
})
afterAll(async () => {
  await tonway?.close()
  await new Promise((resolve) => canary.close(resolve))
})

describe('API7: callers cannot make the service speak to others', () => {
  it('a request target that names another server does not make the service contact it', async () => {
    const there = `127.0.0.1:${port}`
    for (const text of [
      `GET http://${there}/api/v2/getMasterchainInfo HTTP/1.1\r\nHost: ${there}\r\nConnection: close\r\n\r\n`,
      `GET //${there}/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      `CONNECT ${there} HTTP/1.1\r\nHost: ${there}\r\n\r\nGET /tunnel HTTP/1.1\r\nHost: ${there}\r\n\r\n`,
      `GET @${there}/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      request('GET /api/v2/getMasterchainInfo', [
        `X-Forwarded-Host: ${there}`,
        `X-Original-URL: http://${there}/`,
        `X-Rewrite-URL: http://${there}/`,
        'Connection: close',
      ]),
      request(
        'POST /jsonRPC',
        [`X-Forwarded-For: ${there}`, `Forwarded: host=${there}`, `Referer: http://${there}/`, 'Content-Length: 2', 'Connection: close'],
        '{}',
      ),
    ]) {
      const { statuses, text: answer } = await exchange(tonway.url, text)
      expect(statuses.length).toBeLessThanOrEqual(1)
      expect(answer).not.toContain('canary')
    }
  })

  it('no parameter of any method makes the service contact another host', async () => {
    const url = `http://127.0.0.1:${port}/param`
    const listed = await post(`${tonway.url}/jsonRPC`, rpcRequest('rpc.discover'))
    const methods = (
      listed.body as {
        result: { methods: { name: string; params: { name: string }[]; examples: { params: { name: string; value: unknown }[] }[] }[] }
      }
    ).result.methods
    expect(methods.length).toBeGreaterThan(30)
    for (const { name, params, examples } of methods.filter((each) => !each.name.startsWith('local.')))
      for (const param of params) {
        const good = Object.fromEntries((examples[0]?.params ?? []).map((each) => [each.name, each.value]))
        await post(`${tonway.url}/jsonRPC`, rpcRequest(name, { ...good, [param.name]: url }))
      }
    expect(visits).toEqual([])
  })

  it('the Host of a request for /global.config.json does not make the service contact it', async () => {
    const { text } = await exchange(
      tonway.url,
      `GET /global.config.json HTTP/1.1\r\nHost: 169.254.169.254:${port}\r\nConnection: close\r\n\r\n`,
    )
    expect(text).not.toContain('canary')
    expect(visits).toEqual([])
  })

  // What does speak to others are fetches of off-chain token metadata: their URLs are written by strangers, on the chain.
  it.each([
    ['loopback', 'http://127.0.0.1:PORT/'],
    ['loopback by name', 'http://localhost:PORT/'],
    ['loopback in one number', 'http://2130706433:PORT/'],
    ['loopback in hexadecimal', 'http://0x7f000001:PORT/'],
    ['loopback in octal', 'http://0177.0.0.1:PORT/'],
    ['loopback in short', 'http://127.1:PORT/'],
    ['loopback of IPv6', 'http://[::1]:PORT/'],
    ['loopback of IPv4 in IPv6', 'http://[::ffff:127.0.0.1]:PORT/'],
    ['any address', 'http://0.0.0.0:PORT/'],
    ['the cloud’s own', 'http://169.254.169.254/latest/meta-data/'],
    ['a private network', 'http://10.0.0.1/'],
    ['another one', 'http://192.168.0.1/'],
    ['carrier-grade NAT', 'http://100.64.0.1/'],
    ['local IPv6', 'http://[fd00::1]/'],
    ['a user name that hides the host', 'http://example.com@127.0.0.1:PORT/'],
    ['a file', 'file:///etc/passwd'],
    ['gopher', 'gopher://127.0.0.1:PORT/_x'],
    ['data', 'data:application/json,{}'],
    ['javascript', 'javascript:1'],
    ['IPFS without a gateway', 'ipfs://127.0.0.1/x'],
  ])('metadata at %s is not fetched', async (_what, url) => {
    const refused = await createFetch({ timeout: 5_000 })
      .get(url.replace('PORT', String(port)), new AbortController().signal)
      .then(
        () => 'fetched',
        (error: FetchRefusal) => error.kind,
      )
    expect(['url', 'address']).toContain(refused)
    expect(visits).toEqual([])
  })

  it('metadata at a name that means this machine, at once or at the second lookup, is not fetched', async () => {
    let looks = 0
    const rebinding = createFetch({
      timeout: 2_000,
      // 192.0.2.1 belongs to nobody: the connection goes there or nowhere.
      resolve: async () => (looks++ === 0 ? ['192.0.2.1'] : ['127.0.0.1']),
      isAllowed: (address) => address === '192.0.2.1',
    })
    const signal = new AbortController().signal
    await expect(rebinding.get(`http://rebind.example:${port}/`, signal)).rejects.toMatchObject({ name: 'FetchRefusal' })
    await expect(createFetch({ resolve: async () => ['127.0.0.1'] }).get(`http://evil.example:${port}/`, signal)).rejects.toMatchObject({
      kind: 'address',
    })
    expect(visits).toEqual([])
    await expectAlive(tonway.url)
  })
})
