import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { pathOf } from '../../shared/entries.ts'
import { methodNames, registry } from '../../shared/registry.ts'
import { ask } from '../kit/service/client.ts'
import { startV3 } from '../kit/service/service.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'

/* Who answers v3 when: nobody where the index is off, nobody yet while its database cannot be had, and then the index. */

const indexed = methodNames.filter((name) => registry[name].needs === 'index')
const openapi = async (url: string) =>
  (await ask(`${url}/openapi.json`)).body as {
    paths: Record<string, { get?: { responses: Record<string, { content: Record<string, { schema: object }> }> } }>
  }
describe('without the index', () => {
  let tonway: Tonway
  beforeAll(async () => {
    tonway = await startTonway({ blockTime: 0, index: false })
  })
  afterAll(() => tonway?.close())

  it('without the index v3 is not served by name or path, and is not in the documents', async () => {
    for (const path of ['masterchainInfo', 'transactions?limit=1', `addressInformation?address=0:${'0'.repeat(64)}`])
      expect(await ask(`${tonway.url}/api/v3/${path}`)).toMatchObject({
        status: 501,
        body: { error: expect.stringContaining('is not served here: there is no index (start with --index on'), code: 501 },
      })
    const { paths } = await openapi(tonway.url)
    expect(indexed.filter((name) => pathOf(name) in paths)).toEqual([])
  })
})

describe('with an index that has no database', () => {
  let tonway: Tonway
  const lines: { readonly level: string; readonly fields: object | undefined }[] = []
  const noted = (level: string) => (event: string, fields?: object) => {
    if (event === 'index.unavailable') lines.push({ level, fields })
  }
  beforeAll(async () => {
    const logger = { ...silentLog, debug: noted('debug'), error: noted('error') }
    tonway = await startTonway({ blockTime: 0, index: true, databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing', logger })
  })
  afterAll(() => tonway?.close())

  it('without a database v3 says that it is not available yet, and the legacy group and v2 answer', async () => {
    for (const path of ['masterchainInfo', 'transactions?limit=1', 'topAccountsByBalance']) {
      const { status, retryAfter, body } = await ask<{ error: string }>(`${tonway.url}/api/v3/${path}`)
      expect([status, retryAfter]).toEqual([503, '1'])
      expect(body.error).toMatch(/^the index is (starting|not available)/)
    }
    // What is wrong with a question is told all the same.
    expect((await ask(`${tonway.url}/api/v3/transactions?limit=x`)).status).toBe(422)
    expect((await ask(`${tonway.url}/api/v3/addressInformation?address=0:${'0'.repeat(64)}`)).status).toBe(200)
    expect((await ask(`${tonway.url}/api/v2/getMasterchainInfo`)).status).toBe(200)
  })

  it('without a database the log says why in one line, however often it is tried', async () => {
    await expect.poll(() => lines.filter(({ level }) => level === 'debug').length).toBeGreaterThan(1)
    expect(lines.filter(({ level }) => level === 'error')).toEqual([
      {
        level: 'error',
        fields: { network: 'local', text: expect.stringContaining('ECONNREFUSED'), cause: expect.stringMatching(/^the database /) },
      },
    ])
  })
})

describe('with the index', () => {
  it('with the index the documents have every method, with bare answers', async () => {
    const service = await startV3()
    try {
      const { paths } = await openapi(service.url)
      expect(indexed.filter((name) => registry[name].rest !== 'none' && !(pathOf(name) in paths))).toEqual([])
      const { responses } = paths['/api/v3/transactions']!.get!
      expect(responses['200']!.content['application/json']!.schema).toEqual({ $ref: '#/components/schemas/V3Transactions' })
      expect(responses['422']!.content['application/json']!.schema).toEqual({ $ref: '#/components/schemas/V3Error' })
      const discovered = await service.call('rpc.discover', {})
      expect((discovered as unknown as { methods: { name: string }[] }).methods.filter((one) => one.name.startsWith('v3.')).length).toBe(
        methodNames.filter((name) => name.startsWith('v3.')).length,
      )
    } finally {
      await service.close()
    }
  }, 120_000)
})
