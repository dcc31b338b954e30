import { type CompiledQuery, sql } from 'kysely'
import { Client, type ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createReader, type Reader } from '../../server/store/postgres/pool.ts'
import { createMessageReader } from '../../server/store/postgres/reads/read-message.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { createRandom } from '../kit/random.ts'

/* What a reader makes of the server's binary form, beside what the driver makes of its text. */

let server: TestServer
let database: ClientConfig
let reader: Reader
let driver: Client
const { signal } = new AbortController()
const query = (text: string): CompiledQuery<Record<string, unknown>> => sql.raw<Record<string, unknown>>(text).compile(reader.sql)
beforeAll(async () => {
  server = await startTestServer()
  database = await server.database()
  reader = createReader(database, { connections: 2 })
  driver = new Client(database)
  await driver.connect()
})
afterAll(async () => {
  await driver?.end()
  await reader?.close()
  await server?.close()
})

/** Compares one row of both, the first time that the statement is run and the second. */
const compare = async (text: string): Promise<void> => {
  const [wanted] = (await driver.query(text)).rows
  for (let turn = 0; turn < 2; turn++) expect((await reader.rows(query(text), signal))[0], text).toEqual(wanted)
}

const asColumns = (values: readonly string[], type: string): string =>
  `select ${values.map((value, i) => `${value}::${type} as c${i}`).join(', ')}`

it.each([
  ['boolean', ['true', 'false', 'null']],
  ['smallint', ['0', '(-32768)', '32767', 'null']],
  ['integer', ['0', '(-2147483648)', '2147483647']],
  ['bigint', ['0', '-1', '(-9223372036854775808)', '9223372036854775807', '9007199254740991', '9007199254740992', '(-9007199254740993)']],
  ['oid', ['0', '4294967295']],
  ['double precision', ['0.1', '-1e300']],
  ['bytea', [`''`, `'\\x00'`, `'\\xdeadbeef00'`, 'null', `decode(repeat('ab', 100000), 'hex')`]],
  ['text', [`''`, `'ж€😀'`, `repeat('long', 100000)`]],
  ['varchar', [`'some'`]],
  ['name', [`'some'`]],
  ['json', [`'{"a": [1, null, "x"]}'`, `'null'`]],
  ['jsonb', [`'{"10": "5", "2": "7"}'`, `'[]'`, `'"ж"'`]],
  ['bytea[]', [`'{}'`, `array['\\x00ff'::bytea, null, ''::bytea]`]],
  ['integer[]', [`'{}'`, 'array[1, null, -5]']],
  ['smallint[]', ['array[1, -5]']],
  ['bigint[]', [`'{}'`, 'array[9223372036854775807, null, -1]']],
  ['text[]', [`'{}'`, `array['a,b', null, '', '"quoted"']`]],
] as const)('a reader reads %s as the driver does', (type, values) => compare(asColumns(values, type)))

it('a reader reads decimal numbers of any length as the driver does', async () => {
  const { below, pick } = createRandom(7)
  const digits = (count: number): string => Array.from({ length: count }, () => below(10)).join('')
  const number = (): string => `(${pick(['', '-'])}${digits(1 + below(80))}${pick(['', '', `.${digits(1 + below(20))}`])})`
  const round = [
    '0',
    '0.00',
    '1',
    '10000',
    '100000000',
    '9999',
    '10000000000000000',
    '99990000',
    '(-0.0001)',
    '0.10',
    '1e70',
    '-1e16',
    '1e-20',
  ]
  await compare(asColumns(round, 'numeric'))
  for (let i = 0; i < 20; i++) await compare(asColumns(Array.from({ length: 40 }, number), 'numeric'))
})

it('columns of equal names and rows without columns are read as by the driver', async () => {
  await compare('select 1 as a, 2 as b, 3 as a')
  expect(await reader.rows(query('select from generate_series(1, 3)'), signal)).toEqual([{}, {}, {}])
  expect(await reader.rows(query('select set_config(name, setting, false) as s from pg_settings where false'), signal)).toEqual([])
})

it('a column of a type that no statement has is named, and what is no finite number is refused', async () => {
  for (let turn = 0; turn < 2; turn++) {
    await expect(reader.rows(query('select now() as moment'), signal)).rejects.toThrow('column moment is of type 1184')
    await expect(reader.rows(query(`select 'NaN'::numeric as n`), signal)).rejects.toThrow('not finite')
    await expect(reader.rows(query('select array[array[1], array[2]] as n'), signal)).rejects.toThrow('2 dimensions')
    expect(await reader.rows(query('select 1 as n'), signal)).toEqual([{ n: 1 }])
  }
})

it('the statements before one that cannot be read are answered, and those after it', async () => {
  const outcomes = await reader.snapshot(
    (ask) => Promise.allSettled([ask(query('select 1 as n')), ask(query('select now() as moment')), ask(query('select 3 as n'))]),
    signal,
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it('messages are whole however the bytes of a connection are cut', () => {
  const random = createRandom(11)
  const messages = Array.from({ length: 200 }, (_, i) => {
    const content = Buffer.alloc(random.below(i % 20 === 0 ? 5_000 : 30), i)
    const head = Buffer.alloc(5)
    head[0] = i % 3 === 0 ? 68 : 90
    head.writeUInt32BE(content.length + 4, 1)
    return Buffer.concat([head, content])
  })
  const bytes = Buffer.concat(messages)
  for (const most of [1, 3, 7, 100, 4_000, bytes.length]) {
    const got: Buffer[] = []
    const read = createMessageReader(
      (kind, from, at) => {
        // A row is taken here, and anything else is left to the driver.
        if (kind !== 68) return false
        got.push(from.subarray(at - 5, at + from.readUInt32BE(at - 4) - 4))
        return true
      },
      (message) => void got.push(message),
    )
    for (let at = 0; at < bytes.length; ) {
      const next = at + 1 + random.below(most)
      read(Buffer.from(bytes.subarray(at, next)))
      at = next
    }
    expect(Buffer.concat(got).equals(bytes)).toBe(true)
    expect(got.length).toBe(messages.length)
  }
})
