import { type CompiledQuery, sql } from 'kysely'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReader, type Reader } from '../../server/store/pool.ts'
import { startTestServer, type TestServer } from '../setup/database.ts'

/* Reads: values, cancellation, limits, a database that goes away. */

describe('reader', () => {
  let server: TestServer
  let database: ClientConfig
  let reader: Reader
  const { signal } = new AbortController()
  const query = <R>(text: string): CompiledQuery<R> => sql.raw<R>(text).compile(reader.sql)
  const active = async (text: string): Promise<number> =>
    (
      await server.run(database, `select from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()`, [
        `%${text}%`,
      ])
    ).length
  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    reader = createReader(database, { connections: 3, statementTimeout: 1_000 })
  })
  afterAll(async () => {
    await reader?.close()
    await server?.close()
  })

  it('gives 64-bit and decimal numbers as texts, bytes as buffers', async () => {
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

  it('an aborted call rejects with its reason, its statement is cancelled, and the connection serves the next', async () => {
    const caller = new AbortController()
    const reason = new Error('hung up')
    const waiting = reader.rows(query('select pg_sleep(0.9), 1 as aborted_call'), caller.signal)
    while ((await active('aborted_call')) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    caller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    expect(await active('aborted_call')).toBe(0)
    for (let i = 0; i < 6; i++) expect(await reader.rows(query('select 1 as n'), signal)).toEqual([{ n: 1 }])
  })

  it('one that waits for a connection leaves at once', async () => {
    const busy = Array.from({ length: 3 }, () => reader.rows(query('select pg_sleep(0.4)'), signal))
    const caller = new AbortController()
    const waiting = reader.rows(query('select 1 as n'), caller.signal)
    caller.abort(new Error('hung up'))
    await expect(waiting).rejects.toThrow('hung up')
    await Promise.all(busy)
    await expect(reader.rows(query('select 1'), AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  })

  it('a statement that takes too long is SOURCE_TIMEOUT', async () => {
    await expect(reader.rows(query('select pg_sleep(5)'), signal)).rejects.toMatchObject({ kind: 'SOURCE_TIMEOUT' })
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
        await server.run(database, 'select pg_terminate_backend($1)', [backend!.pid])
        await new Promise((resolve) => setTimeout(resolve, pause))
        return await Promise.all([rows(query('select 1 as n')), rows(query('select 2 as n'))])
      }, signal)
      await expect(held).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
    }
    expect(await reader.rows(query('select 1 as n'), signal)).toEqual([{ n: 1 }])
  })

  it('statements that are not awaited in between are answered in order, one that fails fails alone those after it', async () => {
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

  it('connections that the server ended are UNAVAILABLE once and replaced', async () => {
    const waiting = reader.rows(query('select pg_sleep(0.9), 1 as ended_call'), signal)
    const outcome = waiting.then(
      () => 'answered',
      (error: { kind?: string }) => error.kind,
    )
    while ((await active('ended_call')) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
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
