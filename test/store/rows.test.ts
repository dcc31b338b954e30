import { text as consume } from 'node:stream/consumers'
import { Client, type ClientConfig } from 'pg'
import { to } from 'pg-copy-streams'
import { describe, expect, it } from 'vitest'
import { endSteps } from '../../server/base/yield.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { ACCOUNT_STATUSES } from '../../server/store/codes.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import { copySteps } from '../../server/store/postgres/script.ts'
import { Rows } from '../../server/store/rows/copy-rows.ts'
import { RowBuffer } from '../../server/store/rows/row-buffer.ts'
import {
  type AnyColumn,
  bool,
  bytea,
  cellHash,
  code,
  currencies,
  int4,
  int4List,
  int8,
  int8List,
  nullable,
  numeric,
  text,
  textList,
} from '../../server/store/schema/column.ts'
import { asRead, table } from '../../server/store/schema/table.ts'
import { startTestServer } from '../kit/index/database.ts'
import { fc } from '../kit/property.ts'
import { seed } from '../kit/random.ts'

const everything = table('everything', {
  kind: 'outside',
  key: ['id'],
  group: 'transactions',
  columns: {
    id: int4,
    bytes: nullable(bytea),
    hash: nullable(cellHash),
    lt: nullable(int8),
    amount: nullable(numeric),
    flag: nullable(bool),
    words: nullable(text),
    status: nullable(code(ACCOUNT_STATUSES)),
    ints: nullable(int4List),
    bigs: nullable(int8List),
    extra: currencies,
    tags: nullable(textList),
  },
})
const NULLS = {
  ...{ bytes: null, hash: null, lt: null, amount: null, flag: null, words: null },
  ...{ status: undefined, ints: null, bigs: null, extra: null, tags: null },
}

const written = (put: (out: RowBuffer) => void): string => {
  const out = new RowBuffer()
  put(out)
  out.endRow()
  return out.lines().join('|')
}

const copied = async (database: ClientConfig, query: string): Promise<readonly string[]> => {
  const client = new Client(database)
  await client.connect()
  try {
    return (await consume(client.query(to(`copy (${query}) to stdout`)))).split('\n').slice(0, -1)
  } finally {
    await client.end()
  }
}

describe('rows in the text format of COPY', () => {
  it('rows write the same bytes from bytes, from one-byte characters and from the cell whose hash they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
        const cell = beginCell().storeBytes(data.subarray(0, 100)).end()
        const row = written((out) => {
          out.bytea(data)
          out.bytea(Buffer.from(data).toString('latin1'))
          cellHash.put(out, cell)
        })
        const hex = `\\\\x${Buffer.from(data).toString('hex')}`
        expect(row).toBe([hex, hex, `\\\\x${cell.hashHex()}`].join('\t'))
      }),
      { numRuns: 500, seed },
    )
  })

  it('rows of several tables stay apart, however long they get, and a row that throws leaves nothing', () => {
    const tables = [new Rows(everything), new Rows(everything), new Rows(everything)]
    const expected: string[][] = [[], [], []]
    const bad = {
      get words(): string {
        throw new Error('no such text')
      },
    }
    for (let i = 0; i < 3_000; i++) {
      const at = (i * 7) % 3
      const words = 'x'.repeat(i % 90)
      if (i % 11 === 0) {
        expect(() => tables[at]!.add(Object.defineProperties({ id: i, ...NULLS }, Object.getOwnPropertyDescriptors(bad)))).toThrow(
          'no such text',
        )
        continue
      }
      tables[at]!.add({ id: i, ...NULLS, words })
      expected[at]!.push([i, ...Array(5).fill('\\N'), words, ...Array(5).fill('\\N')].join('\t'))
    }
    for (const [i, rows] of tables.entries()) {
      expect(rows.length).toBe(expected[i]!.length)
      expect(rows.lines()).toEqual(expected[i])
      expect(Buffer.concat(rows.bytes()).toString()).toBe(`${expected[i]!.join('\n')}\n`)
    }
  })

  it('many bytes of rows come in pieces of whole rows', () => {
    const rows = new Rows(everything)
    const bytes = new Uint8Array(5 << 20)
    for (let id = 0; id < 4; id++) rows.add({ id, ...NULLS, bytes })
    const pieces = rows.bytes()
    expect(pieces.length).toBe(2)
    expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(rows.size)
    for (const piece of pieces) expect(piece.at(-1)).toBe(10)
    expect([rows.length, rows.lines().length, rows.lines().map((line) => line.split('\t')[0])]).toEqual([4, 4, ['0', '1', '2', '3']])
  })

  it('rows of a table without rows are empty', () => {
    const rows = new Rows(everything)
    expect([rows.length, rows.lines(), rows.bytes().length]).toEqual([0, [], 0])
  })

  it('rows equal what PostgreSQL writes and the driver reads of the same values', async () => {
    const server = await startTestServer()
    try {
      const database = await server.database('template0')
      const columns = Object.entries<AnyColumn>(everything.columns).map(([name, { type }]) => `${name} ${type}`)
      await server.run(database, `create table everything (${columns.join(', ')})`)
      const cell = beginCell().storeUint(7, 3).end()
      const int64 = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n })
      const row = fc.record({
        bytes: fc.option(fc.uint8Array({ maxLength: 40 })),
        hash: fc.option(fc.constant(cell)),
        lt: fc.option(int64),
        amount: fc.option(fc.bigInt({ min: -(1n << 130n), max: 1n << 130n })),
        flag: fc.option(fc.boolean()),
        words: fc.option(fc.string({ unit: 'grapheme' }).map((value) => `${value}\t\n\\`)),
        status: fc.option(fc.constantFrom(...ACCOUNT_STATUSES)),
        ints: fc.option(fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 3 })),
        bigs: fc.option(fc.array(int64, { maxLength: 3 })),
        extra: fc.option(fc.array(fc.tuple(fc.integer({ min: 0 }), fc.bigInt({ min: 0n })), { maxLength: 4 }).map((all) => new Map(all))),
        tags: fc.option(fc.array(fc.constantFrom('a', 'jetton_transfer'), { maxLength: 3 })),
      })
      const rows = new Rows(everything)
      const sample = fc.sample(row, { numRuns: 400, seed }).map((each, id) => ({ id, ...each }))
      for (const each of sample) rows.add(each)
      const connection = await connect(database)
      await connection.script('copy everything from stdin', endSteps(copySteps([rows.bytes()])))
      expect(await connection.query('select * from everything order by id')).toEqual(sample.map((each) => asRead(everything, each)))
      await connection.close()
      expect(await copied(database, 'select * from everything order by id')).toEqual(rows.lines())
    } finally {
      await server.close()
    }
  })
})
