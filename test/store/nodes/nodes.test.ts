import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { hashOf, PROBE } from '../../../server/store/nodes/hash.ts'
import { createNodeStatements } from '../../../server/store/nodes/node-statements.ts'
import { onNode } from '../../../server/store/nodes/on-node.ts'
import { type Place, type ShardMap, shardMapOf } from '../../../server/store/nodes/shard-map.ts'
import { bytesList } from '../../../server/store/postgres/lists.ts'
import { createBuilder } from '../../../server/store/postgres/pool.ts'
import { byOrder, merged } from '../../../server/store/queries/merged.ts'
import { numberPart } from '../../../server/store/queries/order.ts'

/** Hashes of the shards 1 to 4. */
const RANGES = [
  [-2147483648, -1],
  [0, 1073741823],
  [1073741824, 2147483647],
  [-2147483648, 2147483647],
] as const

const row = (table: string, shard: string, port: number | null) => ({
  version: '7',
  table,
  shard,
  host: port === null ? null : '10.0.0.1',
  port,
  low: String(RANGES[Number(shard) - 1]?.[0] ?? 0),
  high: String(RANGES[Number(shard) - 1]?.[1] ?? 0),
  probe: hashOf(PROBE),
})

const map = shardMapOf([row('accounts', '1', 1), row('accounts', '2', 2), row('accounts', '3', 1), row('cells', '4', 2)])!
const [first, second] = map.nodes
const names = new Set(['accounts', 'cells'])
const nodesWith = ({ placesOf }: ShardMap, table: string, ...values: readonly Uint8Array[]): readonly number[] =>
  placesOf(table, values)
    .map(({ node }) => node)
    .sort()
/** What a statement has beside its text and its values. */
const COMPILED = sql``.compile(createBuilder())
const EVERYWHERE = [{ node: 0 }, { node: 1 }]
const FIRST = '(select * from accounts_1 union all select * from accounts_3)'

describe('nodes of a cluster', () => {
  it('the map of shards has every node with its parts of each table', () => {
    expect(map.version).toBe('7')
    expect(
      map.nodes.map(({ port, parts }) => [
        port,
        Object.fromEntries([...parts].map(([table, own]) => [table, own.map(({ name }) => name)])),
      ]),
    ).toEqual([
      [1, { accounts: ['accounts_1', 'accounts_3'] }],
      [2, { accounts: ['accounts_2'], cells: ['cells_4'] }],
    ])
  })

  it.each([
    ['', -1477818771],
    ['00', -1062527899],
    ['00ff', -389432742],
    ['0102030405060708090a0b', 559981637],
    ['000000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021', -1287685927],
    ['ff'.repeat(32), -1125918682],
  ])('a value has the hash that Citus gave it (worker_hash of 13.2.2): %s', (hex, hash) => {
    expect(hashOf(Buffer.from(hex, 'hex'))).toBe(hash)
  })

  it('values are looked for on the nodes that have their shards', () => {
    // Of a negative hash, and of one below 2 ** 30.
    const low = Buffer.from('00', 'hex')
    const high = Buffer.from('0102030405060708090a0b', 'hex')
    expect(nodesWith(map, 'accounts', low)).toEqual([0])
    expect(nodesWith(map, 'accounts', high)).toEqual([1])
    expect(nodesWith(map, 'accounts', high, low)).toEqual([0, 1])
    expect(nodesWith(map, 'cells', low, high)).toEqual([1])
    expect(nodesWith(map, 'accounts')).toEqual([])
  })

  it('values of one shard are looked for in it alone, those of several in all of the node', () => {
    const [low, high] = [Buffer.from('00', 'hex'), Buffer.from('0102030405060708090a0b', 'hex')]
    // Of a hash from 2 ** 30 on.
    const highest = [...Array(64).keys()].map((i) => Buffer.of(i)).find((value) => hashOf(value) >= 2 ** 30)!
    const [firstShard, secondShard, thirdShard] = RANGES.map(([from, to]) => expect.objectContaining({ low: from, high: to }))
    expect(map.placesOf('accounts', [low, low])).toEqual([{ node: 0, only: firstShard }])
    expect(map.placesOf('accounts', [high])).toEqual([{ node: 1, only: secondShard }])
    expect(map.placesOf('accounts', [highest, high])).toEqual([
      { node: 0, only: thirdShard },
      { node: 1, only: secondShard },
    ])
    expect(map.placesOf('accounts', [low, highest, low])).toEqual([
      {
        node: 0,
        keys: new Map([
          [RANGES[0][0], [low, low]],
          [RANGES[2][0], [highest]],
        ]),
      },
    ])
  })

  it('of a table with many shards on a node all of them are read: a connection would have to prepare a statement for each', () => {
    const many = (count: number): readonly Place[] => {
      const step = 2 ** 32 / count
      const rows = Array.from({ length: count }, (_, i) => ({
        ...row('accounts', String(i + 10), 1),
        low: String(-(2 ** 31) + i * step),
        high: String(-(2 ** 31) + (i + 1) * step - 1),
      }))
      return shardMapOf(rows)!.placesOf('accounts', [Buffer.of(0)])
    }
    expect(many(8)).toEqual([{ node: 0, only: expect.anything() }])
    expect(many(16)).toEqual([{ node: 0, keys: new Map([[expect.anything(), [Buffer.of(0)]]]) }])
  })

  it('values are looked for on all nodes if the server hashes in another way, and if no shard has their hash', () => {
    const other = shardMapOf([
      { ...row('accounts', '1', 1), probe: 7 },
      { ...row('accounts', '2', 2), probe: 7 },
    ])!
    expect(other.placesOf('accounts', [Buffer.of(0)])).toEqual(EVERYWHERE)
    const holed = shardMapOf([row('accounts', '2', 1), row('accounts', '3', 2)])!
    expect(holed.placesOf('accounts', [Buffer.of(0)])).toEqual(EVERYWHERE)
    expect(map.placesOf('unknown', [Buffer.of(0)])).toEqual(EVERYWHERE)
  })

  it('a statement is of its first table that is distributed', () => {
    const { tableOf } = createNodeStatements(map.nodes)
    expect(tableOf('select 1 from x join accounts a on true join cells on true')).toBe('accounts')
    expect(tableOf('select 1 from x')).toBeUndefined()
  })

  describe('lists of keys', () => {
    const low = Buffer.from('00', 'hex')
    const highest = [...Array(64).keys()].map((i) => Buffer.of(i)).find((value) => hashOf(value) >= 2 ** 30)!
    const keys = [low, highest, low]
    const [place] = map.placesOf('accounts', keys)
    const at = (sql: string, ...parameters: readonly unknown[]) =>
      createNodeStatements(map.nodes).at([place!], { ...COMPILED, sql, parameters }, keys)[0]!.query

    it('a list of keys is split: each shard is searched for the keys that it can have', () => {
      const found = at('select * from accounts a where a.account = any($1::bytea[]) and mc_seqno <= $2', bytesList(keys), 7)
      expect(found.sql).toBe(
        'select * from (select * from accounts_1 where account = any($1::bytea[]) union all select * from accounts_3 where account = any($3::bytea[])) as "a" where true and mc_seqno <= $2',
      )
      expect(found.parameters).toEqual([bytesList([low, low]), 7, bytesList([highest])])
      const one = at('select * from accounts where x = $1 and "account" = any($2::bytea[])', 7, bytesList(keys))
      expect(one.sql).toMatch(
        /from accounts_1 where account = any\(\$2::bytea\[\]\) .* from accounts_3 where account = any\(\$3::bytea\[\]\)\) as "accounts" where x = \$1 and true$/,
      )
      expect(one.parameters).toEqual([7, bytesList([low, low]), bytesList([highest])])
    })

    it('a list of keys is split in every table of a statement', () => {
      const text =
        'select 1 from accounts a where account = any($1::bytea[]) union select 2 from accounts b where b.account = any($1::bytea[])'
      const found = at(text, bytesList(keys))
      expect(found.sql.match(/accounts_1 where account = any\(\$1::bytea\[\]\)/g)).toHaveLength(2)
      expect(found.sql.match(/accounts_3 where account = any\(\$2::bytea\[\]\)/g)).toHaveLength(2)
      expect(found.sql.match(/where true/g)).toHaveLength(2)
    })

    it.each([
      [
        'that is also of another column',
        'select * from accounts where account = any($1::bytea[]) and code_hash = any($1::bytea[])',
        [bytesList(keys)],
      ],
      [
        'that is used in another way',
        'select * from accounts where account = any($1::bytea[]) and cardinality($1::bytea[]) > 1',
        [bytesList(keys)],
      ],
      ['that has other keys', 'select * from accounts where account = any($1::bytea[])', [bytesList([low])]],
      ['of another column', 'select * from accounts where code_hash = any($1::bytea[])', [bytesList(keys)]],
    ])('a list stays as it is: one %s', (_, text, parameters) => {
      const found = at(text, ...parameters)
      expect(found.sql).toBe(onNode(text, first!, names))
      expect(found.parameters).toEqual(parameters)
    })

    it('a list of keys is told from a value whose number begins with the same digits', () => {
      const parameters = [bytesList(keys), ...Array.from({ length: 10 }, (_, i) => i)]
      const text = `select * from accounts where account = any($1::bytea[]) and ${parameters
        .map((_, i) => i + 1)
        .slice(1)
        .map((n) => `x <> $${n}`)
        .join(' and ')}`
      const found = at(text, ...parameters)
      expect(found.sql).toContain('accounts_3 where account = any($12::bytea[])')
      expect(found.parameters).toHaveLength(12)
    })

    it('a list of keys is not split where the tables of a statement have other shards each', () => {
      const uneven = shardMapOf([row('accounts', '1', 1), row('accounts', '3', 1), row('cells', '4', 1)])!
      const text = 'select 1 from accounts join cells on true where account = any($1::bytea[])'
      const [found] = createNodeStatements(uneven.nodes).at(
        [{ node: 0, keys: new Map([[RANGES[0][0], keys]]) }],
        { ...COMPILED, sql: text, parameters: [bytesList(keys)] },
        keys,
      )
      expect(found!.query.sql).toBe(onNode(text, uneven.nodes[0]!, names))
    })
  })

  it('a cluster is read by its coordinator while a shard has no node in use, or several', () => {
    expect(shardMapOf([row('accounts', '1', null)])).toBeUndefined()
    expect(shardMapOf([row('accounts', '1', 1), row('accounts', '1', 2)])).toBeUndefined()
    expect(shardMapOf([])).toBeUndefined()
  })

  it.each([
    ['select * from "accounts" where "account" = $1', `select * from ${FIRST} as "accounts" where "account" = $1`],
    ['select a.account from accounts a where a.account = $1', `select a.account from ${FIRST} as "a" where a.account = $1`],
    ['select a2.account from accounts as a2', `select a2.account from ${FIRST} as "a2"`],
    ['select 1 from x join accounts on true', `select 1 from x join ${FIRST} as "accounts" on true`],
    ['select account from accounts) found', `select account from ${FIRST} as "accounts") found`],
    ['select * from accounts_old', 'select * from accounts_old'],
    ['select 1 from accounts right join x on true', `select 1 from ${FIRST} as "accounts" right join x on true`],
    ['select 1 from accounts group by account having true', `select 1 from ${FIRST} as "accounts" group by account having true`],
    ['select * from cells', 'select * from (select * from cells where false) as "cells"'],
  ])('a node reads its own parts of a table: %s', (text, own) => {
    expect(onNode(text, first!, names)).toBe(own)
  })

  it.each([
    'select 1 from x, accounts a',
    'select 1 from accounts a, cells',
    'select 1 from public.accounts',
    'select 1 from "public"."accounts" as "a"',
    'select 1 from (accounts a join cells c on true)',
    'select 1 from only accounts',
    'select 1 from accounts a where exists (select from dns_entries d where d.wallet = a.account)',
  ])('a node is not asked for a table of which it does not have its part: %s', (text) => {
    expect(() => onNode(text, first!, names)).toThrow('a node does not have all tables of')
  })

  it('of tables that are distributed in the same way a node reads the shard of some hashes, of others all shards', () => {
    const [low, high] = RANGES[2]
    const text = 'select * from accounts a join cells c on true'
    const both = shardMapOf([row('accounts', '1', 1), row('accounts', '3', 1), row('cells', '4', 1)])!
    expect(onNode(text, both.nodes[0]!, names, { low, high })).toBe(
      'select * from (select * from accounts_3) as "a" join (select * from cells_4) as "c" on true',
    )
  })

  it('a node that has one shard of a table reads that one', () => {
    expect(onNode('select * from accounts', second!, names)).toBe('select * from (select * from accounts_2) as "accounts"')
  })

  it('a page is made of what nodes have in its order, and a deep one is asked of the coordinator', async () => {
    const order = { name: 'x', parts: [numberPart<{ n: string }>(undefined as never, ({ n }) => n)] }
    const asked: unknown[] = []
    const view = {
      isSpread: true,
      rows: async () => [{ n: 'coordinator' }],
      shards: async (query: { compile(): unknown }) => {
        asked.push(query.compile())
        return [9, 5, 1, 8, 7, 100].map((n) => ({ n: String(n) }))
      },
    } as never
    const page = (limit: number, offset: number): Promise<readonly { n: string }[]> =>
      merged(view, { limit, offset }, byOrder(order, 'desc'), (part) => ({ compile: () => part as never }))
    expect((await page(2, 1)).map(({ n }) => n)).toEqual(['9', '8'])
    expect(asked).toEqual([{ limit: 3, offset: 0 }])
    expect(await page(2, 50_000)).toEqual([{ n: 'coordinator' }])
  })
})
