import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { ask, openLine, post, rpcRequest } from '../kit/service/client.ts'

/* OWASP API1:2023, broken object level authorization. The objects are networks and keys: a key opens its own network, by every way to it, and nothing else. */

const PATH = '/api/v2/getMasterchainInfo'

describe('API1: a key opens what it was made for', () => {
  let database: TestServer
  let service: Guarded
  let local: { key: string; id: string }
  let foreign: { key: string; id: string }
  beforeAll(async () => {
    database = await startTestServer()
    // Two chains in one process, told apart by path and Host.
    service = await startGuarded(urlOf(await database.database()), {
      network: ['local', 'second'],
      networks: { second: { kind: 'local', blockTime: 0 } },
    })
    local = await service.key({ network: 'local' })
    foreign = await service.key({ network: 'second' })
  })
  afterAll(async () => {
    await service?.close()
    await database?.close()
  })
  const get = (path: string, key: string, headers: Record<string, string> = {}) =>
    ask(service.url + path, { headers: { 'X-API-Key': key, ...headers } })

  it('a key opens its own network, by path', async () => {
    expect((await get(PATH, local.key)).status).toBe(200)
    expect((await get(`/second${PATH}`, foreign.key)).status).toBe(200)
  })

  it.each([
    ['another network by its path', `/second${PATH}`, 403],
    ['the same with the key in the query', `/second${PATH}?x=1`, 403],
    ['the prefix written otherwise', `/Second${PATH}`, 404],
    ['the prefix percent-encoded', `/%73econd${PATH}`, 404],
    ['the prefix behind another one', `/local/second${PATH}`, 404],
    ['the prefix behind a double slash', `//second${PATH}`, 404],
    ['the prefix behind a dot segment', `/local/../second${PATH}`, 403],
    ['another version of the same', '/second/api/v3/addressInformation?address=0:00', 403],
  ])('a key of one network does not open %s', async (_what, path, status) => {
    const answer = await get(path, local.key)
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body)).not.toContain('root_hash')
  })

  it('a key does not open another network in bodies, batches and sockets', async () => {
    const headers = { 'X-API-Key': local.key }
    for (const path of ['/second/jsonRPC', '/second/api/v2/jsonRPC'])
      expect((await post(service.url + path, rpcRequest('getMasterchainInfo'), headers)).status).toBe(403)
    expect(
      (await post(`${service.url}/second/jsonRPC`, [rpcRequest('getMasterchainInfo'), rpcRequest('detectHash')], headers)).status,
    ).toBe(403)
    // A network named in a call is no parameter of it.
    const named = await post(`${service.url}/jsonRPC`, rpcRequest('getMasterchainInfo', { network: 'second' }), headers)
    expect(named.body).toMatchObject({ error: { code: -32602 } })
    await expect(openLine(service.app.wsUrl.replace('/jsonRPC', '/second/jsonRPC'), headers)).rejects.toMatchObject({ status: 403 })
  })

  it('API1: a key opens what it was made for answers of one network are never given to another, cached ones included', async () => {
    const own = await get(PATH, local.key)
    const other = await get(`/second${PATH}`, foreign.key)
    const again = await get(PATH, local.key)
    const hash = (answer: { body: unknown }) => (answer.body as { result: { init: { root_hash: string } } }).result.init.root_hash
    expect(hash(again)).toBe(hash(own))
    expect(other.status).toBe(200)
    // Two chains of the same settings begin alike; what they have made since is their own.
    await post(`${service.url}/second/jsonRPC`, rpcRequest('local.mine', { count: 3 }), { 'X-API-Key': foreign.key })
    const seqno = (answer: { body: unknown }) => (answer.body as { result: { last: { seqno: number } } }).result.last.seqno
    expect(seqno(await get(`/second${PATH}`, foreign.key))).toBeGreaterThanOrEqual(seqno(await get(PATH, local.key)) + 3)
  })

  it.each([
    ['its public id', ({ id }: { id: string }) => id],
    ['its public id and somebody else’s secret', ({ id }: { id: string }) => `tw_${id}_${foreignSecret()}`],
    ['its beginning', ({ key }: { key: string }) => key.slice(0, -1)],
    ['it with something behind', ({ key }: { key: string }) => `${key}0`],
    ['it in other letters', ({ key }: { key: string }) => key.toUpperCase()],
    ['a pattern', () => 'tw_%'],
    ['a wildcard', () => '*'],
  ])('a key cannot be replaced by %s', async (_what, forge) => {
    const answer = await get(PATH, forge(local))
    expect([answer.status, answer.body]).toEqual([401, expect.objectContaining({ error: 'API key does not exist' })])
  })
  const foreignSecret = (): string => foreign.key.slice(foreign.key.lastIndexOf('_') + 1)

  it('a key that nearly exists gets the same answer as one that does not', async () => {
    const near = await get(PATH, `${local.key.slice(0, -1)}${local.key.endsWith('0') ? '1' : '0'}`)
    const far = await get(PATH, `tw_${'0'.repeat(12)}_${'0'.repeat(40)}`)
    const bare = ({ body }: { body: unknown }) => ({ ...(body as object), '@extra': '' })
    expect(bare(near)).toEqual(bare(far))
  })
})
