import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Connection, connect } from '../../server/store/postgres/connection.ts'
import { copyLines, messagesOf } from '../kit/index/copy-lines.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'

/* COPY that the server refuses or that loses its server while lines are still on their way. vitest reports what nobody catches. */

describe('rows of COPY', () => {
  let server: TestServer
  let database: ClientConfig
  let connection: Connection
  /** Lengths of backlogs: two that fit the socket's buffers, and one (8 MB) that waits for the server to read. */
  const BACKLOGS = [1, 1_000, 300_000]
  const linesOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}\t${'x'.repeat(20)}`)
  beforeAll(async () => {
    server = await startTestServer()
    database = await server.database()
    connection = await connect(database)
    await connection.script('create table copied (id int not null, text text not null)')
  })
  afterAll(async () => {
    await connection?.close()
    await server?.close()
  })

  it.each(
    BACKLOGS,
  )('if a line is refused before %i others, the script rejects, writes nothing, and the connection goes on', async (count) => {
    for (let round = 0; round < 2; round++)
      await expect(copyLines(connection, 'copied (id, text)', ['none\tx', ...linesOf(count)])).rejects.toThrow(/invalid input syntax/)
    await expect(copyLines(connection, 'nowhere (id)', linesOf(count))).rejects.toThrow(/does not exist/)
    await copyLines(connection, 'copied (id, text)', linesOf(3))
    expect(await connection.query('select id from copied order by id')).toEqual([{ id: 0 }, { id: 1 }, { id: 2 }])
    await connection.script('truncate copied')
  })

  it('if a line is refused late, while the last ones wait for room in the socket, the script rejects and the connection goes on', async () => {
    await connection.script(`create table late (text text);
      create function refuse() returns trigger language plpgsql as $$ begin perform pg_sleep(0.01); raise exception 'too late'; end $$;
      create trigger refuse before insert on late for each row execute function refuse()`)
    // The server reads nothing while it sleeps: at some of these sizes what waits is the last chunk, with the end behind it.
    for (let size = 1; size <= 96; size++)
      await expect(
        copyLines(
          connection,
          'late (text)',
          Array.from({ length: size * 8 }, () => 'x'.repeat(1_023)),
        ),
      ).rejects.toThrow(/too late/)
    expect(await connection.query('select from late')).toEqual([])
  })

  /** The backend is killed between the statement's arrival and the last line's. */
  const endDuring = async (doomed: Connection, pid: number, copy: () => Promise<void>): Promise<void> => {
    const caught = copy().then(
      () => 'copied',
      (error: Error) => error.message,
    )
    await connection.query('select pg_terminate_backend($1::integer)', [pid])
    expect(await caught).toMatch(/terminat|EPIPE|ECONNRESET|^copied$/)
    await doomed.ended
  }

  it.each(BACKLOGS)('if the server ends the session with %i lines on their way, the script rejects', async (count) => {
    for (let round = 0; round < 3; round++) {
      const doomed = await connect(database)
      await doomed.script('begin')
      const [{ pid } = { pid: 0 }] = await doomed.query<{ pid: number }>('select pg_backend_pid() as pid')
      await endDuring(doomed, pid, () => copyLines(doomed, 'copied (id, text)', linesOf(count)))
    }
    expect(await connection.query('select count(*)::int as n from copied')).toEqual([{ n: 0 }])
  })

  const BOTH = 'copy copied (id, text) from stdin; update copied set text = upper(text); copy copied (id, text) from stdin;'

  it('a script takes the rows of its COPYs where it comes to them', async () => {
    await connection.script(BOTH, messagesOf(['1\tünd', '2\tb'], ['3\tc']))
    await connection.script('truncate copied; copy copied (id, text) from stdin', messagesOf(['4\td']))
    expect(await connection.query('select id, text from copied')).toEqual([{ id: 4, text: 'd' }])
    await connection.script('truncate copied')
  })

  it.each([BOTH, `select 1 / 0; ${BOTH}`])('a script that has ended, as in %j, leaves no timer', async (text) => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const limited = await connect(database)
    const before = timers()
    await limited.script(text, messagesOf(['1\ta'], ['2\tb'])).catch(() => {})
    // Files of this process that have ended may still have had one.
    expect(timers()).toBeLessThanOrEqual(before)
    await limited.close()
    await connection.script('truncate copied')
  })

  it('a script that takes longer than it may is rejected', async () => {
    const limited = await connect(database, 'test', { patience: 200 })
    await expect(limited.script(`select pg_sleep(60); ${BOTH}`, messagesOf(['1\ta'], ['2\tb']))).rejects.toThrow(/statement timeout/)
    await limited.close()
  })

  it.each(
    BACKLOGS,
  )('if a script is refused before, between or within %i rows, it rejects, writes nothing, and the connection goes on', async (count) => {
    const rows = messagesOf(linesOf(count), linesOf(count))
    const wrong = messagesOf(linesOf(count), ['none\tx', ...linesOf(count)])
    await expect(connection.script(`select 1 / 0; ${BOTH}`, rows)).rejects.toThrow(/division by zero/)
    await expect(connection.script(BOTH.replace('upper(text)', '1 / 0'), rows)).rejects.toThrow(/division by zero/)
    await expect(connection.script(BOTH, wrong)).rejects.toThrow(/invalid input syntax/)
    expect(await connection.query('select count(*)::int as n from copied')).toEqual([{ n: 0 }])
  })

  it.each(BACKLOGS)('if the server ends the session with a script of %i rows on its way, it rejects', async (count) => {
    const doomed = await connect(database)
    const [{ pid } = { pid: 0 }] = await doomed.query<{ pid: number }>('select pg_backend_pid() as pid')
    await endDuring(doomed, pid, () => doomed.script(`begin; ${BOTH}`, messagesOf(linesOf(count), linesOf(count))))
    expect(await connection.query('select count(*)::int as n from copied')).toEqual([{ n: 0 }])
  })
})
