import { type CompiledQuery, sql } from 'kysely'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAbortController } from '../../server/base/abort.ts'
import type { Answer } from '../../server/base/answer.ts'
import { silentLog } from '../../server/base/log.ts'
import type { PresentHead } from '../../server/store/head/head-in-memory.ts'
import { migrate } from '../../server/store/migrate.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import { databaseFault, isConnectionLoss, nameSetting } from '../../server/store/postgres/faults.ts'
import { builder, createReader, type Reader, type RunQuery } from '../../server/store/postgres/reader.ts'
import { readIndex, type View } from '../../server/store/queries/view.ts'
import { endpoint } from '../../server/v3/answer/answer.ts'
import { CITUS_URL } from '../kit/index/citus.ts'
import { countActive, startTestServer, type TestServer } from '../kit/index/database.ts'
import { sleep, until } from '../kit/wait.ts'

/* Reads: values, cancellation, limits, a database that goes away. */

describe('reader', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  const { signal } = new AbortController()
  const query = <R>(text: string): CompiledQuery<R> => sql.raw<R>(text).compile(builder)
  const active = (text: string): Promise<number> => countActive(server, database, text)
  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    reader = createReader(database, { connections: 3, statementTimeout: 1_000 })
  })
  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  it('the reader gives 64-bit and decimal numbers as texts, and bytes as buffers', async () => {
    const [row] = await reader.rows<Record<string, unknown>>(
      query(
        `select 9223372036854775807::bigint as a, 123456789012345678901234567890::numeric as b, '\\x00ff'::bytea as c, array[9007199254740993]::bigint[] as d, null::bigint as e`,
      ),
      signal,
    )
    expect(row).toEqual({
      a: '9223372036854775807',
      b: '123456789012345678901234567890',
      c: Buffer.from([0, 255]),
      d: ['9007199254740993'],
      e: null,
    })
  })

  it('a read whose statement fails behind one that took too long has the error of that one', async () => {
    const late = reader.snapshot(async (rows) => {
      const first = rows(query('select pg_sleep(5)'))
      first.catch(() => {})
      await rows(query('select 1'))
    }, signal)
    await expect(late).rejects.toMatchObject({ kind: 'SOURCE_TIMEOUT', message: 'the database did not answer in time' })
  })

  it('a statement that is run again has its columns, also when its runs are sent together, and one that failed before', async () => {
    const wide = (n: number) =>
      sql<Record<string, unknown>>`select ${n}::integer as n, ${`text ${n}`}::text as t, null::bytea as nothing, '\\x0102'::bytea as b`
    const row = (n: number) => ({ n, t: `text ${n}`, nothing: null, b: Buffer.from([1, 2]) })
    for (let turn = 0; turn < 3; turn++) {
      const rows = await reader.snapshot((ask) => Promise.all([1, 2, 3].map((n) => ask(wide(n)))), signal)
      expect(rows).toEqual([[row(1)], [row(2)], [row(3)]])
    }
    const divided = (n: number) => sql<{ q: number }>`select 6 / ${n}::integer as q`
    expect(await reader.rows(divided(2), signal)).toEqual([{ q: 3 }])
    for (let turn = 0; turn < 4; turn++) {
      await expect(reader.rows(divided(0), signal)).rejects.toThrow(/division by zero/)
      expect(await reader.rows(divided(3), signal)).toEqual([{ q: 2 }])
    }
  })

  it('a snapshot that nothing follows is ended soon, so that the server may forget old rows', async () => {
    await reader.snapshot((ask) => ask(query('select 1 as ends_soon')), signal)
    await until(
      async () =>
        (await server.run(database, `select from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`))
          .length === 0,
    )
    const ended = await Promise.all(Array.from({ length: 8 }, () => reader.snapshot((ask) => ask(query('select 2 as n')), signal)))
    expect(ended).toEqual(Array.from({ length: 8 }, () => [{ n: 2 }]))
  })

  it('an aborted call rejects with its reason, its statement is cancelled, and the connection serves the next', async () => {
    const caller = new AbortController()
    const reason = new Error('hung up')
    const waiting = reader.rows(query('select pg_sleep(0.9), 1 as aborted_call'), caller.signal)
    await until(async () => (await active('aborted_call')) !== 0)
    caller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    await expect.poll(() => active('aborted_call')).toBe(0)
    for (let i = 0; i < 6; i++) expect(await reader.rows(query('select 1 as n'), signal)).toEqual([{ n: 1 }])
  })

  it('a call that waits for a connection can be aborted at once', async () => {
    const busy = Array.from({ length: 3 }, () => reader.rows(query('select pg_sleep(0.4)'), signal))
    const caller = new AbortController()
    const waiting = reader.rows(query('select 1 as n'), caller.signal)
    caller.abort(new Error('hung up'))
    await expect(waiting).rejects.toThrow('hung up')
    await Promise.all(busy)
    await expect(reader.rows(query('select 1'), AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  })

  it('a statement of a caller that has left is refused by its promise, so that statements begun with it are waited for', async () => {
    const caller = new AbortController()
    const fails = async (): Promise<never> => {
      throw new Error('the first of two')
    }
    // In v3 the first part finds a cursor of another list while the time of the call ends. If the second part threw, nobody would handle the first one's rejection.
    const both = reader.snapshot((ask) => {
      caller.abort(new Error('left'))
      return Promise.all([fails(), ask(query('select 1'))])
    }, caller.signal)
    await expect(both).rejects.toThrow('left')
    await sleep(0)
  })

  it('a statement that takes too long is SOURCE_TIMEOUT', async () => {
    await expect(reader.rows(query('select pg_sleep(5)'), signal)).rejects.toMatchObject({ kind: 'SOURCE_TIMEOUT' })
  })

  const HEAD = { head: 1, first: 1, utime: 1, epoch: 1, network: 'test', isDistributed: false }
  const withHead = (of: Reader, head: typeof HEAD | undefined): Reader => ({ ...of, head: { now: () => head } as PresentHead })
  const publishHead = async (): Promise<void> => {
    await server.run(
      database,
      `insert into index_checkpoint (id, network, zero_hash, first_mc_seqno, mc_seqno, root_hash, file_hash) values (1, 'test', '', 1, 1, '', '')
         on conflict do nothing`,
    )
    await server.run(database, 'insert into published_head (id, mc_seqno, utime, epoch) values (1, 1, 1, 1) on conflict do nothing')
  }

  it('a short read of one statement needs no transaction while the head in memory is the published one', async () => {
    await publishHead()
    const LEVEL = query<{ level: string }>(`select current_setting('transaction_isolation') as level`)
    const levels = (head: typeof HEAD | undefined, read: (view: View) => Promise<{ level: string }[]>): Promise<unknown> =>
      readIndex(withHead(reader, head), signal, read, (rows, view) => [view.head, ...rows.map(({ level }) => level)], true)
    const one = (view: View) => view.rows(LEVEL)
    expect(await levels(HEAD, one)).toEqual([1, 'read committed'])
    const others = [undefined, { ...HEAD, head: 2 }, { ...HEAD, head: 0 }, { ...HEAD, epoch: 2 }, { ...HEAD, first: 0 }]
    for (const other of others) expect(await levels(other, one)).toEqual([1, 'repeatable read'])
    // Two statements need a snapshot, and so does an answer of no rows: the head can be another one.
    const both = async (view: View) => (await Promise.all([one(view), one(view)])).flat()
    expect(await levels(HEAD, both)).toEqual([1, 'repeatable read', 'repeatable read'])
    expect(await levels(HEAD, async (view) => [...(await one(view)), ...(await one(view))])).toEqual([
      1,
      'repeatable read',
      'repeatable read',
    ])
    expect(await levels(HEAD, (view) => view.rows(query(`select 'none' as level where false`)))).toEqual([1])
  })

  it.each([false, true])('long reads of several clients leave connections for others: short ones %s', async (isShort) => {
    await publishHead()
    const own = createReader(database, { connections: 6, statementTimeout: 20_000 })
    const leaving = createAbortController()
    const ask = (text: string, client: string, until: AbortSignal): Promise<Answer> => {
      const read = async (view: View) => ({ pieces: [JSON.stringify(await view.rows(query(text)))] })
      const call = { network: 'local', requestId: '', log: silentLog, localAllowed: false, signal: until, client }
      return endpoint<'v3.masterchainInfo'>({ reader: withHead(own, HEAD) }, { read, isShort: () => isShort })(
        {} as never,
        call,
      ) as Promise<Answer>
    }
    const answers: Promise<unknown>[] = []
    const askAll = async (...clients: readonly string[]): Promise<void> => {
      for (const client of clients)
        for (let i = 0; i < 10; i++) {
          answers.push(ask('select pg_sleep(15)', client, leaving.signal).catch((error) => error))
          // Short reads of one turn would share a connection.
          await sleep(1)
        }
    }
    await askAll('a')
    await until(async () => (await active('pg_sleep(15)')) >= 3)
    await askAll('b', 'c')
    await until(async () => (await active('pg_sleep(15)')) >= 5)
    const began = performance.now()
    expect((await ask('select 7 as n', 'other', signal)).pieces).toEqual(['[{"n":7}]'])
    expect(performance.now() - began).toBeLessThan(1_500)
    expect(await active('pg_sleep(15)')).toBe(5)
    // Now all are busy, so the client with the most makes room.
    await askAll('d')
    await until(async () => (await active('pg_sleep(15)')) === 6)
    expect((await ask('select 8 as n', 'other', signal)).pieces).toEqual(['[{"n":8}]'])
    expect(await Promise.any(answers)).toMatchObject({ kind: 'UNAVAILABLE', message: 'all 6 connections to the database are busy' })
    leaving.abort()
    await Promise.all(answers)
    await own.close()
  })

  it('a snapshot sees one moment, and cannot write', async () => {
    await server.run(database, 'create table moments (n integer)')
    const counts = await reader.snapshot(async (rows) => {
      const before = await rows<{ n: string }>(query('select count(*) as n from moments'))
      await server.run(database, 'insert into moments values (1)')
      return [before, await rows<{ n: string }>(query('select count(*) as n from moments'))]
    }, signal)
    expect(counts).toEqual([[{ n: '0' }], [{ n: '0' }]])
    await expect(reader.snapshot((rows) => rows(query('insert into moments values (2)')), signal)).rejects.toThrow(/read-only/)
  })

  it('a connection that is cut while it is held makes its next statement UNAVAILABLE, and nothing else', async () => {
    for (const pause of [0, 50, 300]) {
      const held = reader.snapshot(async (rows) => {
        const [backend] = await rows<{ pid: number }>(query('select pg_backend_pid() as pid'))
        await server.run(database, 'select pg_terminate_backend($1::integer)', [backend!.pid])
        await sleep(pause)
        return await Promise.all([rows(query('select 1 as n')), rows(query('select 2 as n'))])
      }, signal)
      await expect(held).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
    }
    expect(await reader.rows(query('select 1 as n'), signal)).toEqual([{ n: 1 }])
  })

  it('statements that are not awaited in between are answered in order, and a failing one fails those after it', async () => {
    const numbers = reader.snapshot((rows) => Promise.all([1, 2, 3].map((n) => rows<{ n: number }>(query(`select ${n} as n`)))), signal)
    expect(await numbers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
    const failing = reader.snapshot(
      (rows) => Promise.allSettled([rows(query('select 1 as n')), rows(query('select 1 / 0')), rows(query('select 3 as n'))]),
      signal,
    )
    const outcomes = await failing
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await reader.rows(query('select 4 as n'), signal)).toEqual([{ n: 4 }])
  })

  it('statements that are sent together have time for those before them, and other connections stay', async () => {
    const two = createReader(database, { connections: 2, statementTimeout: 2_000 })
    const pids = async (): Promise<unknown[]> => {
      const pid = (ask: RunQuery) => ask<{ pid: number }>(query('select pg_backend_pid() as pid, pg_sleep(0.1)'))
      const both = await Promise.all([two.snapshot(pid, signal), two.snapshot(pid, signal)])
      return both.map(([row]) => row!.pid).sort()
    }
    const before = await pids()
    // Each has a tenth of its time, and all together need more than that.
    await two.snapshot((ask) => Promise.all(Array.from({ length: 12 }, () => ask(query('select pg_sleep(0.2)')))), signal)
    expect(await pids()).toEqual(before)
    await two.close()
  })

  it('statements of a snapshot that has ended do not reach the next one', async () => {
    const one = createReader(database, { connections: 1, statementTimeout: 5_000 })
    const ended: unknown[] = []
    const failing = one.snapshot(async (ask) => {
      const others = async (): Promise<void> => {
        for (let i = 0; i < 20; i++) await ask(query('select 1'))
        await ask(query('select 1 / 0'))
      }
      others().catch((error: Error) => ended.push(error.message))
      await ask(query('select 1'))
      throw new Error('not there')
    }, signal)
    const next = one.snapshot(async (ask) => {
      await ask(query('select pg_sleep(0.2)'))
      return await ask(query('select 3 as n'))
    }, signal)
    await expect(failing).rejects.toThrow('not there')
    expect(await next).toEqual([{ n: 3 }])
    expect(ended).toEqual(['the snapshot has ended'])
    await one.close()
  })

  it('a snapshot that succeeds although its caller has left leaves a connection that serves the next', async () => {
    const one = createReader(database, { connections: 1, statementTimeout: 5_000 })
    for (let i = 0; i < 10; i++) {
      const caller = new AbortController()
      const left = one.snapshot(async (ask) => {
        const rows = await ask(query('select 1 as n'))
        caller.abort(new Error('hung up'))
        return rows
      }, caller.signal)
      expect(await left).toEqual([{ n: 1 }])
      expect(await one.snapshot((ask) => ask(query('select 2 as n')), signal)).toEqual([{ n: 2 }])
    }
    await one.close()
  })

  it('a statement whose table has got another column runs on a new connection, unseen by its caller', async () => {
    const one = createReader(database, { connections: 1, statementTimeout: 5_000 })
    await server.run(database, 'create table growing (a integer)')
    await server.run(database, 'insert into growing values (1)')
    const all = () => one.rows(query('select * from growing'), signal)
    expect(await all()).toEqual([{ a: 1 }])
    await server.run(database, 'alter table growing add column b integer')
    expect(await all()).toEqual([{ a: 1, b: null }])
    await one.close()
  })

  it('a connection that is in an aborted transaction, as after a commit that failed, is replaced unseen by its caller', async () => {
    const single = createReader(database, { connections: 1 })
    try {
      await single.rows(query('begin'), signal)
      await expect(single.rows(query('select 1 / 0'), signal)).rejects.toThrow('division by zero')
      await expect(single.snapshot((rows) => rows(query('select 7 as n')), signal)).resolves.toEqual([{ n: 7 }])
    } finally {
      await single.close()
    }
  })

  it('a connection whose prepared statements are gone, as behind a pooler, is replaced unseen by its caller', async () => {
    const one = createReader(database, { connections: 1 })
    const pid = async (): Promise<number> =>
      (await one.snapshot((ask) => ask(query<{ pid: number }>('select pg_backend_pid() as pid')), signal))[0]!.pid
    const before = await pid()
    expect(await pid()).toBe(before)
    await one.rows(query('deallocate all'), signal)
    expect(await pid()).not.toBe(before)
    await one.close()
  })

  it('values that cannot be written fail their statements, and the connection serves the next', async () => {
    const one = createReader(database, { connections: 1 })
    const odd = sql`select ${{ n: 1n }}::json as j`
    await expect(one.rows(odd, signal)).rejects.toThrow(/BigInt/)
    await expect(one.snapshot((ask) => Promise.all([ask(query('select 1 as n')), ask(odd)]), signal)).rejects.toThrow(/BigInt/)
    expect(await one.rows(query('select 2 as n'), signal)).toEqual([{ n: 2 }])
    await one.close()
  })

  it.skipIf(CITUS_URL)('a statement for a list is planned once for a connection, whatever its values, and others as before', async () => {
    const one = createReader(database, { connections: 1 })
    await server.run(database, 'create table listed (a bytea primary key)')
    const listed = (list: Buffer[]) => sql<{ a: Buffer }>`select a from listed where a = any(${list}::bytea[])`
    const other = { ...query('select a from listed where a = $1 limit 1'), parameters: [Buffer.from('x')] }
    // A new connection asks first whether it may keep plans.
    await one.snapshot((ask) => ask(query('select 1')), signal)
    for (let i = 0; i < 8; i++)
      await one.snapshot((ask) => Promise.all([ask(other), ask(listed([Buffer.from([i])]), 'generic'), ask(other)]), signal)
    const rows = await one.snapshot(
      (ask) =>
        ask(
          query(
            `select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements where statement like '%listed%' order by length(statement)`,
          ),
          'each',
        ),
      signal,
    )
    expect(rows).toEqual([
      { generic: expect.any(Number), custom: expect.any(Number) },
      { generic: 8, custom: 0 },
    ])
    expect((rows as { custom: number }[])[0]!.custom).toBeGreaterThanOrEqual(5)
    await one.close()
  })

  it('a violation of the protocol is an internal error, not an absent database', () => {
    const coded = (code: string): Error => Object.assign(new Error('told by the server'), { code })
    expect(isConnectionLoss(coded('08P01'))).toBe(false)
    for (const code of ['08000', '08003', '08006', '57P01', '57P03', '53300', '55000'])
      expect(isConnectionLoss(coded(code)), code).toBe(true)
  })

  it('a lost node of a cluster is told as such, and the connection to the coordinator counts as sound', () => {
    const text = 'connection to the remote node postgres@10.0.0.7:5432 failed with the following error: Connection refused'
    const error = Object.assign(new Error(text), { code: '08006' })
    expect(isConnectionLoss(error)).toBe(false)
    expect(databaseFault(error)).toBe("a node of the database's cluster cannot be reached")
  })

  it('if the server has no connection left, the error is UNAVAILABLE and says what to change', async () => {
    await server.run(database, `create role crowd login password 'crowd' connection limit 0`)
    const { connectionString, ...given } = database
    const url = connectionString === undefined ? undefined : new URL(connectionString)
    if (url) Object.assign(url, { username: 'crowd', password: 'crowd' })
    const crowd = createReader(url ? { connectionString: url.href } : { ...given, user: 'crowd', password: 'crowd' }, {
      connections: 1,
      statementTimeout: 1_000,
    })
    await expect(crowd.rows(query('select 1'), signal)).rejects.toMatchObject({
      kind: 'UNAVAILABLE',
      message: expect.stringMatching(/max_connections.*TONWAY_WORKERS/),
    })
    await crowd.close()
    await server.run(database, 'drop role crowd')
  })

  it.each([
    [{ code: '53100', message: 'could not extend file "base/5/16384": No space left on device' }, "the database's disk is full"],
    [
      { code: '42501', message: 'permission denied for schema public' },
      'the database does not allow its user what the index does: the user must own the database, or have CREATE on its schema public',
    ],
    [{ code: '3D000', message: 'database "inside" does not exist' }, 'the database does not exist'],
    [{ code: '28P01', message: 'password authentication failed for user "keeper"' }, 'the database refuses the user or the password'],
    [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 10.0.0.5:5432' }, 'the database cannot be reached'],
    [{ code: '58030', message: 'could not read block 5' }, 'the database cannot read or write its files'],
    [{ code: '57014', message: 'canceling statement due to statement timeout' }, 'the database did not answer in time'],
    [{ code: '', message: 'Query read timeout' }, 'the database does not answer'],
    [{ code: '', message: 'Connection terminated due to connection timeout' }, 'the database does not answer'],
    [{ code: '', message: 'Connection terminated unexpectedly' }, 'the connection to the database was lost'],
    [{ code: '08P01', message: 'invalid message format' }, undefined],
    [{ code: '22012', message: 'division by zero' }, undefined],
    [{ code: 'ERR_ASSERTION', message: 'no' }, undefined],
  ] as const)('an error of the database is reported without names: %o', ({ code, message }, told) => {
    expect(databaseFault(Object.assign(new Error(message), code !== '' && { code }))).toBe(told)
  })

  it('a host whose addresses all refuse is reported with each of them', () => {
    // The error of node for `localhost` where it is ::1 and 127.0.0.1.
    const attempts = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:1`))
    const error = nameSetting(new AggregateError(attempts), { connectionString: 'postgres://keeper@localhost:1/inside' })
    expect((error as Error).message).toBe('connect ECONNREFUSED ::1:1, connect ECONNREFUSED 127.0.0.1:1 (DATABASE_URL)')
  })

  it.each([
    ['connect', (config: ClientConfig) => connect(config)],
    ['migrate', (config: ClientConfig) => migrate(config)],
  ] as const)('a database of an operator that cannot be connected to is reported with its setting by %s', async (_, open) => {
    const error = await open({ connectionString: 'postgres://keeper:S3CRET@127.0.0.1:1/inside' }).catch((failure: Error) => failure)
    expect(String(error)).toMatch(/^Error: connect ECONNREFUSED 127\.0\.0\.1:1 \(DATABASE_URL\)$/)
    expect(databaseFault(error)).toBe('the database cannot be reached (DATABASE_URL)')
    const embedded = await open({ host: '127.0.0.1', port: 1 }).catch((failure: Error) => failure)
    expect(databaseFault(embedded)).toBe('the database cannot be reached')
  })

  it('a connection prepares so many statements and no more, and runs further ones without a name', async () => {
    const one = createReader(database, { connections: 1, statementTimeout: 5_000 })
    const use = (n: number) => one.rows(sql<{ n: number }>`select ${n}::int as n, ${sql.raw(String(n))} as odd`, signal)
    for (let n = 0; n < 450; n++) expect(await use(n)).toEqual([{ n, odd: n }])
    expect(await one.rows(query('select count(*)::int as n from pg_prepared_statements'), signal)).toEqual([{ n: 400 }])
    expect(await Promise.all(Array.from({ length: 9 }, (_, n) => use(n)))).toHaveLength(9)
    await one.close()
  })

  it('a writing connection prepares so many statements and no more', async () => {
    const connection = await connect(database, 'names')
    const use = (n: number) => connection.query(`select $1::int as n, ${n} as odd`, [n])
    for (let n = 0; n < 450; n++) expect(await use(n)).toEqual([{ n, odd: n }])
    expect(await connection.query('select count(*)::int as n from pg_prepared_statements')).toEqual([{ n: 400 }])
    await connection.close()
  })

  it('connections that the server ended are UNAVAILABLE once and then replaced', async () => {
    const waiting = reader.rows(query('select pg_sleep(0.9), 1 as ended_call'), signal)
    const outcome = waiting.then(
      () => 'answered',
      (error: { kind?: string }) => error.kind,
    )
    await until(async () => (await active('ended_call')) !== 0)
    await server.run(
      database,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    expect(await outcome).toBe('UNAVAILABLE')
    // An idle connection may learn of its end only when it is used; each can be UNAVAILABLE once.
    const again = () => reader.rows(query('select 1 as n'), signal).catch((error: { kind?: string }) => error.kind)
    await expect.poll(again).toEqual([{ n: 1 }])
  })
})
