import { createHash } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import { expect, it } from 'vitest'
import { builder, type Query } from '../../server/store/postgres/reader.ts'
import { findActions } from '../../server/store/queries/actions/find.ts'
import { findBlocks } from '../../server/store/queries/blocks.ts'
import { findMessages } from '../../server/store/queries/messages.ts'
import { findTraces } from '../../server/store/queries/traces.ts'
import { findTransactions } from '../../server/store/queries/transactions/list.ts'
import type { View } from '../../server/store/queries/view.ts'
import { timeTurns } from '../kit/turns.ts'

/* Filters of strangers that would make PostgreSQL read a table from end to end, or compare each row with each of a thousand hashes. */

/** What is asked of a masterchain block at lt 5,000 to 5,999, made at 1,700,000,000. */
const BLOCK = { end_lt: '5999', gen_utime: '1700000000' }
const PAGE = { limit: 10, offset: 0, sort: 'desc' } as const

const viewOf = (answer: (sql: string) => readonly object[] = () => []) => {
  const sent: string[] = []
  const view = {
    head: 100,
    first: 1,
    rows: async (query: Query<unknown>) => {
      const { sql, parameters } = 'compile' in query ? query.compile(builder) : (query as CompiledQuery)
      const text = sql.replace(/\$(\d+)/g, (_, place: string) => String(parameters[Number(place) - 1]))
      sent.push(text)
      return text.includes('end_lt, gen_utime from blocks') ? [BLOCK] : answer(text)
    },
  } as unknown as View
  return { view, sent }
}

const FIND = {
  findActions: (view: View, params: object) => findActions(view, params as never, ['a', 'b', 'c']),
  findBlocks,
  findMessages,
  findTraces,
  findTransactions,
}
const find = async (name: keyof typeof FIND, params: object): Promise<string[]> => {
  const { view, sent } = viewOf()
  await FIND[name](view, { ...PAGE, ...params } as never)
  return sent
}

it.each([
  ['findMessages', 'coalesce(created_lt, tx_lt) <= 5999'],
  ['findTraces', '"end_lt" <= 5999'],
  ['findActions', '"trace_end_lt" <= 5999'],
  ['findBlocks', '"gen_utime" <= 1700000600'],
] as const)('as_of of %s bounds the column of its order', async (name, bound) => {
  const sent = await find(name, { as_of: 50 })
  expect(sent[0]).toContain('seqno = 50')
  expect(sent.at(-1)).toContain(bound)
  expect(await find(name, { as_of: 100 })).toHaveLength(1)
})

it('a list by time is bounded by the blocks of a window of lt, and keeps a narrower window', async () => {
  const params = { start_utime: 1, end_utime: 1_800_000_000, start_lt: 5_000n, end_lt: 5_500n }
  const sent = await find('findTransactions', params)
  // A block of a shard may be committed only by the second masterchain block after it.
  expect(sent[0]).toContain('start_lt <= 5000 order by start_lt desc offset 1')
  expect(sent.at(-1)).toContain('"now" >= 1699999400 and "now" <= 1700000600 and "lt" >= 5000 and "lt" <= 5500')
  const narrow = await find('findTransactions', { ...params, start_utime: 1_700_000_001, end_utime: 1_700_000_002 })
  expect(narrow.at(-1)).toContain('"now" >= 1700000001 and "now" <= 1700000002')
  expect(await find('findTransactions', { start_lt: 5_000n, end_lt: 5_500n })).toHaveLength(1)
})

it('transactions of excluded accounts, and actions of excluded types, are not looked for', async () => {
  const [one, other] = [1, 2].map((byte) => ({ workchain: 0, hash: Buffer.alloc(32, byte) }))
  expect(await find('findTransactions', { account: [one], exclude_account: [other, one] })).toEqual([])
  expect((await find('findTransactions', { account: [one, other], exclude_account: [one] })).at(-1)).not.toContain('<> all')
  expect(await find('findActions', { exclude_action_type: ['c', 'b', 'a'] })).toEqual([])
  expect(await find('findActions', { action_type: ['x'], exclude_action_type: ['x'] })).toEqual([])
  await expect(find('findActions', { action_type: ['x'], exclude_action_type: ['x'], cursor: 'eA' })).rejects.toThrow('invalid cursor')
  expect((await find('findActions', { exclude_action_type: ['b'] })).at(-1)).toContain('type = any(a,c::text[])')
})

it('transactions of hashes and of messages that were received thousands of times are compared in a moment', async () => {
  const hashOf = (text: string) => createHash('sha256').update(text).digest()
  const transactions = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ hash: hashOf(`${count} ${i}`), trace_id: Buffer.alloc(32) }))
  const [own, many] = [transactions(1_000), transactions(20_000)]
  let reads = 0
  const sides = [{ tx_account: Buffer.alloc(36), tx_lt: '1', msg_hash: Buffer.alloc(32) }]
  const { view, sent } = viewOf((sql) => {
    if (sql.includes('from tx_by_hash')) return [{ account: Buffer.alloc(36), lt: '1' }]
    if (sql.includes('from messages')) return sql.includes('msg_hash_norm') ? [] : sides
    return sql.includes('from transactions') ? [own, [own[0]!, ...many]][reads++]! : []
  })
  const hashes = [Buffer.alloc(32)]
  const { all } = await timeTurns(() => findActions(view, { ...PAGE, tx_hash: hashes, msg_hash: hashes } as never, ['a']))
  expect(all).toBeLessThan(500)
  expect(sent.at(-1)).toContain(`select unnest(${own[0]!.hash}::bytea[])`)
})
