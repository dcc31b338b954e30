import { setMaxListeners } from 'node:events'
import { type CompiledQuery, sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builder, createReader, type Query, type Reader } from '../../../server/store/postgres/reader.ts'
import { countActive, startTestServer, type TestServer } from '../../kit/index/database.ts'
import { until } from '../../kit/wait.ts'

/* Short statements of several callers on one connection. */

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('shared connections', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  const query = <R>(text: string): CompiledQuery<R> => sql.raw<R>(text).compile(builder)
  const pid = <R>(n: number) => sql<R>`select pg_backend_pid() as pid, ${n}::integer as n`
  const divided = (n: number) => sql<{ q: number }>`select 6 / ${n}::integer as q`
  const together = <R>(statement: Query<R>, by = signal): Promise<R[]> => reader.rows(statement, by, true)
  const count = async (): Promise<number> =>
    Number((await together(sql<{ n: string }>`select count(*) as n from moments where ${1}::integer = 1`))[0]!.n)
  const active = (text: string): Promise<number> => countActive(server, database, text)
  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    reader = createReader(database, { connections: 3, statementTimeout: 20_000 })
    await server.run(database, 'create table moments (n integer)')
  })
  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  it('reads of one turn have one connection and each its own rows; those of the next turn have another', async () => {
    const rows = await Promise.all([1, 2, 3, 4].map((n) => together<{ pid: number; n: number }>(pid(n))))
    expect(rows.map(([row]) => row!.n)).toEqual([1, 2, 3, 4])
    expect(new Set(rows.map(([row]) => row!.pid)).size).toBe(1)
    const slow = together<{ pid: number }>(query('select pg_backend_pid() as pid, pg_sleep(0.2)'))
    await nextTurn()
    const [later] = await together<{ pid: number; n: number }>(pid(5))
    expect(later!.pid).not.toBe((await slow)[0]!.pid)
  })

  it('more reads than one connection takes at once are answered by several', async () => {
    const rows = await Promise.all(Array.from({ length: 40 }, (_, n) => together<{ n: number; pid: number }>(pid(n))))
    expect(rows.map(([row]) => row!.n)).toEqual(Array.from({ length: 40 }, (_, n) => n))
    expect(new Set(rows.map(([row]) => row!.pid)).size).toBe(3)
  })

  it('what was committed before a read is asked for is seen by it', async () => {
    for (let n = 0; n < 20; n++) {
      const before = [count(), count()]
      await nextTurn()
      await server.run(database, 'insert into moments values (1)')
      const after = await Promise.all([count(), count()])
      expect(after).toEqual([n + 1, n + 1])
      for (const counted of await Promise.all(before)) expect([n, n + 1]).toContain(counted)
    }
  })

  it('a statement that fails is the error of its own caller; the others have their answers', async () => {
    for (let turn = 0; turn < 4; turn++) {
      const settled = await Promise.allSettled([2, 0, 3, 6].map((n) => together(divided(n))))
      expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
        [{ q: 3 }],
        expect.stringMatching(/division by zero/),
        [{ q: 2 }],
        [{ q: 1 }],
      ])
    }
  })

  it('a caller that leaves is rejected at once, and the others are answered', async () => {
    const caller = new AbortController()
    const reason = new Error('hung up')
    // The statement waits for this lock, however busy the machine is.
    const holder = new Client(database)
    await holder.connect()
    await holder.query('select pg_advisory_lock(1)')
    const leaving = together(query('select pg_advisory_xact_lock_shared(1), 1 as left_early'), caller.signal)
    const staying = together(divided(2))
    await until(async () => (await active('left_early')) !== 0)
    caller.abort(reason)
    await expect(leaving).rejects.toBe(reason)
    expect(await active('left_early')).toBe(1)
    await holder.end()
    expect(await staying).toEqual([{ q: 3 }])
    await expect(together(divided(2), AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('when all callers have left, what runs for them is cancelled', async () => {
    const caller = new AbortController()
    const both = [1, 2].map(() => together(query('select pg_sleep(15), 1 as all_left'), caller.signal))
    await until(async () => (await active('all_left')) !== 0)
    const began = performance.now()
    caller.abort(new Error('hung up'))
    for (const each of both) await expect(each).rejects.toThrow('hung up')
    await until(async () => (await active('all_left')) === 0)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(await together(divided(2))).toEqual([{ q: 3 }])
  })

  it('a caller that leaves before its turn ends asks nothing', async () => {
    const caller = new AbortController()
    let asked = 0
    const compile = () => {
      asked++
      return divided(2).compile(builder)
    }
    const all = [caller.signal, caller.signal, signal].map((by) => together({ compile }, by))
    caller.abort(new Error('hung up'))
    const settled = await Promise.allSettled(all)
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(asked).toBe(1)
  })

  it('the statement of a caller that leaves while all wait for a connection is not sent', async () => {
    await server.run(database, 'create sequence sent')
    const next = query<{ n: string }>(`select nextval('sent') as n`)
    const one = createReader(database, { connections: 1, statementTimeout: 20_000 })
    const holder = new Client(database)
    await holder.connect()
    await holder.query('select pg_advisory_lock(2)')
    const holding = one.rows(query('select pg_advisory_xact_lock_shared(2), 1 as held_by_one'), signal)
    await until(async () => (await active('held_by_one')) !== 0)
    const caller = new AbortController()
    const leaving = one.rows(next, caller.signal, true)
    const staying = [one.rows(next, signal, true), one.rows(next, signal, true)]
    await nextTurn()
    caller.abort(new Error('hung up'))
    await expect(leaving).rejects.toThrow('hung up')
    await holder.end()
    await holding
    expect((await Promise.all(staying)).flat().map(({ n }) => Number(n))).toEqual([1, 2])
    await one.close()
  })

  it('a connection that is lost under several reads loses none of them', async () => {
    // Ends its own connection at its first run only.
    await server.run(database, 'create sequence runs')
    const ends = query(`select case when nextval('runs') = 1 then pg_terminate_backend(pg_backend_pid())::integer else 7 end as q`)
    const settled = await Promise.allSettled([together(ends), together(divided(2)), together(divided(3))])
    expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
      [{ q: 7 }],
      [{ q: 3 }],
      [{ q: 2 }],
    ])
  })
})
