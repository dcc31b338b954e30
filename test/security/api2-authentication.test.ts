import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Log } from '../../server/base/log.ts'
import { createLog } from '../../server/base/log.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { type Guarded, startGuarded } from '../kit/service/access.ts'
import { ask, openLine, post, rpcRequest } from '../kit/service/client.ts'
import { exchange, expectAlive, request } from './wire.ts'

/* OWASP API2:2023, broken authentication. */

const PATH = '/api/v2/getMasterchainInfo'

describe('API2: keys cannot be guessed, smuggled in, or found lying about', () => {
  let database: TestServer
  let service: Guarded
  let url: string
  let good: { key: string; id: string }
  const lines: string[] = []
  const logger: Log = createLog('debug', { write: (line) => lines.push(line) })
  beforeAll(async () => {
    database = await startTestServer()
    url = urlOf(await database.database())
    service = await startGuarded(url, { logger, accessLog: true, metrics: 'all', trustedProxies: ['loopback'] })
    good = await service.key()
  })
  afterAll(async () => {
    await service?.close()
    await database?.close()
  })
  const withKey = (key: string) => ask(service.url + PATH, { headers: { 'X-API-Key': key } })

  it.each([
    ['7,000 characters', 'x'.repeat(7_000)],
    ['10,000 in the header', 'x'.repeat(10_000)],
    ['SQL', "' or '1'='1"],
    ['more SQL', "tw_'; drop table api_keys; --"],
    ['a name of every object', '__proto__'],
    ['another one', 'constructor'],
    ['undefined', 'undefined'],
    ['null', 'null'],
    ['true', 'true'],
    ['JSON', '{"$ne":null}'],
    ['a path', '../../etc/passwd'],
    ['markup', '<script>alert(1)</script>'],
    ['latin letters beyond ASCII', 'k\u00ebys'],
  ])('%s is not accepted as a key', async (_what, key) => {
    const inQuery = key.length > 8_000 ? [] : [await ask(`${service.url}${PATH}?api_key=${encodeURIComponent(key)}`)]
    for (const answer of [await withKey(key), ...inQuery]) {
      expect([answer.status, answer.body]).toEqual([401, expect.objectContaining({ error: 'API key does not exist' })])
      expect(JSON.stringify(answer.body)).not.toContain(key.slice(0, 20))
    }
  })

  it('a key is taken from its two places only', async () => {
    const empty = { status: 429 }
    const places: Record<string, string>[] = [
      { Authorization: `Bearer ${good.key}` },
      { Authorization: good.key },
      { Cookie: `api_key=${good.key}; X-API-Key=${good.key}` },
      { 'X-API-Key-2': good.key },
      { api_key: good.key },
    ]
    // Without a key there is one call a second: the others are told so, whatever else they send.
    const stranger = { 'X-Forwarded-For': '203.0.113.9' }
    expect((await ask(service.url + PATH, { headers: stranger })).status).toBe(200)
    for (const headers of places) expect(await ask(service.url + PATH, { headers: { ...stranger, ...headers } })).toMatchObject(empty)
    expect(await post(`${service.url}/jsonRPC`, { ...rpcRequest('getMasterchainInfo'), api_key: good.key }, stranger)).toMatchObject(empty)
  })

  it('the key of the header wins over the query, and of two keys in a query neither is used', async () => {
    expect((await ask(`${service.url}${PATH}?api_key=wrong`, { headers: { 'X-API-Key': good.key } })).status).toBe(200)
    expect((await ask(`${service.url}${PATH}?api_key=${good.key}`, { headers: { 'X-API-Key': 'wrong' } })).status).toBe(401)
    expect((await ask(`${service.url}${PATH}?api_key=${good.key}&api_key=wrong`)).status).not.toBe(500)
  })

  it.each([
    ['a newline', `X-API-Key: a\r\n b`],
    ['a bare newline', `X-API-Key: a\nb`],
    ['a NUL', 'X-API-Key: a\0b'],
    ['two lines', `X-API-Key: wrong\r\nX-API-Key: wronger`],
  ])('a header with %s opens nothing', async (_what, header) => {
    const { statuses } = await exchange(service.url, request(`GET ${PATH}`, [header, 'Connection: close']))
    expect(statuses).toHaveLength(1)
    expect([400, 401]).toContain(statuses[0])
  })

  it('an expired or revoked key opens nothing, and its socket is closed with the reason', async () => {
    const passing = await service.key({ expiresAt: new Date(service.clock.now() * 1000 + 2_000) })
    expect((await withKey(passing.key)).status).toBe(200)
    service.clock.pass(3_000)
    expect((await withKey(passing.key)).status).toBe(401)

    const doomed = await service.key()
    const line = await openLine(service.app.wsUrl, { 'X-API-Key': doomed.key })
    expect(await line.ask(rpcRequest('getMasterchainInfo'))).toMatchObject({ result: expect.anything() })
    await service.store.revoke(doomed.id)
    const { code, reason } = await line.closed
    expect([code, reason]).toEqual([1008, expect.stringMatching(/./)])
    await expect.poll(async () => (await withKey(doomed.key)).status).toBe(401)
  })

  it('a key is nowhere in clear: not at rest, in the log, in errors, in metrics, in /status', async () => {
    const secret = good.key.slice(good.key.lastIndexOf('_') + 1)
    await ask(`${service.url}${PATH}?api_key=${good.key}`)
    await ask(`${service.url}/nowhere?api_key=${good.key}`)
    await post(`${service.url}/jsonRPC?api_key=${good.key}`, '{', {})
    for (const path of ['/metrics', '/status', '/ready', '/docs']) expect((await ask(service.url + path)).text, path).not.toContain(secret)
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.filter((line) => line.includes(secret))).toEqual([])
    const pool = new Pool({ connectionString: url })
    try {
      const { rows: tables } = await pool.query(
        `select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')`,
      )
      for (const { name } of tables) {
        const { rows } = await pool.query(`select count(*)::int as found from ${name} t where t::text like '%' || $1 || '%'`, [secret])
        expect([name, rows[0].found]).toEqual([name, 0])
      }
      // And not as its plain bytes either.
      const { rows } = await pool.query(
        `select count(*)::int as found from pg_stat_activity where query like '%' || $1 || '%' and pid <> pg_backend_pid()`,
        [secret],
      )
      expect(rows[0].found).toBe(0)
    } finally {
      await pool.end()
    }
    await expectAlive(service.url)
  })
})
