import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { methodNames, registry, resolve } from '../../shared/registry.ts'
import { ask, post, rpcRequest } from '../kit/service/client.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'

/* OWASP API9:2023, improper inventory management: what is served is what is documented, no more and no less. */

let tonway: Tonway
type Doc = { paths: Record<string, Record<string, { operationId: string }>> }
let openapi: Doc
let openrpc: { methods: { name: string; 'x-aliases'?: string[] }[] }
beforeAll(async () => {
  tonway = await startTonway({ blockTime: 0 })
  openapi = (await ask(`${tonway.url}/openapi.json`)).body as Doc
  openrpc = (await ask(`${tonway.url}/openrpc.json`)).body as typeof openrpc
})
afterAll(() => tonway?.close())

describe('API9: what is documented', () => {
  it('every documented path is served by its verbs, and by no other', async () => {
    for (const [path, verbs] of Object.entries(openapi.paths)) {
      for (const verb of ['GET', 'POST', 'PUT', 'DELETE']) {
        const response = await ask(tonway.url + path, { method: verb, ...(verb !== 'GET' && { body: '{}' }) })
        const known = Object.hasOwn(verbs, verb.toLowerCase())
        const refused = response.status === 404 || response.status === 405
        // A call of nothing may be answered by anything but "no such path".
        expect([path, verb, refused]).toEqual([path, verb, !known])
      }
    }
    expect(Object.keys(openapi.paths).length).toBeGreaterThan(40)
  }, 120_000)

  it('every method of the registry is served by name and alias over JSON-RPC, and no other', async () => {
    const listed = openrpc.methods.flatMap(({ name, 'x-aliases': aliases = [] }) => [name, ...aliases])
    const served = methodNames
      .filter((name) => registry[name].needs !== 'index')
      .flatMap((name) => [name, ...(resolve(name)?.def.aliases ?? [])])
    expect(listed.sort()).toEqual([...served].sort())
    const answers = (
      await post(
        `${tonway.url}/jsonRPC`,
        listed.filter((name) => !name.startsWith('local.')).map((name) => rpcRequest(name, { nothing: 1 }, name)),
      )
    ).body as {
      id: string
      error?: { code: number }
    }[]
    // An unknown parameter is found after the method was.
    for (const { id, error } of answers) expect([id, error?.code]).toEqual([id, -32602])
    // Methods of the index are known, and said not to be here.
    const index = await post(`${tonway.url}/jsonRPC`, rpcRequest('v3.blocks'))
    expect(index.body).toMatchObject({ error: { code: -32051 } })
  })
})

describe('API9: what is not documented', () => {
  it.each([
    '/admin',
    '/admin/keys',
    '/api',
    '/api/',
    '/api/v1/getMasterchainInfo',
    '/api/v4/blocks',
    '/api/v2/api/v2/getMasterchainInfo',
    '/v2/getMasterchainInfo',
    '/api/v2/GetMasterchainInfo',
    '/api/v2/getmasterchaininfo',
    '/api/v2/getMasterchainInfo/',
    '/api/v2//getMasterchainInfo',
    '/api/v2/getMasterchainInfo.json',
    '/API/v2/getMasterchainInfo',
    '/api/v2/getMasterchainInfo%00',
    '/api/v2/rpc.discover',
    '/api/v2/rpc/discover',
    '/api/v2/__proto__',
    '/api/v2/constructor',
    '/debug',
    '/debug/pprof',
    '/debug/vars',
    '/actuator',
    '/actuator/env',
    '/swagger',
    '/swagger.json',
    '/api-docs',
    '/graphql',
    '/console',
    '/trace',
    '/heapdump',
    '/keys',
    '/plans',
    '/config',
    '/env',
    '/acton_nodeInfo',
    '/anvil_reset',
    '/docs/x',
    '/DOCS',
    '/metrics/',
    '/status/',
    '/jsonrpc',
    '/JSONRPC',
    '/rpc',
    '/ws',
    '/shutdown',
  ])('the path %s does not exist', async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await ask(tonway.url + path, { method })
      expect([path, method, answer.status]).toEqual([path, method, 404])
    }
  })

  it('every answer tells the version of its interface', async () => {
    expect((await ask(`${tonway.url}/api/v2/getMasterchainInfo`)).headers.get('x-api-version')).toMatch(/^2\.2\.\d+$/)
    expect((await ask(`${tonway.url}/api/v3/none`)).headers.get('x-api-version')).toMatch(/^\d+\.\d+\.\d+$/)
  })
})
