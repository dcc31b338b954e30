import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatDifference } from '../../server/index/verify/compare.ts'
import { verifyIndex } from '../../server/index/verify/verify.ts'
import { createReplaySource } from '../kit/chain/replay-source.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { readSet } from '../kit/index/replay-store.ts'
import { coreRows } from './core-rows.ts'
import { plantFault } from './faults.ts'
import { dump, indexUpTo } from './kit.ts'

const { signal } = new AbortController()

describe('mainnet from its zerostate to masterchain 199', () => {
  let server: TestServer
  let known: ReturnType<typeof coreRows> | undefined
  const parsed = (): ReturnType<typeof coreRows> => {
    known ??= coreRows(readSet('mainnet-genesis'))
    return known
  }
  let indexed: ClientConfig & { readonly database: string }
  const source = createReplaySource()
  beforeAll(async () => {
    server = await startTestServer()
    indexed = await server.database()
    await indexUpTo(source, indexed, 199)
  })
  afterAll(() => server?.close())

  const rows = <R>(text: string, values?: readonly unknown[]): Promise<R[]> => server.run<R>(indexed, text, values)

  it('the index from the zerostate has every block, with the masterchain block that commits it', async () => {
    const blocks = await rows<{ root: string; mc: number; txs: number; prev: number[] }>(
      `select encode(root_hash, 'hex') as root, mc_seqno as mc, tx_count as txs, prev_seqnos as prev from blocks`,
    )
    const { index } = readSet('mainnet-genesis')
    expect(blocks.length).toBe(805)
    const tops = new Set(
      (await rows<{ top: string }>(`select concat_ws(' ', mc_seqno, encode(shard_key, 'hex'), seqno) as top from shard_tops`)).map(
        ({ top }) => top,
      ),
    )
    const byRoot = new Map(blocks.map((block) => [block.root, block]))
    for (const row of index) {
      const block = byRoot.get(row.root_hash)
      expect(block?.txs).toBe(row.transactions)
      expect(block?.prev).toEqual(row.prev.map(({ seqno }) => seqno))
      if (row.workchain === -1) expect(block?.mc).toBe(row.seqno)
      for (const top of row.shards ?? []) expect(tops.has(`${row.seqno} 00000000${top.shard} ${top.seqno}`)).toBe(true)
    }
  })

  it('the index from the zerostate has every transaction and message as @ton/core reads them', async () => {
    const expected = parsed()
    expect(expected.transactions.length).toBe(2187)
    const transactions = await rows<Record<string, unknown>>('select * from transactions order by account, lt')
    const messages = await rows<Record<string, unknown>>('select * from messages order by tx_account, tx_lt, direction, msg_index')
    expect(transactions.length).toBe(expected.transactions.length)
    expect(messages.length).toBe(expected.messages.length)
    expected.transactions.forEach((row, i) => {
      expect(transactions[i]).toMatchObject(row)
    })
    expected.messages.forEach((row, i) => {
      expect(messages[i]).toMatchObject(row)
    })
  })

  it('the index from the zerostate has the bodies of all messages', async () => {
    const expected = parsed()
    const cells = new Map(
      (await rows<{ hash: string; boc: Buffer }>(`select encode(hash, 'hex') as hash, boc from cells`)).map((row) => [row.hash, row.boc]),
    )
    for (const [hash, boc] of expected.bodies) expect(cells.get(hash)?.equals(boc)).toBe(true)
  })

  it('`tonway verify` derives the same index from the zerostate', { timeout: 120_000 }, async () => {
    const report = await verifyIndex({ source, connection: indexed }, signal)
    expect(report.differences.map(formatDifference)).toEqual([])
    expect(report.last).toBe(199)
    const stored = await dump(indexed)
    const { index_checkpoint: _, ...tables } = stored
    expect(report.rows).toBe(Object.values(tables).reduce((sum, of) => sum + of.length, 0))
  })

  it('verify finds each of 30 planted faults of one row', { timeout: 120_000 }, async () => {
    const copy = await server.database(indexed.database)
    const planted = new Set<string>()
    // Each in a row of its own, so that one look finds them all.
    for (let seed = 0; planted.size < 30; seed++) {
      const at = await plantFault(copy, server, seed, planted)
      if (at !== undefined) planted.add(at)
    }
    const report = await verifyIndex({ source, connection: copy }, signal)
    const found = new Set(report.differences.map(({ table, key }) => `${table} ${key}`))
    expect([...planted].filter((at) => !found.has(at))).toEqual([])
    expect(found.size).toBe(planted.size)
  })

  it('the hashes beside the key of a transaction are those of its messages', async () => {
    const [count] = await rows<{ all: string; wrong: string }>(
      `select count(*) as all, count(*) filter (where
           h.in_msg_hash is distinct from (select m.msg_hash from messages m where m.tx_account = h.account and m.tx_lt = h.lt and m.direction = 0)
           or h.out_msg_hashes is distinct from (select coalesce(string_agg(m.msg_hash, ''::bytea order by m.msg_index), ''::bytea)
             from messages m where m.tx_account = h.account and m.tx_lt = h.lt and m.direction = 1)) as wrong from tx_by_hash h`,
    )
    expect(count).toMatchObject({ wrong: '0' })
    expect(Number(count!.all)).toBeGreaterThan(100)
  })

  it('the index adds up: every received message was sent, every trace closes, values and fees are those of the accounts', async () => {
    const [orphans] = await rows<{ count: string }>(
      `select count(*) from messages i where i.direction = 0 and i.source is not null and i.source <> $1
       and not exists (select from messages o where o.direction = 1 and o.msg_hash = i.msg_hash)`,
      [Buffer.from('ffffffff'.padEnd(72, '0'), 'hex')],
    )
    expect(orphans?.count).toBe('0')
    const [nodes] = await rows<{ nodes: string; edges: string; pending: string }>(
      'select sum(nodes) as nodes, sum(edges) as edges, sum(pending_edges) as pending from traces',
    )
    const [counted] = await rows<{ transactions: string; messages: string; open: string }>(
      `select (select count(*) from transactions) as transactions, (select count(distinct msg_hash) from messages) as messages,
       (select count(*) from messages o where o.direction = 1 and o.destination is not null
        and not exists (select from messages i where i.direction = 0 and i.msg_hash = o.msg_hash)) as open`,
    )
    expect(nodes?.nodes).toBe(counted?.transactions)
    expect(nodes?.pending).toBe(counted?.open)
    expect(Number(nodes?.edges) + Number(nodes?.pending)).toBe(Number(counted?.messages))
    // What an account had and got, less what it paid and sent, is what it has.
    const of = (direction: number, sum: string): string =>
      `coalesce((select sum(${sum}) from messages m where m.tx_account = t.account and m.tx_lt = t.lt and m.direction = ${direction}), 0)`
    const [balances] = await rows<{ told: number; wrong: number }>(
      `select count(*)::int as told, count(*) filter (where t.after_balance <> p.after_balance - t.total_fees
         + ${of(0, 'coalesce(value, 0) + coalesce(ihr_fee, 0)')} - ${of(1, 'coalesce(value, 0) + coalesce(fwd_fee, 0) + coalesce(ihr_fee, 0)')})::int as wrong
       from transactions t join transactions p on p.account = t.account and p.lt = t.prev_trans_lt
       where t.after_balance is not null and p.after_balance is not null`,
    )
    expect(balances?.told).toBeGreaterThan(100)
    expect(balances?.wrong).toBe(0)
    // The last transaction of an account in a block leaves it as the next one finds it.
    const torn = await rows(
      `select from transactions t join transactions p on p.account = t.account and p.lt = t.prev_trans_lt
       where p.hash <> t.prev_trans_hash or p.state_hash_after <> t.state_hash_before`,
    )
    expect(torn).toEqual([])
    const stale = await rows(
      `select from accounts a join lateral (select * from transactions t where t.account = a.account order by lt desc limit 1) t on true
       where t.hash <> a.last_trans_hash or t.lt <> a.last_trans_lt or t.after_balance <> a.balance or t.state_hash_after <> a.state_hash`,
    )
    expect(stale).toEqual([])
  })
})
