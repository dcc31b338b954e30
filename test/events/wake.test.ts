import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWake } from '../../server/live/wake.ts'
import { createPresentHead } from '../../server/store/head/head-in-memory.ts'
import { createFloor } from '../../server/store/replicas/floor.ts'
import { HEAD_CHANNEL } from '../../server/store/schema/head.ts'
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
      "select from pg_stat_activity where datname = current_database() and application_name = 'tonway-live' and query like '%published_head%'",
    )
  ).rowCount ?? 0

const openHead = () => createPresentHead({ connection: () => proxy.connection, floor: createFloor() })

describe('waiting for the next block', () => {
  it('waiting for the next block ends with a notification, and goes on over a lost connection', async () => {
    const head = openHead()
    const wake = createWake(head.onHead)
    await until(async () => (await listeners()) === 1)
    // Each comes at once, in place of after the half second of a look without a notification.
    const began = performance.now()
    for (let i = 0; i < 40; i++) {
      const next = wake.next()
      await client.query(`notify ${HEAD_CHANNEL}`)
      await next
    }
    expect(performance.now() - began).toBeLessThan(40 * 400)
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tonway-live'",
    )
    await until(async () => (await listeners()) === 0)
    await until(async () => (await listeners()) === 1)
    wake.close()
    await head.close()
    await until(async () => (await listeners()) === 0)
  })

  it('waiting for the next block can be ended while the database is silent, whether it listens already or still connects', async () => {
    const heads = [openHead(), openHead()]
    const listening = createWake(heads[0]!.onHead)
    await until(async () => (await listeners()) === 1)
    proxy.silence('all')
    const connecting = createWake(heads[1]!.onHead)
    await listening.next()
    const waiting = [listening.next(), connecting.next()]
    const began = performance.now()
    listening.close()
    connecting.close()
    await Promise.all([...waiting, ...heads.map((head) => head.close())])
    // A connection attempt alone may take five seconds.
    expect(performance.now() - began).toBeLessThan(4_000)
    proxy.restore()
  })
})
