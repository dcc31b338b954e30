import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../hooks/receiver.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { until } from '../kit/wait.ts'
import { connectAgent, postMessage, toolCall } from './agent.ts'

const ELECTOR = '-1:3333333333333333333333333333333333333333333333333333333333333333'

/* Agents of a service that checks keys and has an index. */

let server: TestServer
let service: Guarded
let receiver: Receiver
beforeAll(async () => {
  server = await startTestServer()
  service = await startGuarded(urlOf(await server.database()), { index: true, mcp: 'write', hooksAllow: ['127.0.0.1'] })
  await until(async () => (await fetch(`${service.url}/ready`)).ok)
  receiver = await startReceiver()
})
afterAll(async () => {
  await service?.close()
  await server?.close()
  await receiver?.close()
})

describe('an agent with a key', () => {
  it.each(['Authorization', 'X-API-Key'])('that it sends by %s reads the index beyond the limit of those without', async (header) => {
    const { key } = await service.key()
    await using agent = await connectAgent(`${service.url}/mcp`, '2026-07-28', { [header]: header === 'X-API-Key' ? key : `Bearer ${key}` })
    for (let i = 0; i < 5; i++)
      expect(await agent.ask('v3_masterchainInfo')).toMatchObject({ isError: false, value: { last: { workchain: -1 } } })
    expect(await agent.ask('v3_transactions', { limit: 2 })).toMatchObject({ value: { transactions: expect.any(Array) } })
  })

  it('that may write makes a webhook, whose secret only that answer has, and sees, tests and deletes it', async () => {
    const { key } = await service.key()
    await using agent = await connectAgent(`${service.url}/mcp?tools=all`, '2026-07-28', { 'X-API-Key': key })
    const names = (await agent.client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['hooks_create', 'hooks_list', 'hooks_delete', 'hooks_test']))
    const made = await agent.ask('hooks_create', { url: `${receiver.url}/`, types: ['blocks'] })
    expect(made).toMatchObject({ isError: false, value: { id: expect.any(String), secret: expect.stringMatching(/^whsec_/) } })
    const { id } = made.value as { id: string }
    const list = await agent.ask('hooks_list')
    expect([list.value, list.text.includes('whsec_')]).toMatchObject([{ hooks: [{ id }] }, false])
    expect(await agent.ask('hooks_test', { id })).toMatchObject({ value: { success: true } })
    expect(await agent.ask('hooks_delete', { id })).toMatchObject({ value: { deleted: true } })
  })

  it('that asks for proofs gets them', async () => {
    const { key } = await service.key()
    await using agent = await connectAgent(`${service.url}/mcp`, '2026-07-28', { 'X-API-Key': key })
    for (let i = 0; i < 3; i++) await agent.ask('call_method', { method: 'local.fund', params: { address: ELECTOR, amount: '1' } })
    const { index, chain } = service.app.network
    await index!.reached(chain.head().id.seqno, AbortSignal.timeout(120_000))
    const few = await agent.ask('v3_transactions', { limit: 2, proofs: true })
    expect(few).toMatchObject({ isError: false, value: { transactions: [{}, {}], proof: expect.anything() } })
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
