import { setMaxListeners } from 'node:events'
import { type CompiledQuery, sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builder, createReader, type Reader, type RunQuery } from '../../../server/store/postgres/reader.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { until } from '../../kit/wait.ts'

/* Short reads of several callers in one snapshot. */

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('shared snapshots', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  const query = <R>(text: string): CompiledQuery<R> => sql.raw<R>(text).compile(builder)
  const pid = <R>(n: number) => sql<R>`select pg_backend_pid() as pid, ${n}::integer as n`
  const divided = (n: number) => sql<{ q: number }>`select 6 / ${n}::integer as q`
  const together = <T>(run: (rows: RunQuery) => Promise<T>, by = signal): Promise<T> => reader.snapshot(run, by, true)
  const countOf = async (rows: RunQuery): Promise<number> =>
    Number((await rows(sql<{ n: string }>`select count(*) as n from moments where ${1}::integer = 1`))[0]!.n)
  const active = async (text: string): Promise<number> =>
    (
      await server.run(
        database,
        `select from pg_stat_activity where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()`,
        [`%${text}%`],
      )
    ).length
  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    reader = createReader(database, { connections: 3, statementTimeout: 20_000 })
    await server.run(database, 'create table moments (n integer)')
    await server.run(database, 'create sequence asked')
  })
  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  it('reads of one turn have one connection and each its own rows; those of the next turn have a snapshot of their own', async () => {
    const rows = await Promise.all([1, 2, 3, 4].map((n) => together((ask) => ask<{ pid: number; n: number }>(pid(n)))))
    expect(rows.map(([row]) => row!.n)).toEqual([1, 2, 3, 4])
    expect(new Set(rows.map(([row]) => row!.pid)).size).toBe(1)
    const slow = together((ask) => ask<{ pid: number }>(query('select pg_backend_pid() as pid, pg_sleep(0.2)')))
    await nextTurn()
    const [later] = await together((ask) => ask<{ pid: number; n: number }>(pid(5)))
    expect(later!.pid).not.toBe((await slow)[0]!.pid)
  })

  it('more reads than one snapshot takes are answered by several', async () => {
    const rows = await Promise.all(Array.from({ length: 40 }, (_, n) => together((ask) => ask<{ n: number; pid: number }>(pid(n)))))
    expect(rows.map(([row]) => row!.n)).toEqual(Array.from({ length: 40 }, (_, n) => n))
    expect(new Set(rows.map(([row]) => row!.pid)).size).toBe(3)
  })

  it('a statement without values is run once for all of one snapshot', async () => {
    const numbers = query<{ n: string }>(`select count(*) as n, clock_timestamp()::text as at from moments`)
    const both = await Promise.all([1, 2, 3].map(() => together(async (ask) => [await ask(numbers), await ask(numbers)])))
    expect(new Set(both.flat(2).map((row) => JSON.stringify(row))).size).toBe(1)
    const again = await together((ask) => ask(numbers))
    expect(again[0]).not.toEqual(both[0]![0]![0])
  })

  it('what was committed before a read is asked for is seen by it, and a snapshot sees one moment', async () => {
    for (let n = 0; n < 20; n++) {
      const before = [together(countOf), together(countOf)]
      await nextTurn()
      await server.run(database, 'insert into moments values (1)')
      const after = await Promise.all([together(countOf), together(countOf)])
      expect(after).toEqual([n + 1, n + 1])
      for (const count of await Promise.all(before)) expect([n, n + 1]).toContain(count)
    }
    const [twice] = await Promise.all([
      together(async (rows) => {
        const first = await countOf(rows)
        await server.run(database, 'insert into moments values (1)')
        return [first, await countOf(rows)]
      }),
      together(countOf),
    ])
    expect(twice).toEqual([20, 20])
  })

  it('a statement that fails is the error of its own caller; the others have their answers', async () => {
    for (let turn = 0; turn < 4; turn++) {
      const settled = await Promise.allSettled([2, 0, 3, 6].map((n) => together((ask) => ask(divided(n)))))
      expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual([
        [{ q: 3 }],
        expect.stringMatching(/division by zero/),
        [{ q: 2 }],
        [{ q: 1 }],
      ])
    }
  })

  it('an error that no statement made reaches its own caller as it is, and reads nothing again', async () => {
    let tries = 0
    const settled = await Promise.allSettled([
      together((ask) => ask(divided(2))),
      together(async (ask) => {
        tries++
        await ask(divided(3))
        throw new RangeError('not there')
      }),
    ])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((settled[1] as PromiseRejectedResult).reason).toBeInstanceOf(RangeError)
    expect(tries).toBe(1)
  })

  it('a caller that leaves is rejected at once, and the others are answered', async () => {
    const caller = new AbortController()
    const reason = new Error('hung up')
    // The statement waits for this lock, however busy the machine is.
    const holder = new Client(database)
    await holder.connect()
    await holder.query('select pg_advisory_lock(1)')
    const leaving = together((ask) => ask(query('select pg_advisory_xact_lock_shared(1), 1 as left_early')), caller.signal)
    const staying = together((ask) => ask(divided(2)))
    await until(async () => (await active('left_early')) !== 0)
    caller.abort(reason)
    await expect(leaving).rejects.toBe(reason)
    expect(await active('left_early')).toBe(1)
    await holder.end()
    expect(await staying).toEqual([{ q: 3 }])
    await expect(together((ask) => ask(divided(2)), AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('when all callers have left, what runs for them is cancelled', async () => {
    const caller = new AbortController()
    const both = [1, 2].map(() => together((ask) => ask(query('select pg_sleep(15), 1 as all_left')), caller.signal))
    await until(async () => (await active('all_left')) !== 0)
    const began = performance.now()
    caller.abort(new Error('hung up'))
    for (const each of both) await expect(each).rejects.toThrow('hung up')
    await until(async () => (await active('all_left')) === 0)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(await together((ask) => ask(divided(2)))).toEqual([{ q: 3 }])
  })

  it('a caller that leaves before its snapshot begins asks nothing', async () => {
    const caller = new AbortController()
    let asked = 0
    const read = (by: AbortSignal): Promise<unknown> =>
      together((ask) => {
        asked++
        return ask(divided(2))
      }, by)
    const all = [read(caller.signal), read(caller.signal), read(signal)]
    caller.abort(new Error('hung up'))
    const settled = await Promise.allSettled(all)
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    expect(asked).toBe(1)
  })

  it('a connection that is lost under several reads loses none of them', async () => {
    const [one] = await together((ask) => ask<{ pid: number }>(query('select pg_backend_pid() as pid, pg_sleep(0)')))
    expect(one!.pid).toBeGreaterThan(0)
    const reads = [1, 2, 3].map((n) =>
      together(async (ask) => {
        const [row] = await ask<{ pid: number }>(pid(n))
        if (n === 1) await server.run(database, `select pg_terminate_backend(${row!.pid}, 2000)`)
        return (await ask<{ q: number }>(divided(2)))[0]!.q
      }),
    )
    const settled = await Promise.allSettled(reads)
    // The first one ends its own connection each time, so it has none that lasts.
    expect(settled.slice(1).map((each) => each.status === 'fulfilled' && each.value)).toEqual([3, 3])
    expect(settled[0]!.status).toBe('rejected')
  })
})
