import { setMaxListeners } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import { createLateReader } from '../../server/index/service/late-reader.ts'
import { migrate } from '../../server/store/migrate.ts'
import { createReader } from '../../server/store/postgres/reader.ts'
import { readIndex } from '../../server/store/queries/view.ts'
import { BehindError, createFloor } from '../../server/store/replicas/floor.ts'
import { openReplicas } from '../../server/store/replicas/replicas.ts'
import { type Replicated, startReplicated } from '../kit/index/replicated.ts'
import { until } from '../kit/wait.ts'

/* Reads from the hot standbys of a primary: real PostgreSQL processes, with real lag, real kills and a real promotion. */

const { signal } = new AbortController()
// Many reads at once listen to it.
setMaxListeners(0, signal)
let servers: Replicated

/** Publishes a head on the primary, as the index does. */
const publish = async (seqno: number, epoch = 1): Promise<void> => {
  await servers.primary.run(`update published_head set mc_seqno = ${seqno}, epoch = ${epoch}; notify tonway_head`)
}

beforeAll(async () => {
  servers = await startReplicated(2)
  const { primary } = servers
  await migrate({ connectionString: primary.url })
  await primary.run(`insert into index_checkpoint (id, network, zero_hash, first_mc_seqno, mc_seqno, root_hash, file_hash)
    values (1, 'test', '', 1, 1, '', '')`)
  await primary.run('insert into published_head (id, mc_seqno, utime, epoch) values (1, 1, 1, 1)')
  await servers.replayed()
})
afterAll(() => servers?.close())

const opened: (() => Promise<void>)[] = []
/** Replicas as a service has them; `primary`: whether reads may fall back to it. */
const open = async ({ urls = servers.standbys.map(({ url }) => url), primary = true, mostLag = 30_000 } = {}) => {
  const floor = createFloor()
  const connection = { connectionString: servers.primary.url }
  const reader = createReader(connection, { connections: 2 })
  const replicas = openReplicas({
    ...{ urls, suffix: undefined, floor, connections: 3, log: silentLog, maxLag: mostLag },
    primary: () => (primary ? { connection, reader } : undefined),
  })!
  const late = createLateReader(() => replicas, floor)
  opened.push(
    () => replicas.close(),
    () => reader.close(),
  )
  await until(() => replicas.figures().every(({ state }) => state !== 'starting'))
  const port = (): Promise<number> =>
    readIndex(late, signal, async (view) => {
      const [row] = await view.rows<{ port: number }>({ sql: 'select inet_server_port() as port', parameters: [] } as never)
      return row!.port
    })
  return {
    replicas,
    /** The server that answers, and the head that the answer is of. */
    port,
    head: () => readIndex(late, signal, async ({ head }) => head),
    states: () => replicas.figures().map(({ state }) => state),
  }
}
const closeAll = async (): Promise<void> => {
  for (const close of opened.splice(0)) await close()
}

const pauseReplay = (i: number): Promise<unknown> => servers.standbys[i]!.run('select pg_wal_replay_pause()')
const resumeReplay = (i: number): Promise<unknown> => servers.standbys[i]!.run('select pg_wal_replay_resume()')

describe('reads from replicas', () => {
  afterAll(closeAll)

  it('reads go to the standbys, and not to the primary', async () => {
    const { port, states } = await open()
    await until(() => states().every((state) => state === 'in use'))
    const ports = await Promise.all(Array.from({ length: 12 }, port))
    expect(new Set(ports)).toEqual(new Set(servers.standbys.map((standby) => standby.port)))
    await closeAll()
  })

  it('reads never see the head go back, whichever standby answers, with one of them behind', async () => {
    const { head, port, states } = await open()
    await until(() => states().every((state) => state === 'in use'))
    await pauseReplay(1)
    let last = 0
    for (let seqno = 10; seqno < 30; seqno++) {
      await publish(seqno)
      for (const seen of [await head(), await head(), ...(await Promise.all([head(), head(), head()]))]) {
        expect(seen).toBeGreaterThanOrEqual(last)
        last = Math.max(last, seen)
      }
    }
    await until(async () => (await head()) === 29)
    expect(new Set(await Promise.all(Array.from({ length: 6 }, port)))).toEqual(new Set([servers.standbys[0]!.port]))
    await resumeReplay(1)
    await until(async () => (await port()) === servers.standbys[1]!.port)
    await closeAll()
  })

  it('a standby that is behind for too long is left out with its reason, and is used again when it has caught up', async () => {
    const { replicas, states } = await open({ mostLag: 1_000 })
    await until(() => states().every((state) => state === 'in use'))
    await pauseReplay(0)
    await publish(40)
    await until(() => states()[0] === 'behind')
    expect(replicas.figures()[0]).toMatchObject({
      state: 'behind',
      seqno: expect.any(Number),
      trouble: expect.stringMatching(/behind its primary/),
    })
    expect(replicas.figures()[0]!.lag_ms).toBeGreaterThan(1_000)
    await until(() => states()[1] === 'in use')
    await resumeReplay(0)
    await until(() => states()[0] === 'in use')
    expect(replicas.figures()[0]).toMatchObject({ seqno: 40, trouble: null })
    await closeAll()
  })

  it('a lower head in a new epoch is a reset, and in the same epoch a database that is behind', async () => {
    const { head } = await open()
    await publish(50)
    await until(async () => (await head()) === 50)
    await publish(45, 2)
    await until(async () => (await head()) === 45)
    const floor = createFloor()
    floor.admit({ epoch: 2, seqno: 45 })
    expect(() => floor.admit({ epoch: 2, seqno: 44 })).toThrow(BehindError)
    expect(() => floor.admit({ epoch: 1, seqno: 50 })).toThrow(BehindError)
    floor.admit({ epoch: 3, seqno: 1 })
    await closeAll()
  })

  it('a standby of another database is left out, with its reason', async () => {
    await servers.primary.run('create database other')
    await servers.replayed()
    const { states, replicas, port } = await open({
      urls: [servers.standbys[0]!.url.replace(/tonway$/, 'other'), servers.standbys[1]!.url],
    })
    await until(() => states()[0] === 'not a replica' && states()[1] === 'in use')
    expect(replicas.figures()[0]!.trouble).toBe('it is not a replica of the database of DATABASE_URL')
    expect(await port()).toBe(servers.standbys[1]!.port)
    await closeAll()
  })

  it('a read is tried again on another server when one is killed, and the killed one is used again when it is back', async () => {
    const { replicas, states, port } = await open()
    await until(() => states().every((state) => state === 'in use'))
    let failures = 0
    let isOver = false
    const reading = Array.from({ length: 4 }, async () => {
      while (!isOver) await port().catch(() => failures++)
    })
    await servers.standbys[0]!.kill()
    await until(() => states()[0] === 'away')
    expect(replicas.figures()[0]!.trouble).not.toBeNull()
    expect(await port()).toBe(servers.standbys[1]!.port)
    await servers.standbys[0]!.start()
    await until(() => states()[0] === 'in use')
    isOver = true
    await Promise.all(reading)
    expect(failures).toBe(0)
    await closeAll()
  })

  it('a read leaves a server that says nothing any more, and asks another', async () => {
    const { states, port } = await open()
    await until(() => states().every((state) => state === 'in use'))
    servers.standbys[0]!.signal('SIGSTOP')
    try {
      const ports = await Promise.all(Array.from({ length: 6 }, port))
      expect(new Set(ports)).toEqual(new Set([servers.standbys[1]!.port]))
      expect(states()[0]).toBe('away')
    } finally {
      servers.standbys[0]!.signal('SIGCONT')
    }
    await until(() => states()[0] === 'in use')
    await closeAll()
  })

  it('reads go to the primary while no standby can be read, and fail with the reason if there is none', async () => {
    const { port, states } = await open({ mostLag: 1_000 })
    const alone = await open({ primary: false })
    await Promise.all([pauseReplay(0), pauseReplay(1)])
    await publish(60, 2)
    await until(() => states().every((state) => state === 'behind'))
    expect(await port()).toBe(servers.primary.port)
    // Without a primary nobody knows that the standbys are behind.
    expect(servers.standbys.map((standby) => standby.port)).toContain(await alone.port())
    await Promise.all([resumeReplay(0), resumeReplay(1)])
    await until(() => states().every((state) => state === 'in use'))
    await closeAll()
    const nobody = await open({ urls: ['postgres://postgres@127.0.0.1:1/tonway'], primary: false })
    await expect(nobody.port()).rejects.toMatchObject({ kind: 'UNAVAILABLE', retryAfter: 1 })
    await closeAll()
  })

  it('a read goes to a server that has the new tables while replicas have not replayed the migration that made them', async () => {
    const { replicas, port, states } = await open()
    await until(() => states().every((state) => state === 'in use'))
    await Promise.all([pauseReplay(0), pauseReplay(1)])
    await servers.primary.run('create table migrated (n integer)')
    await servers.primary.run('insert into migrated values (7)')
    const n = { sql: 'select n from migrated', parameters: [] } as never
    expect(await replicas.rows(n, signal)).toEqual([{ n: 7 }])
    // Other reads still go to the replicas.
    expect(servers.standbys.map((standby) => standby.port)).toContain(await port())
    const unknown = { sql: 'select n from nowhere', parameters: [] } as never
    await expect(replicas.rows(unknown, signal)).rejects.toMatchObject({ code: '42P01' })
    await Promise.all([resumeReplay(0), resumeReplay(1)])
    await servers.replayed()
    await closeAll()
  })

  it('a read is run again when the standby cancels it because it is in the way', async () => {
    const reader = createReader({ connectionString: servers.standbys[0]!.url }, { connections: 2 })
    await servers.primary.run('create table passing as select generate_series(1, 1000) as n')
    await servers.replayed()
    let tries = 0
    const count = await reader.snapshot(async (rows) => {
      tries++
      const query = (sql: string) => rows<{ n: string }>({ sql, parameters: [] } as never)
      await query('select count(*) as n from published_head')
      if (tries === 1) {
        // The standby waits for nobody: it cancels what still may see the rows that the primary has removed.
        await query('select count(*) as n from passing')
        await servers.primary.run('delete from passing where n > 1')
        await servers.primary.run('vacuum (full) passing')
        await servers.replayed()
      }
      return (await query('select count(*) as n from passing'))[0]!.n
    }, signal)
    expect(tries).toBeGreaterThan(1)
    expect(count).toBe('1')
    await reader.close()
  })
})

describe('a promoted standby', () => {
  it('a promoted standby is left out as long as the primary lives, and is the primary afterwards', async () => {
    const { states, replicas, port } = await open()
    await servers.standbys[1]!.run('select pg_promote()')
    await until(() => states()[1] === 'not a replica')
    expect(replicas.figures()[1]!.trouble).toBe('it is no standby any more')
    expect(await port()).toBe(servers.standbys[0]!.port)
    await closeAll()
  })
})
