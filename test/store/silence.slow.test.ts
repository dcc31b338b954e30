import { type CompiledQuery, sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../server/store/postgres/connection.ts'
import { createDatabase } from '../../server/store/postgres/database-server.ts'
import { builder, createReader } from '../../server/store/postgres/reader.ts'
import { openStore } from '../../server/store/store.ts'
import { startIndexer } from '../index/kit.ts'
import { createTestChain } from '../kit/chain/local-chain.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { startSilentProxy } from '../kit/index/silent-proxy.ts'

/* Connections on which nothing comes any more although nobody closed them, and statements that wait for a lock that nobody gives. */

const query = <R>(text: string): CompiledQuery<R> => sql.raw<R>(text).compile(builder)
const NEVER = new AbortController().signal
/** Milliseconds that something takes; what it ends with is not told. */
const taken = async (work: Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work.catch(() => {})
  return performance.now() - began
}

describe('a silent database', () => {
  let server: TestServer
  let database: ClientConfig
  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
  })
  afterAll(() => server?.close())

  const sessions = (name: string): Promise<{ pid: number }[]> =>
    server.run(database, 'select pid from pg_stat_activity where datname = current_database() and application_name = $1', [name])

  it('busy connections are told apart from a silent database', async () => {
    const one = createReader(database, { connections: 1, statementTimeout: 8_000 })
    const held = one.snapshot(async (rows) => {
      // Each is answered: the database is there.
      for (let i = 0; i < 14; i++) await rows(query('select pg_sleep(0.5)'))
    }, NEVER)
    await expect(one.rows(query('select 1'), NEVER)).rejects.toMatchObject({
      kind: 'UNAVAILABLE',
      message: 'all 1 connections to the database are busy',
    })
    await held
    await one.close()
  })

  it.each([
    undefined,
    'all',
  ] as const)('connections of readers are replaced when a silent database answers again (silent: %s)', async (which) => {
    const proxy = await startSilentProxy(database)
    const reader = createReader(proxy.connection, { connections: 3, statementTimeout: 1_000 })
    const one = (signal: AbortSignal) => reader.rows<{ n: number }>(query('select 1 as n'), signal)
    try {
      await Promise.all(Array.from({ length: 3 }, () => reader.rows(query('select pg_sleep(0.2)'), NEVER)))
      proxy.silence(which)
      // One leaves, one stays until the reader's own limit; both are answered.
      const left = one(AbortSignal.timeout(300))
      await expect(Promise.all([left, one(NEVER)].map((call) => call.catch((error: { kind?: string }) => error.kind)))).resolves.toEqual([
        undefined,
        'UNAVAILABLE',
      ])
      proxy.restore()
      // The third connection was silent as well: nobody has to find that out by waiting.
      for (let i = 0; i < 6; i++) expect(await one(AbortSignal.timeout(20_000))).toEqual([{ n: 1 }])
      expect(await taken(one(NEVER))).toBeLessThan(1_000)
    } finally {
      await reader.close()
      await proxy.close()
    }
  })

  it('an aborted call on a silent connection is over soon', async () => {
    const proxy = await startSilentProxy(database)
    const reader = createReader(proxy.connection, { connections: 1, statementTimeout: 60_000 })
    try {
      await reader.rows(query('select 1'), NEVER)
      proxy.silence('all')
      expect(await taken(reader.rows(query('select 1'), AbortSignal.timeout(100)))).toBeLessThan(10_000)
      proxy.restore()
      expect(await reader.rows(query('select 2 as n'), NEVER)).toEqual([{ n: 2 }])
    } finally {
      await reader.close()
      await proxy.close()
    }
  })

  it.each([undefined, 'all'] as const)('a writing connection ends when an answer does not come (silent: %s)', async (which) => {
    const proxy = await startSilentProxy(database)
    const connection = await connect(proxy.connection, 'silent', { patience: 300 })
    try {
      expect(await connection.query('select 1 as n')).toEqual([{ n: 1 }])
      proxy.silence(which)
      await expect(connection.query('select 1')).rejects.toThrow(/timeout/)
      await connection.ended
      expect(await taken(connection.close())).toBeLessThan(5_000)
    } finally {
      await proxy.close()
    }
  })

  it('the server is told to look after clients that are gone', async () => {
    const connection = await connect(database)
    const names = [
      'client_connection_check_interval',
      'tcp_keepalives_idle',
      'tcp_keepalives_interval',
      'tcp_keepalives_count',
      'tcp_user_timeout',
    ]
    // What a socket of this machine does not have reads as 0: what was asked for is what is looked at.
    const rows = await connection.query<{ name: string; source: string }>('select name, source from pg_settings where name = any($1)', [
      names,
    ])
    expect(rows.map(({ name, source }) => [name, source]).sort()).toEqual(names.map((name) => [name, 'session']).sort())
    await connection.close()
  })

  it('on abort a statement that waits for a lock is cancelled, and its session is gone', async () => {
    const blocker = new Client(database)
    await blocker.connect()
    await blocker.query('begin; lock table transactions')
    const stop = new AbortController()
    const connection = await connect(database, 'blocked', { signal: stop.signal })
    const waiting = connection.query('select from transactions')
    waiting.catch(() => {})
    await expect.poll(async () => (await server.run(database, 'select from pg_locks where not granted')).length).toBe(1)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow(/cancel|terminated/)
    await connection.ended
    await expect.poll(() => sessions('blocked')).toEqual([])
    await expect(connect(database, 'late', { signal: stop.signal })).rejects.toThrow('enough')
    await blocker.end()
  })

  it('a database beside a silent one is not waited for after the abort', async () => {
    const proxy = await startSilentProxy(database)
    const { connectionString, user, password, database: name, host, port } = proxy.connection
    const databaseUrl = connectionString ?? `postgres://${user}:${password}@${host}:${port}/${name}`
    const other = createDatabase({ databaseUrl, dataDir: undefined })
    proxy.silence('all')
    const stop = new AbortController()
    const opening = other.open('other', stop.signal)
    setTimeout(() => stop.abort(new Error('enough')), 100)
    await expect(opening).rejects.toThrow('enough')
    await other.close()
    await proxy.close()
  })

  it('an index whose table is locked by another session is closed soon', async () => {
    const own = await server.database()
    const tvm = createTestTvm({ workers: 1 })
    const local = await createTestChain(tvm)
    const blocker = new Client(own)
    await blocker.connect()
    await blocker.query('begin; lock table transactions, accounts, blocks')
    const indexer = startIndexer(local, own, { tvm })
    await expect.poll(async () => (await server.run(own, 'select from pg_locks where not granted')).length).toBeGreaterThan(0)
    expect(await taken(indexer.close())).toBeLessThan(15_000)
    await expect
      .poll(() => server.run(own, `select from pg_stat_activity where application_name = 'tonway-index' and datname = current_database()`))
      .toEqual([])
    await blocker.end()
    await local.close()
    await tvm.close()
  })

  it('opening a store while the migrations are locked can be aborted', async () => {
    const own = await server.database()
    // Without a migration to run nobody asks for the lock.
    await server.run(own, 'delete from tonway_migrations where name = (select max(name) from tonway_migrations)')
    const blocker = new Client(own)
    await blocker.connect()
    await blocker.query('begin; lock table tonway_migrations_lock')
    const stop = new AbortController()
    const database = { open: async () => ({ connection: own, what: '', lost: new Promise<never>(() => {}) }) }
    const opening = openStore({ database, suffix: undefined, signal: stop.signal })
    opening.catch(() => {})
    await expect.poll(async () => (await server.run(own, 'select from pg_locks where not granted')).length).toBe(1)
    stop.abort(new Error('enough'))
    await expect(opening).rejects.toThrow('enough')
    await expect.poll(async () => (await server.run(own, 'select from pg_locks where not granted')).length).toBe(0)
    await blocker.end()
  })
})
