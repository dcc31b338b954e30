import { expect, it } from 'vitest'
import { createRemoval } from '../../../server/index/retention/remove.ts'
import { TOPICS } from '../../../server/index/topics/registry.ts'
import { CITUS_URL } from '../../kit/index/citus.ts'
import { startTestServer } from '../../kit/index/database.ts'

/* A contract that sends messages to itself makes traces of hundreds of thousands of transactions. */

const cut = 9

/** A removal of one trace of transactions that each sent `sent` messages. `removed`: number of rows by table, which grows. */
const removalOf = (transactions: number, sent: number) => {
  const trace = { trace_id: Buffer.alloc(32), mc_seqno_end: 5, nodes: transactions, edges: transactions * (1 + sent), pending_edges: 0 }
  const rows = Array.from({ length: transactions }, (_, i) => ({
    ...{ account: Buffer.alloc(36), lt: String(transactions - i), hash: Buffer.alloc(32) },
    ...{ action_success: true, action_msgs_created: sent },
  }))
  const named = { body_hash: Buffer.alloc(32), init_hash: null }
  const removed = new Map<string, number>()
  const keys: number[] = []
  const query = async (text: string, values: readonly unknown[] = []) => {
    const lists = values.filter((value) => Array.isArray(value)) as readonly (readonly unknown[])[]
    for (const list of lists) keys.push(list.length)
    const [, table] = /^delete from (\w+)/.exec(text) ?? []
    if (table !== undefined) removed.set(table, (removed.get(table) ?? 0) + lists[0]!.length)
    if (table === 'messages') return lists[0]!.map(() => named)
    if (text.includes('from transactions where trace_id')) return rows.slice(removed.get('transactions') ?? 0).slice(0, 10_001)
    if (text.includes('from traces')) return removed.has('traces') ? [] : [trace]
    return text.includes('for update') ? [{ first_mc_seqno: 1, kept_mc_seqno: cut, mc_seqno: 20 }] : []
  }
  const connection = { query } as unknown as Parameters<typeof createRemoval>[0]['connection']
  return { removal: createRemoval({ connection, topics: TOPICS, isPartial: false }), removed, keys }
}

it('a large trace is removed in pieces, by statements that have a few thousand keys each, and its own row last', async () => {
  const { removal, removed, keys } = removalOf(20_000, 1)
  expect(await removal.traces(0, cut)).toEqual({ traces: 0, transactions: 10_000, reached: 5 })
  expect(removed.has('traces')).toBe(false)
  expect(await removal.traces(0, cut)).toEqual({ traces: 1, transactions: 10_000, reached: 5 })
  expect(Math.max(...keys)).toBeLessThan(5_000)
  for (const table of ['transactions', 'messages', 'tx_by_hash', 'jetton_transfers']) expect(removed.get(table)).toBe(20_000)
  expect(removed.get('traces')).toBe(1)
  expect(await removal.traces(0, cut)).toBeUndefined()
})

it('a piece of a trace of many logs has fewer transactions', async () => {
  const { removal } = removalOf(1_000, 254)
  expect(await removal.traces(0, cut)).toMatchObject({ traces: 0, transactions: 235 })
})

it('a trace that an answer shows with its transactions is removed at once', async () => {
  for (const [transactions, sent] of [
    [10_000, 4],
    [500, 99],
  ] as const)
    expect(await removalOf(transactions, sent).removal.traces(0, cut)).toMatchObject({ traces: 1, transactions })
})

it.skipIf(CITUS_URL !== undefined)('the transactions of a large trace are found by its id, not among all in their order', async () => {
  const server = await startTestServer()
  const database = await server.database()
  try {
    // A fifth of the transactions are in one trace, the oldest ones.
    await server.run(
      database,
      `insert into transactions (lt, block_shard, now, prev_trans_lt, mc_seqno, workchain, block_seqno, orig_status, end_status, descr, account, hash,
         trace_id, prev_trans_hash, state_hash_before, state_hash_after, total_fees)
       select i, 0, 1, 0, 1, 0, 1, 0, 0, 0, '', '', case when i <= 20000 then sha256('large') else sha256(('small ' || i)::bytea) end, '', '', '', 0
         from generate_series(1, 100000) as i`,
    )
    await server.run(database, 'analyze transactions')
    const [{ trace_id }] = (await server.run<{ trace_id: Buffer }>(database, `select sha256('large') as trace_id`)) as [
      { trace_id: Buffer },
    ]
    const plans: string[] = []
    const query = async (text: string) => {
      if (text.includes('from traces')) return [{ trace_id, mc_seqno_end: 5, nodes: 20_000, edges: 20_000, pending_edges: 0 }]
      if (text.includes('from transactions where trace_id')) {
        const lines = await server.run<{ 'QUERY PLAN': string }>(database, `explain ${text}`, [[trace_id]])
        plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'))
      }
      return text.includes('for update') ? [{ first_mc_seqno: 1, kept_mc_seqno: cut, mc_seqno: 20 }] : []
    }
    const connection = { query } as unknown as Parameters<typeof createRemoval>[0]['connection']
    await createRemoval({ connection, topics: TOPICS, isPartial: false }).traces(0, cut)
    expect(plans).toEqual([expect.stringContaining('transactions_trace')])
  } finally {
    await server.close()
  }
})
