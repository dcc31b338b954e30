import { expect, it } from 'vitest'
import { createRemoval } from '../../../server/index/retention/remove.ts'
import { TOPICS } from '../../../server/index/topics/registry.ts'

/* A contract that sends messages to itself makes traces of hundreds of thousands of transactions. */

it('a large trace is removed by statements that have a few thousand keys each', async () => {
  const [TRANSACTIONS, cut] = [20_000, 9]
  const trace = { trace_id: Buffer.alloc(32), mc_seqno_end: 5, nodes: TRANSACTIONS }
  const left = Array.from({ length: TRANSACTIONS }, (_, i) => ({ account: Buffer.alloc(36), lt: String(i), hash: Buffer.alloc(32) }))
  const named = { body_hash: Buffer.alloc(32), init_hash: null }
  const removed = new Map<string, number>()
  let most = 0
  const query = async (text: string, values: readonly unknown[] = []) => {
    const lists = values.filter((value) => Array.isArray(value)) as readonly (readonly unknown[])[]
    for (const list of lists) most = Math.max(most, list.length)
    const [, table] = /^delete from (\w+)/.exec(text) ?? []
    if (table !== undefined) removed.set(table, (removed.get(table) ?? 0) + lists[0]!.length)
    if (table === 'transactions') return left
    if (table === 'messages') return lists[0]!.map(() => named)
    if (text.includes('from traces')) return [trace]
    return text.includes('for update') ? [{ first_mc_seqno: 1, kept_mc_seqno: cut, mc_seqno: 20 }] : []
  }
  const connection = { query } as unknown as Parameters<typeof createRemoval>[0]['connection']
  const step = await createRemoval({ connection, topics: TOPICS, isPartial: false }).traces(0, cut)
  expect(step).toEqual({ traces: 1, transactions: TRANSACTIONS, reached: 5 })
  expect(most).toBeLessThan(5_000)
  for (const table of ['messages', 'tx_by_hash', 'jetton_transfers']) expect(removed.get(table)).toBe(TRANSACTIONS)
  expect(removed.get('traces')).toBe(1)
})
