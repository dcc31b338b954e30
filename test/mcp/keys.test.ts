import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { until } from '../kit/wait.ts'
import { connectAgent, postMessage, toolCall } from './agent.ts'

/* Agents of a service that checks keys and has an index. */

let server: TestServer
let service: Guarded
beforeAll(async () => {
  server = await startTestServer()
  service = await startGuarded(urlOf(await server.database()), { index: true })
  await until(async () => (await fetch(`${service.url}/ready`)).ok)
})
afterAll(async () => {
  await service?.close()
  await server?.close()
})

describe('an agent with a key', () => {
  it.each(['Authorization', 'X-API-Key'])('that it sends by %s reads the index beyond the limit of those without', async (header) => {
    const { key } = await service.key()
    await using agent = await connectAgent(`${service.url}/mcp`, '2026-07-28', { [header]: header === 'X-API-Key' ? key : `Bearer ${key}` })
    for (let i = 0; i < 5; i++)
      expect(await agent.ask('v3_masterchainInfo')).toMatchObject({ isError: false, value: { last: { workchain: -1 } } })
    expect(await agent.ask('v3_transactions', { limit: 2 })).toMatchObject({ value: { transactions: expect.any(Array) } })
  })

  it('that is none, or that was revoked, is refused; without a key the second call in a second is', async () => {
    const { key, id } = await service.key()
    const bearer = { Authorization: `Bearer ${key}` }
    const call = toolCall('v3_masterchainInfo')
    expect((await postMessage(`${service.url}/mcp`, call, bearer)).status).toBe(200)
    await service.store.revoke(id)
    await until(async () => (await postMessage(`${service.url}/mcp`, call, bearer)).status === 401)
    expect((await postMessage(`${service.url}/mcp`, call, { Authorization: 'Bearer nothing' })).status).toBe(401)
    const texts = []
    for (let i = 0; i < 3; i++) texts.push((await postMessage(`${service.url}/mcp`, call)).text)
    expect(texts.filter((text) => text.includes('RATE_LIMITED')).length).toBeGreaterThan(0)
  })
})
