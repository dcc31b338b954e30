import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { ask, openLine, post, rpcRequest } from '../kit/service/client.ts'

/* Two networks in one process: a key is of one of them, and what is counted on one is not counted on the other. */

const REST = '/api/v2/getMasterchainInfo'

describe('keys of several networks', () => {
  let server: TestServer
  let service: Guarded
  beforeAll(async () => {
    server = await startTestServer()
    service = await startGuarded(urlOf(await server.database()), {
      network: ['local', 'second'],
      networks: { second: { kind: 'local', anonymousRps: 2 } },
      trustedProxies: ['loopback'],
    })
  })
  afterAll(async () => {
    await service?.close()
    await server?.close()
  })

  it('a key is valid on its own network and gets 403 on the other, by path and by host', async () => {
    const keys = { local: (await service.key()).key, second: (await service.key({ network: 'second' })).key }
    for (const [name, own, other] of [
      ['local', '', '/second'],
      ['second', '/second', ''],
    ] as const) {
      const headers = { 'X-API-Key': keys[name] }
      expect((await ask(service.url + own + REST, { headers })).status).toBe(200)
      expect(await ask(service.url + other + REST, { headers })).toMatchObject({ status: 403, body: { error: 'Network not allowed' } })
      expect((await ask(`${service.url}${own}${REST}?api_key=${keys[name]}`)).status).toBe(200)
      for (const path of ['/jsonRPC', '/api/v2/jsonRPC']) {
        expect((await post(service.url + own + path, rpcRequest('getMasterchainInfo'), headers)).status).toBe(200)
        expect((await post(service.url + other + path, [rpcRequest('getMasterchainInfo')], headers)).status).toBe(403)
      }
      const line = await openLine(`${service.url.replace('http', 'ws')}${own}/jsonRPC`, headers)
      expect(await line.ask(rpcRequest('getMasterchainInfo'))).toHaveProperty('result')
      line.socket.close()
      await expect(openLine(`${service.url.replace('http', 'ws')}${other}/jsonRPC`, headers)).rejects.toMatchObject({ status: 403 })
    }
    const line = await openLine(`${service.url.replace('http', 'ws')}/jsonRPC`, { 'X-API-Key': keys.second, Host: 'second.example:80' })
    expect(await line.ask(rpcRequest('getMasterchainInfo'))).toHaveProperty('result')
    line.socket.close()
  })

  it('each network counts by itself, with its own settings', async () => {
    const headers = { 'X-Forwarded-For': '198.51.100.1' }
    const statuses = async (prefix: string): Promise<number[]> => {
      const all: number[] = []
      for (let i = 0; i < 3; i++) all.push((await ask(service.url + prefix + REST, { headers })).status)
      return all
    }
    expect(await statuses('')).toEqual([200, 429, 429])
    expect(await statuses('/second')).toEqual([200, 200, 429])
  })

  it('an owner has the limit of a plan on each network', async () => {
    const owner = 'carol'
    const keys = await Promise.all(['local', 'local', 'second'].map((network) => service.key({ network, owner, plan: 'free' })))
    const through = async (prefix: string, key: string): Promise<number> => {
      const { body } = await post(
        `${service.url}${prefix}/jsonRPC`,
        Array.from({ length: 8 }, (_, id) => rpcRequest('getMasterchainInfo', {}, id)),
        {
          'X-API-Key': key,
        },
      )
      return (body as object[]).filter((item) => 'result' in item).length
    }
    expect(await through('', keys[0]!.key)).toBe(8)
    expect(await through('', keys[1]!.key)).toBe(2)
    expect(await through('/second', keys[2]!.key)).toBe(8)
  })
})
