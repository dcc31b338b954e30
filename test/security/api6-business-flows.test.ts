import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { registry } from '../../shared/registry.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { ask, openLine, post, rpcRequest } from '../kit/service/client.ts'

/*
 * OWASP API6:2023, unrestricted access to sensitive business flows: sending messages, running code, taking from the faucet. Whoever has one call a
 * second has one, whatever way he packs it.
 */

describe('API6: one call a second is one call a second', () => {
  let database: TestServer
  let service: Guarded
  beforeAll(async () => {
    database = await startTestServer()
    service = await startGuarded(urlOf(await database.database()), { trustedProxies: ['loopback'], anonymousRps: 10 })
  })
  afterAll(async () => {
    await service?.close()
    await database?.close()
  })
  let strangers = 0
  const stranger = (): Record<string, string> => ({ 'X-Forwarded-For': `198.51.100.${++strangers}` })
  const good = (items: unknown): number => (items as { error?: { code: number } }[]).filter(({ error }) => error?.code !== -32029).length

  it('sending, running and emulating cost more than reading', () => {
    for (const name of ['sendBoc', 'runGetMethod', 'estimateFee'] as const)
      expect([name, registry[name].weight]).toEqual([
        name,
        expect.toSatisfy((weight: number) => weight >= registry.getMasterchainInfo.weight),
      ])
  })

  it('a batch counts by its calls, which are refused one by one', async () => {
    const items = Array.from({ length: 40 }, (_, id) => rpcRequest('getMasterchainInfo', {}, id))
    const { status, body } = await post(`${service.url}/jsonRPC`, items, stranger())
    expect(status).toBe(200)
    expect(good(body)).toBe(10)
  })

  it('notifications, which get no answer, count as well', async () => {
    const headers = stranger()
    await post(
      `${service.url}/jsonRPC`,
      Array.from({ length: 10 }, () => ({ jsonrpc: '2.0', method: 'getMasterchainInfo', params: {} })),
      headers,
    )
    expect((await post(`${service.url}/jsonRPC`, rpcRequest('getMasterchainInfo'), headers)).status).toBe(429)
  })

  it('malformed bodies, unknown names, wrong parameters and cached answers count as well', async () => {
    for (const spend of [
      (headers: Record<string, string>) => post(`${service.url}/api/v2/jsonRPC`, '{"method":"noSuchMethod"}', headers),
      (headers: Record<string, string>) => ask(`${service.url}/api/v2/getAddressBalance?address=nowhere`, { headers }),
      (headers: Record<string, string>) => ask(`${service.url}/api/v2/getMasterchainInfo`, { headers }),
      (headers: Record<string, string>) => ask(`${service.url}/api/v2/getMasterchainInfo`, { headers, method: 'POST', body: 'not json' }),
    ]) {
      const headers = stranger()
      const statuses: number[] = []
      for (let i = 0; i < 14; i++) statuses.push((await spend(headers)).status)
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4)
    }
  })

  it('other doors, other verbs, other connections and sockets share the same limit', async () => {
    const headers = stranger()
    const calls = [
      () => ask(`${service.url}/api/v2/getMasterchainInfo`, { headers }),
      () => ask(`${service.url}/api/v2/getMasterchainInfo`, { headers, method: 'POST', body: '{}' }),
      () => post(`${service.url}/jsonRPC`, rpcRequest('getMasterchainInfo'), headers),
      () => post(`${service.url}/api/v2/jsonRPC`, rpcRequest('getMasterchainInfo'), headers),
    ]
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => calls[i % calls.length]!()))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const line = await openLine(service.app.wsUrl, headers)
    expect(await line.ask(rpcRequest('getMasterchainInfo'))).toMatchObject({ error: { code: -32029 } })
    line.socket.close()
    // HEAD asks for the same as GET.
    expect((await ask(`${service.url}/api/v2/getMasterchainInfo`, { headers, method: 'HEAD' })).status).toBe(429)
  })

  it('many sockets of one caller share one limit', async () => {
    const headers = stranger()
    const sockets = await Promise.all(Array.from({ length: 5 }, () => openLine(service.app.wsUrl, headers)))
    const answers = await Promise.all(
      sockets.flatMap((line) => Array.from({ length: 6 }, (_, i) => line.ask(rpcRequest('getMasterchainInfo', {}, i)))),
    )
    expect(good(answers)).toBe(10)
    for (const { socket } of sockets) socket.terminate()
  })

  it('a forged address in front of the true one does not make another caller', async () => {
    const own = '198.51.100.200'
    const statuses: number[] = []
    for (let i = 0; i < 14; i++)
      statuses.push(
        (await ask(`${service.url}/api/v2/getMasterchainInfo`, { headers: { 'X-Forwarded-For': `10.0.0.${i}, ${own}` } })).status,
      )
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  })

  it('the faucet is only for callers on this machine', async () => {
    const fund = rpcRequest('local.fund', { address: `0:${'11'.repeat(32)}`, amount: '1' })
    expect((await post(`${service.url}/jsonRPC`, fund, stranger())).body).toMatchObject({ error: { code: -32003 } })
    const socket = new WebSocket(service.app.wsUrl, { headers: { ...stranger(), Origin: 'https://evil.example' } })
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(JSON.stringify(fund))
    const [data] = await new Promise<[Buffer]>((resolve) => socket.once('message', (...args) => resolve(args as never)))
    expect(JSON.parse(String(data))).toMatchObject({ error: { code: -32003 } })
    socket.terminate()
  })
})
