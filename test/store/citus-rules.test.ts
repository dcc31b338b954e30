import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Connection, connect } from '../../server/store/postgres/connection.ts'
import { citusFaults, loadParser } from '../kit/index/citus-rules.ts'
import { copyLines } from '../kit/index/copy-lines.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { takeSent, withoutValues } from '../kit/index/sent-statements.ts'

/* The test of the tests: a statement that Citus refuses is found, and one of the service's connections is heard. */

const REFUSED: Readonly<Record<string, string>> = {
  'joins tables of several groups': 'select 1 from tx_by_hash h join transactions t on t.hash = h.hash',
  'joins not by the distribution column': 'select 1 from transactions t join messages m on m.tx_lt = t.lt',
  'joins distributed tables with others': 'select 1 from transactions t join published_head p on t.mc_seqno <= p.mc_seqno',
  'locks rows of a distributed table': 'select 1 from traces where mc_seqno_end < 7 for update',
  'changes a distribution column': `update transactions set account = '' where account = ''`,
  'changes a distributed table in a WITH': 'with gone as (delete from traces where nodes = 0 returning trace_id) select count(*) from gone',
  'merges a distributed table with a function that is not immutable':
    'insert into cells (hash) values (null) on conflict (hash) do update set mc_seqno = extract(epoch from now())',
  'selects no columns in a subquery that runs first': 'select count(*) from (select from transactions limit 7) as page',
  'is a MERGE': 'merge into accounts using (select 1) as s on false when not matched then do nothing',
}

describe('rules of Citus', () => {
  beforeAll(loadParser)

  it.each(Object.entries(REFUSED))('a statement that %s is refused', (fault, text) => {
    expect(citusFaults(text).join()).toContain(fault)
    expect(citusFaults(`declare c cursor for select 1; ${text}`).join()).toContain(fault)
  })

  it('tables in a schema of their own are not distributed', () => {
    expect(citusFaults('select 1 from tonway_range_7.tx_by_hash h join tonway_range_7.transactions t on t.hash = h.hash')).toEqual([])
    expect(citusFaults('select 1 from tonway_range_7.tx_by_hash h join transactions t on t.hash = h.hash').join()).toContain(
      'joins distributed tables with others',
    )
  })

  it('a cursor over a join that is refused is refused', () => {
    expect(citusFaults(`declare c cursor for ${REFUSED['joins tables of several groups']}`)).toHaveLength(1)
  })

  it('scripts that differ in values only are one form', () => {
    const script = (a: string, b: string): string =>
      withoutValues(
        `insert into cells (hash, boc) values (e'${a}',null),(e'${b}',12); delete from traces where trace_id in ('\\x0a','\\x0b') and nodes > 7`,
      )
    expect(script("it''s", '\\\\x(1),(2)')).toBe(script('', ''))
    expect(script('', '')).toBe(`insert into cells (hash, boc) values (''); delete from traces where trace_id in ('') and nodes > 0`)
  })
})

describe('statements of the service', () => {
  let server: TestServer
  let connection: Connection
  beforeAll(async () => {
    server = await startTestServer()
    connection = await connect(await server.database())
    takeSent()
  })
  afterAll(async () => {
    await connection?.close()
    await server?.close()
  })

  it('statements are recorded, also prepared ones and scripts with rows of a COPY, but not those of tests', async () => {
    await connection.query('select 1 as plain')
    await connection.query('select $1::integer as prepared', [1])
    await connection.script('select 2 as script; select 3 as script')
    await copyLines(connection, 'contract_codes (code_hash, mc_seqno, methods)', ['\\\\x0a\t1\t{}'])
    await server.run(await server.database(), 'select 4 as test')
    const sent = takeSent()
    expect(sent).toEqual(
      expect.arrayContaining([
        'select 0 as plain',
        'select $1::integer as prepared',
        'select 0 as script; select 0 as script',
        'copy contract_codes (code_hash, mc_seqno, methods) from stdin',
      ]),
    )
    expect(sent.join()).not.toContain('as test')
  })
})
