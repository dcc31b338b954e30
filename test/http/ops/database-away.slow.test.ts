import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { type SilentProxy, startSilentProxy } from '../../kit/index/silent-proxy.ts'
import { ask } from '../../kit/service/client.ts'
import { startTonway, type Tonway } from '../../kit/service/tonway.ts'

/* A database that is missing, or says nothing: the cause stands in answers, in /ready and in /status alike, and names no host to callers from elsewhere. */

const OUTSIDE = { 'X-Forwarded-For': '203.0.113.7' }
const urlOf = ({ host, port, user, password, database }: ClientConfig): string =>
  `postgres://${user}:${String(password)}@${host}:${port}/${database}`

interface Told {
  readonly status: number
  readonly body: Record<string, unknown> & {
    readonly error?: string
    readonly troubles?: readonly string[]
    readonly index?: { readonly cause: string }
  }
}

describe('a database that is away', () => {
  let server: TestServer
  let proxy: SilentProxy
  let database: ClientConfig
  beforeAll(async () => {
    server = await startTestServer()
    proxy = await startSilentProxy(await server.database())
    database = proxy.connection
  })
  afterAll(async () => {
    await proxy?.close()
    await server?.close()
  })
  const start = (url: string): Promise<Tonway> => startTonway({ index: true, databaseUrl: url, keys: 'off', blockTime: 0 })
  const told = ({ url }: Tonway, path: string) => ask<Told['body']>(url + path, { headers: OUTSIDE })

  it('a missing database is reported', async () => {
    const url = new URL(database.connectionString ?? urlOf(database))
    url.pathname = '/nowhere'
    await using tonway = await start(url.href)
    const cause = 'the database does not exist (DATABASE_URL)'
    await expect
      .poll(async () => (await told(tonway, '/ready')).body.troubles, { timeout: 20_000 })
      .toEqual([`the index is failing: ${cause}`])
    expect((await told(tonway, '/ready')).status).toBe(503)
    expect((await told(tonway, '/status')).body.index).toMatchObject({ phase: 'failing', cause })
    expect(await told(tonway, '/api/v3/masterchainInfo')).toMatchObject({
      status: 503,
      body: { error: `the index is not available: ${cause}` },
    })
  })

  it('if a database goes silent, /ready says so within seconds, and is well again when it answers', async () => {
    await using tonway = await start(database.connectionString ?? urlOf(database))
    await expect.poll(async () => (await told(tonway, '/ready')).status).toBe(200)
    proxy.silence('all')
    const cause = 'the database does not answer'
    await expect
      .poll(async () => (await told(tonway, '/ready')).body.troubles, { timeout: 15_000 })
      .toEqual([`the index is failing: ${cause}`])
    expect((await told(tonway, '/ready')).status).toBe(503)
    expect((await told(tonway, '/ready?for=v3')).status).toBe(503)
    // v2 reads the chain alone, so a balancer goes on sending its calls here.
    expect(await told(tonway, '/ready?for=v2')).toMatchObject({ status: 200, body: { ok: true, v2: { ok: true }, v3: { ok: false } } })
    expect((await told(tonway, '/api/v2/getMasterchainInfo')).status).toBe(200)
    expect((await told(tonway, '/status')).body.index).toMatchObject({ cause })
    const answer = await told(tonway, '/api/v3/masterchainInfo')
    expect([answer.status, answer.body.error]).toEqual([
      expect.toSatisfy((status) => status === 503 || status === 504),
      expect.stringMatching(/^the database /),
    ])
    proxy.restore()
    await expect.poll(async () => (await told(tonway, '/ready')).status, { timeout: 60_000 }).toBe(200)
  })
})
