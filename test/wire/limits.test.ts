import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { get, post, requestOf, rpcText, type WireAnswer } from '../kit/wire/connection.ts'
import { startService, type WireService } from '../kit/wire/service.ts'

/* What counts against a limit, and how a caller is refused. The proxy of these tests names a client of its own for each of them. */

const RATE = 3
let service: WireService
beforeAll(async () => {
  service = await startService('--anonymous-rps', String(RATE), '--keys', 'off', '--trusted-proxies', 'loopback')
})
afterAll(() => service?.stop())

const clientOf = (address: string): string => `X-Forwarded-For: ${address}`
let clients = 0
const newClient = (): string => clientOf(`203.0.113.${++clients}`)
const HASH = '0'.repeat(64)
const CALL = rpcText('detectHash', { hash: HASH })

/** Sends the same request many times at once on one connection; the answers. */
const flood = async (request: string, count = 30): Promise<WireAnswer[]> => {
  const connection = await service.open()
  await connection.send(request.repeat(count))
  const answers: WireAnswer[] = []
  while (answers.length < count) answers.push(await connection.answer())
  connection.destroy()
  return answers
}

/** How many of these were not refused for the limit. In one second it is as many as the limit has; a busy machine may take longer. */
const expectLimited = (answers: readonly WireAnswer[], began: number, otherwise: number): void => {
  const seconds = (performance.now() - began) / 1_000
  const passed = answers.filter(({ status }) => status === otherwise).length
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([otherwise, 429]))
  expect(passed).toBeGreaterThanOrEqual(RATE)
  expect(passed).toBeLessThanOrEqual(RATE * (Math.floor(seconds) + 1))
}

describe('requests that count', () => {
  it.each([
    ['a call of REST', (who: string) => get(`/api/v2/detectHash?hash=${HASH}`, who), 200],
    ['a call of JSON-RPC', (who: string) => post('/jsonRPC', CALL, who), 200],
    ['a call of the dialect', (who: string) => post('/api/v2/jsonRPC', CALL, who), 200],
    ['a call of v3', (who: string) => get('/api/v3/decode?opcodes=0x0', who), 200],
    ['a parameter that is wrong', (who: string) => get('/api/v2/detectHash?hash=a', who), 422],
    ['a body that is no JSON', (who: string) => post('/jsonRPC', '{', who), 200],
    ['a body that is no JSON to the dialect', (who: string) => post('/api/v2/jsonRPC', '{', who), 422],
    ['a body that is no JSON to REST', (who: string) => post('/api/v2/detectHash', '{', who), 422],
    ['a body that is no object', (who: string) => post('/api/v2/detectHash', '[]', who), 422],
    ['a request that is no call', (who: string) => post('/jsonRPC', '{"id":1}', who), 200],
    ['a call of an unknown method', (who: string) => post('/jsonRPC', rpcText('nothing'), who), 200],
    ['a call of an unknown method in the dialect', (who: string) => post('/api/v2/jsonRPC', rpcText('nothing'), who), 404],
    [
      'a call with a list of parameters',
      (who: string) => post('/jsonRPC', '{"jsonrpc":"2.0","id":1,"method":"detectHash","params":[1]}', who),
      200,
    ],
    ['an empty batch', (who: string) => post('/jsonRPC', '[]', who), 200],
    ['a batch over its bound', (who: string) => post('/jsonRPC', `[${'1,'.repeat(1_000)}1]`, who), 413],
    ['a notification', (who: string) => post('/jsonRPC', CALL.replace('"id":1,', ''), who), 204],
  ])('%s costs a unit, and beyond the limit it is refused with 429', async (_what, request, otherwise) => {
    const began = performance.now()
    const answers = await flood(request(newClient()))
    expectLimited(answers, began, otherwise)
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.headers['retry-after']).toBe('1')
    expect(refused.text).toContain('Ratelimit exceeded')
  })

  it('a refusal has the form of its endpoint', async () => {
    const refusalOf = async (request: (who: string) => string): Promise<unknown> =>
      (await flood(request(newClient()))).find(({ status }) => status === 429)!.json
    const text = 'Ratelimit exceeded'
    const envelope = { ok: false, error: text, code: 429, '@extra': expect.any(String) }
    expect(await refusalOf((who) => get('/api/v2/getMasterchainInfo', who))).toEqual(envelope)
    expect(await refusalOf((who) => post('/api/v2/jsonRPC', CALL, who))).toEqual({ ...envelope, jsonrpc: '2.0', id: 1 })
    expect(await refusalOf((who) => get('/api/v3/decode?opcodes=0x0', who))).toEqual({ error: text, code: 429 })
    expect(await refusalOf((who) => post('/jsonRPC', CALL, who))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32029, message: text, data: { kind: 'RATE_LIMITED', retryAfter: 1 } },
    })
  })

  it.each([
    ['calls', CALL, 'result'],
    ['items that are no calls', '1', 'error'],
    ['unknown methods', rpcText('nothing'), 'error'],
  ])('a batch of %s costs the sum of its items, and those that do not fit are refused one by one', async (_what, item, member) => {
    const began = performance.now()
    const answer = await service.ask(post('/jsonRPC', `[${Array(200).fill(item).join(',')}]`, newClient()))
    const seconds = (performance.now() - began) / 1_000
    const items = answer.json as { error?: { code: number; message: string } }[]
    expect([answer.status, items.length]).toEqual([200, 200])
    const refused = items.filter(({ error }) => error?.code === -32029)
    expect(200 - refused.length).toBeGreaterThanOrEqual(RATE)
    expect(200 - refused.length).toBeLessThanOrEqual(RATE * (Math.floor(seconds) + 1))
    for (const passed of items.filter((each) => !refused.includes(each))) expect(passed).toHaveProperty(member)
    for (const { error } of refused) expect(error!.message).toBe('Ratelimit exceeded')
  })

  it('a batch of notifications is counted too', async () => {
    const notification = CALL.replace('"id":1,', '')
    const batch = `[${Array(50).fill(notification).join(',')}]`
    const connection = await service.open()
    // A unit is free again after a second, so a busy machine may need more than one try.
    for (let seconds = 1; seconds >= 1; ) {
      const who = newClient()
      const began = performance.now()
      await connection.send(post('/jsonRPC', batch, who))
      expect((await connection.answer()).status).toBe(204)
      await connection.send(get('/api/v2/getMasterchainInfo', who))
      const { status } = await connection.answer()
      seconds = (performance.now() - began) / 1_000
      if (seconds < 1) expect(status).toBe(429)
    }
    connection.destroy()
  })

  it('a message of a WebSocket counts like a request, whether it can be read or not', async () => {
    for (const message of [CALL, '{', '1']) {
      const who = newClient()
      const socket = new WebSocket(`${service.url.replace('http', 'ws')}/jsonRPC`, { headers: { 'X-Forwarded-For': who.split(' ')[1]! } })
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      const answers: string[] = []
      socket.on('message', (data) => answers.push(String(data)))
      for (let i = 0; i < 30; i++) socket.send(message)
      await expect.poll(() => answers.length).toBe(30)
      const refused = answers.filter((text) => text.includes('-32029'))
      expect(refused.length).toBeGreaterThan(0)
      expect(answers.length - refused.length).toBeGreaterThanOrEqual(RATE)
      socket.close()
    }
  })
})

describe('requests that do not count', () => {
  it.each([
    [
      'preflights',
      (who: string) => requestOf('OPTIONS', '/jsonRPC', who, 'Origin: https://a.example', 'Access-Control-Request-Method: POST'),
      204,
    ],
    ['health checks', (who: string) => get('/health', who), 200],
    ['questions for readiness', (who: string) => get('/ready', who), 200],
    ['paths that mean nothing', (who: string) => get('/nothing', who), 404],
    ['heads that are refused', (who: string) => get('/api/v2/getMasterchainInfo', who, 'Expect: a'), 417],
  ])('%s are answered beyond every limit, and leave it as it is', async (_what, request, status) => {
    const who = newClient()
    const connection = await service.open()
    await connection.send(request(who).repeat(20) + get('/api/v2/getMasterchainInfo', who))
    for (let i = 0; i < 20; i++) expect((await connection.answer()).status).toBe(status)
    expect((await connection.answer()).status).toBe(200)
    connection.destroy()
  })
})

describe('who is counted', () => {
  const isLimited = async (line: string): Promise<boolean> =>
    (await flood(get(`/api/v2/detectHash?hash=${HASH}`, line), 1)).some(({ status }) => status === 429)
  /** Uses up the limit of a client. */
  const useUp = async (line: string): Promise<void> => {
    expect((await flood(get(`/api/v2/detectHash?hash=${HASH}`, line), 200)).at(-1)!.status).toBe(429)
  }
  /** Whether a request is refused when this client has used up its limit. A unit is free again after a second, so a busy machine may need more than one try. */
  const isLimitedWith = async (spent: string, line: string): Promise<boolean> => {
    for (;;) {
      const began = performance.now()
      await useUp(spent)
      if (await isLimited(line)) return true
      if (performance.now() - began < 1_000) return false
    }
  }

  it('clients are counted apart, by the address that the nearest proxy wrote', async () => {
    const spent = '198.51.100.1'
    await useUp(clientOf(spent))
    expect(await isLimited(clientOf('198.51.100.2'))).toBe(false)
    // What stands further left was written by anybody.
    expect(await isLimitedWith(clientOf(spent), clientOf(`198.51.100.77, ${spent}`))).toBe(true)
    // Trusted proxies at the right are stepped over.
    expect(await isLimitedWith(clientOf(spent), clientOf(`198.51.100.78, ${spent}, 127.0.0.1`))).toBe(true)
    expect(await isLimitedWith(clientOf(spent), clientOf(`::ffff:${spent}`))).toBe(true)
  })

  it('addresses of IPv6 are counted by their network of 64 bits', async () => {
    expect(await isLimitedWith(clientOf('2001:db8:1:2::1'), clientOf('2001:db8:1:2:ffff::9'))).toBe(true)
    expect(await isLimited(clientOf('2001:db8:1:3::1'))).toBe(false)
  })

  it('several lines are read as one list', async () => {
    const spent = '198.51.100.9'
    expect(await isLimitedWith(clientOf(spent), `${clientOf('198.51.100.79')}\r\n${clientOf(spent)}`)).toBe(true)
  })
})

describe('a service whose proxies are not trusted', () => {
  it('counts by the connection, whatever a header says', async () => {
    const own = await startService('--anonymous-rps', String(RATE), '--keys', 'off')
    const connection = await own.open()
    const requests = Array.from({ length: 60 }, (_, i) => get(`/api/v2/detectHash?hash=${HASH}`, clientOf(`203.0.113.${i}`)))
    await connection.send(requests.join(''))
    const statuses: number[] = []
    while (statuses.length < 60) statuses.push((await connection.answer()).status)
    connection.destroy()
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(10)
    await own.stop()
  })
})
