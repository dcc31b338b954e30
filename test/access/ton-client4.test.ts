import { Address } from '@ton/core'
import { TonClient4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'

/* TonClient4 has no option for a key: an interceptor of its requests sends it. */

let server: TestServer
let service: Guarded
beforeAll(async () => {
  server = await startTestServer()
  service = await startGuarded(urlOf(await server.database()))
})
afterAll(async () => {
  await service?.close()
  await server?.close()
})

const clientWith = (key: string, path = '/api/v4'): TonClient4 =>
  new TonClient4({
    endpoint: service.url + path,
    requestInterceptor: (request) => {
      request.headers.set('X-API-Key', key)
      return request
    },
  })

describe('TonClient4 with a key', () => {
  it('a key of an interceptor raises the limit of calls of v4, under the name of a network too', async () => {
    const anonymous = new TonClient4({ endpoint: `${service.url}/api/v4` })
    const statuses = await Promise.all(
      Array.from({ length: 5 }, () =>
        anonymous.getLastBlock().then(
          () => 200,
          (error) => error.response.status,
        ),
      ),
    )
    expect([...new Set(statuses)].sort()).toEqual([200, 429])
    const { key } = await service.key()
    for (const client of [clientWith(key), clientWith(key, '/local/api/v4')]) {
      const { last } = await client.getLastBlock()
      for (let i = 0; i < 5; i++) await client.isContractDeployed(last.seqno, new Address(0, Buffer.alloc(32, i)))
    }
  })

  it('a key that is none, and a key of another network, are refused on every path of v4', async () => {
    const { key } = await service.key({ network: 'mainnet' })
    for (const [each, status] of [
      ['tw_wrong', 401],
      [key, 403],
    ] as const) {
      await expect(clientWith(each).getLastBlock()).rejects.toMatchObject({ response: { status } })
      await expect(clientWith(each).sendMessage(Buffer.alloc(3))).rejects.toMatchObject({ response: { status } })
      await expect(clientWith(each).getConfig(1)).rejects.toMatchObject({ response: { status, data: { code: status } } })
    }
  })
})
