import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createLateReader } from '../../server/index/service/late-reader.ts'
import { migrate } from '../../server/store/migrate.ts'
import { createReader } from '../../server/store/postgres/reader.ts'
import { readIndex } from '../../server/store/queries/view.ts'
import { createFloor } from '../../server/store/replicas/floor.ts'
import { openReplicas } from '../../server/store/replicas/replicas.ts'
import { type Replicated, startReplicated } from '../kit/index/replicated.ts'
import { sleep, until } from '../kit/wait.ts'

/* Replicas that cannot follow any more: real PostgreSQL processes, one that was away for too long, and one that is the primary of another database. */

const { signal } = new AbortController()
const MOST_LAG = 1_000
let servers: Replicated
let others: Replicated

const begin = async ({ primary, replayed }: Replicated): Promise<void> => {
  await migrate({ connectionString: primary.url })
  await primary.run(`insert into index_checkpoint (id, network, zero_hash, first_mc_seqno, mc_seqno, root_hash, file_hash)
    values (1, 'test', '', 1, 1, '', '')`)
  await primary.run('insert into published_head (id, mc_seqno, utime, epoch) values (1, 1, 1, 1)')
  await replayed()
}
const publish = async (seqno: number): Promise<void> => {
  await servers.primary.run(`update published_head set mc_seqno = ${seqno}; notify tonway_head`)
}

const opened: (() => Promise<void>)[] = []
const open = async (urls: readonly string[]) => {
  const floor = createFloor()
  const connection = { connectionString: servers.primary.url }
  const reader = createReader(connection, { connections: 2 })
  const replicas = openReplicas({
    ...{ urls, suffix: undefined, floor, connections: 3, log: silentLog, maxLag: MOST_LAG },
    primary: () => ({ connection, reader }),
  })!
  opened.push(
    () => replicas.close(),
    () => reader.close(),
  )
  const late = createLateReader(() => replicas, floor)
  await until(() => replicas.figures().every(({ state }) => state !== 'starting'))
  return { replicas, head: () => readIndex(late, signal, async ({ head }) => head), state: () => replicas.figures()[0]! }
}

describe('replicas that cannot follow', () => {
  beforeAll(async () => {
    ;[servers, others] = await Promise.all([startReplicated(1), startReplicated(1)])
    await Promise.all([begin(servers), begin(others)])
  })
  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
  })
  afterAll(async () => {
    await servers?.close()
    await others?.close()
  })

  it('a replica whose WAL is gone when it returns is left out with its reason, and reads stay at the primary', async () => {
    const [standby] = servers.standbys
    const { head, state } = await open([standby!.url])
    await until(() => state().state === 'in use')
    await standby!.kill()
    await until(() => state().state === 'away')
    // The primary keeps no WAL for a standby without a slot: after some files and a checkpoint they are used for other WAL.
    for (let file = 0; file < 4; file++) {
      await publish(10 + file)
      await servers.primary.run('select pg_switch_wal()')
      await servers.primary.run('checkpoint')
    }
    await standby!.start()
    await until(() => state().state === 'behind')
    expect(state()).toMatchObject({ seqno: 1, trouble: expect.stringMatching(/^it is \d+ s behind its primary$/) })
    // It cannot catch up: what it asks for is not there. Each time that it asks, a receiver is there for a moment.
    const receivers = (): Promise<unknown[]> => standby!.run(`select from pg_stat_wal_receiver where status = 'streaming'`)
    await expect.poll(receivers).toEqual([])
    for (let seqno = 20; seqno < 30; seqno++) {
      await publish(seqno)
      expect(await head()).toBe(seqno)
    }
    expect(state().state).toBe('behind')
  })

  it('a service that starts while its replica lacks WAL never shows the old head of that replica', async () => {
    await publish(40)
    const { head, state } = await open([servers.standbys[0]!.url])
    // From the first moment, although the service has not seen for how long the replica has been behind.
    for (const end = performance.now() + 2 * MOST_LAG; performance.now() < end; await sleep(20)) {
      expect(await head()).toBe(40)
      expect(state().state).not.toBe('in use')
    }
    expect(state()).toMatchObject({
      state: 'behind',
      lag_ms: null,
      trouble: 'it lacks what its primary had published before this service saw it first',
    })
  })

  it('a server of another cluster is left out, its standby as well as its primary, although its tables are the same', async () => {
    for (const { url } of [others.primary, others.standbys[0]!]) {
      const { head, state } = await open([url])
      await until(() => state().state === 'not a replica')
      expect(state().trouble).toBe('it is not a replica of the database of DATABASE_URL')
      await publish(50)
      expect(await head()).toBe(50)
    }
  })
})
