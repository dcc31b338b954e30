import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Log } from '../../server/base/log.ts'
import { createLog } from '../../server/base/log.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { ask, type Line, openLine, post, rpcRequest } from '../kit/service/client.ts'

const REST = '/api/v2/getMasterchainInfo'

/** What a socket answers to bytes written by hand. */
const byHand = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })

describe('access: bad input and faults', () => {
  let server: TestServer
  let service: Guarded
  let written = ''
  beforeAll(async () => {
    server = await startTestServer()
    const logger: Log = createLog('debug', {
      write(line) {
        written += line
      },
    })
    service = await startGuarded(urlOf(await server.database()), { logger, trustedProxies: [], accessLog: true, metrics: 'all' })
  })
  afterAll(async () => {
    await service?.close()
    await server?.close()
  })
  const withKey = (key: string): RequestInit => ({ headers: { 'X-API-Key': key } })

  it('texts of any other form are not accepted as keys', async () => {
    const { key } = await service.key()
    for (const bad of ['x', key.slice(0, -1), `${key}0`, key.toUpperCase(), 'null', '../../etc/passwd', "' or 1=1 --", 'x'.repeat(10_000)])
      expect(await ask(service.url + REST, withKey(bad))).toMatchObject({
        status: 401,
        body: { ok: false, error: 'API key does not exist', code: 401 },
      })
    for (const bad of ['x', `${key}%0A`, `%0D%0A${key}`, `${key}%00`, '%ff%fe', `${key}&api_key=x`.replace(key, 'y'), 'x'.repeat(7_000)])
      expect((await ask(`${service.url}${REST}?api_key=${bad}`)).status).toBe(401)
    // Beyond the longest URL.
    expect((await ask(`${service.url}${REST}?api_key=${'x'.repeat(10_000)}`)).status).toBe(414)
    expect((await ask(service.url + REST, withKey(key))).status).toBe(200)
  })

  it('a header with a newline, two headers and an empty header are refused', async () => {
    const { key } = await service.key()
    const request = (headers: string): string => `GET ${REST} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`
    expect(await byHand(service.url, request(`X-API-Key: ${key.slice(0, 20)}\n${key.slice(20)}\r\n`))).toMatch(/^HTTP\/1.1 4\d\d /)
    expect(await byHand(service.url, request(`X-API-Key: ${key}\r\nX-API-Key: ${key}\r\n`))).toMatch(/^HTTP\/1.1 401 /)
    expect(await byHand(service.url, request(`x-api-key: \t ${key} \r\n`))).toMatch(/^HTTP\/1.1 200 /)
    service.clock.pass(2_000)
    expect(await byHand(service.url, request('X-API-Key:\r\n'))).toMatch(/^HTTP\/1.1 200 /)
    expect(await byHand(service.url, request('X-API-Key:   \r\n'))).toMatch(/^HTTP\/1.1 429 /)
    service.clock.pass(2_000)
    expect((await ask(`${service.url}${REST}?api_key=`)).status).toBe(200)
  })

  it('an expired key and a revoked key are refused', async () => {
    const { key } = await service.key({ expiresAt: new Date((service.clock.now() + 60) * 1000) })
    expect((await ask(service.url + REST, withKey(key))).status).toBe(200)
    service.clock.pass(61_000)
    expect(await ask(service.url + REST, withKey(key))).toMatchObject({ status: 401, body: { error: 'API key does not exist' } })
    const other = await service.key()
    expect((await ask(service.url + REST, withKey(other.key))).status).toBe(200)
    await service.store.revoke(other.id)
    await expect.poll(async () => (await ask(service.url + REST, withKey(other.key))).status).toBe(401)
  })

  it('a rotated key and its successor share one limit, and only the successor stays valid', async () => {
    const old = await service.key({ plan: 'free' })
    const { key } = await service.store.rotate(old.id, 3_600_000)
    service.clock.pass(2_000)
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await ask(service.url + REST, withKey(i % 2 ? key : old.key))).status)
    expect(statuses).toEqual([...new Array(10).fill(200), 429, 429])
    service.clock.pass(3_601_000)
    expect((await ask(service.url + REST, withKey(old.key))).status).toBe(401)
    expect((await ask(service.url + REST, withKey(key))).status).toBe(200)
  })

  const open = async (key: string): Promise<Line> => {
    const line = await openLine(service.wsUrl, { 'X-API-Key': key })
    expect(await line.ask(rpcRequest('getMasterchainInfo'))).toHaveProperty('result')
    return line
  }

  it('revoking a key closes its sockets with the reason, and no others', async () => {
    const [one, two] = [await service.key(), await service.key()]
    const lines = await Promise.all([open(one.key), open(one.key), open(two.key)])
    await service.store.revoke(one.id)
    expect(await lines[0].closed).toEqual({ code: 1008, reason: 'the API key was revoked' })
    expect(await lines[1].closed).toEqual({ code: 1008, reason: 'the API key was revoked' })
    expect(await lines[2].ask(rpcRequest('getMasterchainInfo'))).toHaveProperty('result')
    lines[2].socket.close()
    await expect(openLine(service.wsUrl, { 'X-API-Key': one.key })).rejects.toMatchObject({ status: 401 })
  })

  it('the expiry of a key closes its sockets', async () => {
    const { key } = await service.key({ expiresAt: new Date((service.clock.now() + 60) * 1000) })
    const line = await open(key)
    service.clock.pass(61_000)
    expect(await line.closed).toEqual({ code: 1008, reason: 'the API key has expired' })
  })

  it('a changed plan holds for open sockets', async () => {
    await service.store.setPlan({ name: 'tiny', network: 'local', rps: 3, servers: undefined, limits: {} })
    const { key } = await service.key({ plan: 'tiny' })
    const line = await open(key)
    await service.store.setPlan({ name: 'tiny', network: 'local', rps: 1, servers: undefined, limits: {} })
    await expect
      .poll(async () => {
        service.clock.pass(2_000)
        await line.ask(rpcRequest('getMasterchainInfo'))
        return line.ask(rpcRequest('getMasterchainInfo'))
      })
      .toHaveProperty('error')
    line.socket.close()
  })

  it('X-Forwarded-For of an untrusted client does not make it another client', async () => {
    service.clock.pass(2_000)
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push((await ask(service.url + REST, { headers: { 'X-Forwarded-For': `198.51.100.${i}` } })).status)
    expect(statuses).toEqual([200, 429, 429, 429, 429])
  })

  it('requests that cannot be read are counted too', async () => {
    for (const [path, body] of [
      ['/jsonRPC', '{'],
      ['/jsonRPC', '7'],
      ['/jsonRPC', '{}'],
      ['/jsonRPC', '[]'],
      ['/jsonRPC', `[${Array(1_001).fill(7)}]`],
      ['/jsonRPC', { ...rpcRequest('getMasterchainInfo'), params: [1] }],
      ['/api/v2/jsonRPC', '{'],
      ['/api/v2/jsonRPC', '7'],
      ['/api/v2/jsonRPC', '{"method":1}'],
      [REST, '{'],
      [REST, '[]'],
      ['/jsonRPC', rpcRequest('nonesuch')],
      ['/api/v2/jsonRPC', rpcRequest('nonesuch')],
    ] as const) {
      service.clock.pass(2_000)
      expect((await post(service.url + path, body)).status).not.toBe(429)
      expect(await post(service.url + path, body)).toMatchObject({ status: 429, retryAfter: '1' })
    }
  })

  it('every call of a batch counts, whatever it is', async () => {
    service.clock.pass(2_000)
    const { status, body } = await post(`${service.url}/jsonRPC`, [7, {}, rpcRequest('getMasterchainInfo')])
    expect(status).toBe(200)
    expect(body).toMatchObject([{ error: { code: -32600 } }, { error: { code: -32029 } }, { error: { code: -32029 } }])
  })

  it('a notification over the limit is refused by the HTTP status', async () => {
    service.clock.pass(2_000)
    const notification = { jsonrpc: '2.0', method: 'getMasterchainInfo' }
    expect((await post(`${service.url}/jsonRPC`, notification)).status).toBe(204)
    expect(await post(`${service.url}/jsonRPC`, notification)).toMatchObject({ status: 429, body: { id: null, error: { code: -32029 } } })
  })

  it('the secret of a key is in no log line, metric or answer', async () => {
    const { key, id } = await service.key()
    const secret = key.slice(16)
    const wrong = `tw_${'c'.repeat(12)}_${'canary'.repeat(7).slice(0, 40)}`
    let answers = ''
    for (const each of [key, wrong, `${wrong}canary`])
      for (const path of [
        REST,
        '/api/v2/nonesuch',
        '/api/v2/getAddressBalance',
        '/api/v3/blocks',
        '/api/v2/jsonRPC',
        '/jsonRPC',
        '/status',
        '/metrics',
        '/health',
      ])
        for (const [url, init] of [
          [`${service.url}${path}?api_key=${each}`, {}],
          [service.url + path, withKey(each)],
          [`${service.url}${path}?api_key=${each}`, { method: 'POST', body: JSON.stringify({ ...rpcRequest('fail'), api_key: 1 }) }],
        ] as const) {
          const answer = await ask(url, init)
          answers += `${JSON.stringify([...answer.headers])}${answer.text}`
        }
    const line = await openLine(`${service.wsUrl}?api_key=${key}`)
    answers += JSON.stringify(await line.ask('{"api_key":'))
    line.socket.close()
    await line.closed
    answers += (await ask(`${service.url}/metrics`)).text
    expect(answers).toContain('API key does not exist')
    expect(answers).toContain('"access":{"keys":"ready","known_keys":')
    expect(answers).toMatch(/^tonway_keys_up 1$/m)
    expect(answers).toMatch(/^tonway_limits_up 1$/m)
    expect(written).toContain(id)
    for (const text of [answers, written]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain('canary')
    }
  })
})
