import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWake } from '../../server/live/wake.ts'
import { formatHead, HEAD_CHANNEL, type ToldHead } from '../../server/store/schema/head.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { type SilentProxy, startSilentProxy } from '../kit/index/silent-proxy.ts'
import { until } from '../kit/wait.ts'

let server: TestServer
let proxy: SilentProxy
let client: Client
beforeAll(async () => {
  server = await startTestServer()
  const connection = await server.database()
  proxy = await startSilentProxy(connection)
  client = new Client(connection)
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await proxy?.close()
  await server?.close()
})

const listeners = async (): Promise<number> =>
  (
    await client.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'tonway-live' and query ilike 'listen%'",
    )
  ).rowCount ?? 0

describe('waiting for the next block', () => {
  it('waiting for the next block ends with a notification, and goes on over a lost connection', async () => {
    const wake = createWake(() => proxy.connection)
    await until(async () => (await listeners()) === 1)
    for (let i = 0; i < 2; i++) {
      const next = wake.next()
      await client.query(`notify ${HEAD_CHANNEL}`)
      expect(await next).toBeUndefined()
    }
    const told = { seqno: 7, utime: 1_700_000_000 }
    let head: ToldHead | undefined
    await until(async () => {
      await client.query(`notify ${HEAD_CHANNEL}, '${formatHead(told)}'`)
      head = await wake.next()
      return head !== undefined
    })
    expect(head).toEqual(told)
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tonway-live'",
    )
    await until(async () => (await listeners()) === 0)
    await until(async () => (await listeners()) === 1)
    await wake.close()
    await until(async () => (await listeners()) === 0)
  })

  it('waiting for the next block can be ended while the database is silent, whether it listens already or still connects', async () => {
    const listening = createWake(() => proxy.connection)
    await until(async () => (await listeners()) === 1)
    proxy.silence('all')
    const connecting = createWake(() => proxy.connection)
    await listening.next()
    const began = performance.now()
    await Promise.all([listening.close(), connecting.close()])
    // A connection attempt alone may take five seconds.
    expect(performance.now() - began).toBeLessThan(4_000)
    proxy.restore()
  })
})
