import { Client, type ClientConfig } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPresentHead, type PresentHead } from '../../server/store/head/head-in-memory.ts'
import { createFloor, type Floor } from '../../server/store/replicas/floor.ts'
import { HEAD_CHANNEL } from '../../server/store/schema/head.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { fill } from '../kit/index/filled.ts'
import { type SilentProxy, startSilentProxy } from '../kit/index/silent-proxy.ts'
import { sleep, until } from '../kit/wait.ts'

/* The published head in memory, over a real database whose head the test moves as the index does. */

let server: TestServer
let database: ClientConfig
let client: Client
let proxy: SilentProxy
beforeAll(async () => {
  server = await startTestServer()
  database = await server.database()
  await fill(server, database, 60)
  proxy = await startSilentProxy(database)
  client = new Client(database)
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await proxy?.close()
  await server?.close()
})

/** Publishes a block as the index does, in one message. */
const publish = (seqno: number): Promise<unknown> =>
  client.query(`update published_head set mc_seqno = ${seqno}, utime = ${1000 + seqno}; notify ${HEAD_CHANNEL}`)
/** Goes back to a block in a new epoch. */
const revert = (seqno: number): Promise<unknown> =>
  client.query(`update published_head set mc_seqno = ${seqno}, utime = ${1000 + seqno}, epoch = epoch + 1; notify ${HEAD_CHANNEL}`)

describe('the published head in memory', () => {
  let floor: Floor
  let head: PresentHead
  let told: number
  beforeEach(async () => {
    await publish(10)
    floor = createFloor()
    head = createPresentHead({ connection: () => proxy.connection, floor })
    told = 0
    head.onHead(() => {
      told++
    })
    await until(() => told > 0)
  })
  afterEach(() => head.close())

  /** Resolves with the head once it is in memory. */
  const known = async () => {
    await until(() => head.now() !== undefined)
    return head.now()!
  }
  const seqno = (): number | undefined => head.now()?.head

  it('the head follows what its writer publishes', async () => {
    const { epoch, first } = await known()
    for (let next = 11; next < 40; next++) {
      await publish(next)
      await until(() => (seqno() ?? 0) >= next)
      expect(head.now()).toMatchObject({ head: next, utime: 1000 + next, epoch, first })
    }
  })

  it('a reverted head is forgotten, and the next one has its epoch', async () => {
    const { epoch } = await known()
    await revert(7)
    await until(() => seqno() === 7)
    expect(head.now()).toMatchObject({ head: 7, epoch: epoch + 1 })
    await publish(8)
    await until(() => seqno() === 8)
    expect(head.now()!.epoch).toBe(epoch + 1)
  })

  it('the head of another connection is never older than a block that this process has published or read', async () => {
    await known()
    for (let next = 11; next < 40; next++) {
      await publish(next)
      // The commit is answered, and the notification may not have come.
      if (next % 2 === 0) head.published(next)
      else floor.raise({ epoch: head.now()?.epoch ?? (await known()).epoch, seqno: next })
      expect(seqno() ?? next).toBe(next)
      await until(() => seqno() === next)
    }
  })

  it('a block that this process has taken back is not in memory any more, before any notification', async () => {
    const { epoch } = await known()
    head.published(10)
    await client.query(`update published_head set mc_seqno = 6, epoch = epoch + 1`)
    // Nothing has told it yet. It may have been asked for again, and on a slow machine it is not believed any more.
    expect([10, 6, undefined]).toContain(seqno())
    head.published(6)
    expect(head.now()).toBeUndefined()
    expect(await known()).toMatchObject({ head: 6, epoch: epoch + 1 })
  })

  it('a database that is behind the answers of this process is not believed', async () => {
    const { epoch } = await known()
    floor.raise({ epoch, seqno: 11 })
    expect(head.now()).toBeUndefined()
    floor.raise({ epoch: epoch + 1, seqno: 3 })
    await sleep(600)
    expect(head.now()).toBeUndefined()
  })

  it('a connection that says nothing is not believed for long, and one that is lost is opened again', async () => {
    await known()
    proxy.silence('all')
    await sleep(1_050)
    expect(head.now()).toBeUndefined()
    proxy.restore()
    await publish(12)
    await until(() => seqno() === 12)
    await client.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tonway-live'")
    await until(() => head.now() === undefined)
    expect(await known()).toMatchObject({ head: 12 })
  })

  it('a head that no notification told is found', async () => {
    await known()
    await client.query('update published_head set mc_seqno = 14')
    await until(() => seqno() === 14)
  })

  it('without an index there is no head', async () => {
    await known()
    await client.query(
      `begin; create temporary table kept as table published_head; delete from published_head; notify ${HEAD_CHANNEL}; commit`,
    )
    await until(() => head.now() === undefined)
    await sleep(600)
    expect(head.now()).toBeUndefined()
    await client.query('insert into published_head table kept; drop table kept')
  })
})
