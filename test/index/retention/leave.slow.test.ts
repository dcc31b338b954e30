import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRetention } from '../../../server/index/retention/retention.ts'
import { TOPICS } from '../../../server/index/topics/registry.ts'
import { type Connection, connect } from '../../../server/store/postgres/connection.ts'
import { TABLES } from '../../../server/store/schema/tables.ts'
import { playEveryTable } from '../../kit/index/every-table.ts'
import { type LocalIndex, startLocalIndex } from '../../kit/index/local-index.ts'
import { until } from '../../kit/wait.ts'

/* History leaves an index that keeps a limited part of it (TONWAY_INDEX_KEEP). */

const { signal } = new AbortController()
/** Connections to the database that wait for a lock. */
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** Tables whose rows stay, by what they hold: latest states, names, codes, elections and sets, the operator's list of tokens, and the place of the index. */
const STAYING = [
  ...['accounts', 'contract_codes', 'dns_entries', 'jetton_masters', 'jetton_wallets', 'multisig_members'],
  ...[
    'multisig_orders',
    'multisigs',
    'nft_collections',
    'nft_items',
    'nft_sales',
    'nominator_pools',
    'pool_nominators',
    'token_metadata',
    'token_flags',
  ],
  ...['validator_complaint_states', 'validator_complaint_votes', 'validator_complaints', 'validator_cycle_members', 'validator_cycles'],
  ...['validator_elections', 'validator_participants', 'validator_past_elections', 'validator_stakes', 'vesting_whitelist', 'vestings'],
  ...['actions_progress', 'backfill_ranges', 'hooks', 'index_checkpoint', 'index_extensions', 'published_head'],
]

it('every table says when its rows leave, or is one whose rows stay', () => {
  const staying = TABLES.filter(({ prunedWith: leaves, name }) => leaves === undefined && name !== 'cells')
  expect(staying.map(({ name }) => name).sort()).toEqual([...STAYING].sort())
})

describe('a limited history', () => {
  let index: LocalIndex
  let connection: Connection
  beforeAll(async () => {
    index = await startLocalIndex()
    await playEveryTable(index)
    connection = await connect(index.database)
  }, 240_000)
  afterAll(async () => {
    await connection?.close()
    await index?.close()
  })

  const run = <R>(text: string, database: ClientConfig = index.database): Promise<R[]> => index.server.run<R>(database, text)
  const count = async (table: string, where = 'true'): Promise<number> =>
    Number((await run<{ n: string }>(`select count(*) as n from ${table} where ${where}`))[0]!.n)
  const head = (): number => index.local.head!().id.seqno
  let told = 0
  const keep = async (blocks: number): Promise<number> => {
    const { pass } = createRetention(connection, {
      keep: { blocks },
      topics: TOPICS,
      reverts: true,
      isPartial: false,
      onCut: (first) => {
        told = first
      },
    })
    return (await pass(signal))!.cut
  }

  it(
    'latest states stay, older traces, blocks and what came from them leave, and verify finds no difference from there',
    { timeout: 240_000 },
    async () => {
      await index.indexed()
      const states = async () =>
        Object.fromEntries(
          await Promise.all(
            TABLES.filter(
              ({ prunedWith: leaves, name }) => leaves === undefined && !['cells', 'index_checkpoint', 'published_head'].includes(name),
            ).map(async ({ name, key }) => [name, await run(`select * from ${name} order by ${key.join(', ')}`)] as const),
          ),
        )
      const before = await states()
      const cut = await keep(25)
      expect([cut, told]).toEqual([head() - 24, head() - 24])
      expect(await states()).toEqual(before)
      for (const table of ['blocks', 'shard_tops', 'account_sets']) expect(await count(table, `mc_seqno < ${cut}`), table).toBe(0)
      expect(await count('traces', `mc_seqno_end < ${cut} and state <> 0`)).toBe(0)
      // Of a trace that goes on above the cut everything is kept.
      const orphans = `not exists (select from traces t where t.trace_id = x.trace_id)`
      for (const table of ['transactions', 'jetton_transfers', 'nft_transfers', 'actions', 'action_accounts'])
        expect(await count(`${table} x`, orphans), table).toBe(0)
      expect(await count('messages m', 'not exists (select from transactions t where t.account = m.tx_account and t.lt = m.tx_lt)')).toBe(0)
      expect(await count('tx_by_hash h', 'not exists (select from transactions t where t.account = h.account and t.lt = h.lt)')).toBe(0)
      expect(await count('transactions t', 'not exists (select from tx_by_hash h where h.hash = t.hash)')).toBe(0)
      // Every cell that is named is there, and no body that is not named.
      expect(await count('messages m', 'not exists (select from cells c where c.hash = m.body_hash)')).toBe(0)
      expect(await count('messages m', 'init_hash is not null and not exists (select from cells c where c.hash = m.init_hash)')).toBe(0)
      expect(
        await count(
          'cells c',
          `not exists (select from messages m where m.body_hash = c.hash or m.init_hash = c.hash)
         and not exists (select from contract_codes k where k.code_hash = c.hash) and not exists (select from accounts a where a.code_hash = c.hash)`,
        ),
      ).toBe(0)
      expect(await index.verified()).toEqual([])
    },
  )

  it('readers are told the first block that is kept, and find it', async () => {
    const info = await index.call('v3.masterchainInfo', {})
    expect(info.first.seqno).toBe(told)
    const { transactions } = await index.call('v3.transactions', { limit: 1000, sort: 'asc' })
    expect(transactions.length).toBeGreaterThan(0)
  })

  it('the index goes on, more history leaves, and what was verified before is verified again', { timeout: 240_000 }, async () => {
    const first = told
    for (let i = 0; i < 6; i++) {
      await index.call('local.fund', { address: `0:${String(i).repeat(64)}`, amount: '1000000000' })
      await index.call('local.mine', { count: 3 })
      await index.indexed()
      await keep(20)
    }
    expect(told).toBeGreaterThan(first)
    expect(await index.verified()).toEqual([])
  })

  it('a revert to a kept block gives accounts their states of then, also if their history has left', { timeout: 240_000 }, async () => {
    const [alice, bob] = ['a', 'b'].map((digit) => `0:${digit.repeat(64)}`) as [string, string]
    await index.call('local.fund', { address: alice, amount: '1000000000' })
    await index.call('local.setAccount', { address: bob, balance: '5' })
    await index.call('local.mine', { count: 30 })
    await index.indexed()
    await keep(10)
    const { snapshot } = await index.call('local.snapshot', {})
    await index.call('local.fund', { address: alice, amount: '7000000000' })
    await index.call('local.setAccount', { address: bob, balance: '6' })
    await index.call('local.mine', { count: 2 })
    await index.indexed()
    await index.call('local.revert', { snapshot })
    await index.indexed()
    expect(await index.verified()).toEqual([])
    const states = 'select account, last_trans_lt, last_trans_hash, balance, first_lt from accounts order by account'
    expect(await run(states)).toEqual(await run(states, await index.fresh()))
  })

  it(
    'a revert knows the last change of an account, also if that has left and an older one of a longer trace is kept',
    {
      timeout: 240_000,
    },
    async () => {
      const carol = `0:${'c'.repeat(64)}`
      for (const amount of ['1000000000', '2000000000']) {
        await index.call('local.fund', { address: carol, amount })
        await index.call('local.mine', { count: 2 })
      }
      await index.call('local.mine', { count: 30 })
      await index.indexed()
      const ofCarol = `right(encode(account, 'hex'), 64) = '${'c'.repeat(64)}'`
      const [older] = await run<{ id: string; end: number }>(`select encode(trace_id, 'hex') as id, mc_seqno_end as end from traces
      where trace_id = (select trace_id from transactions where ${ofCarol} order by lt limit 1)`)
      const end = (seqno: number) => run(`update traces set mc_seqno_end = ${seqno} where encode(trace_id, 'hex') = '${older!.id}'`)
      // As if the older one of the two traces went on until now.
      await end(head())
      await keep(10)
      expect(await count('transactions', ofCarol)).toBe(1)
      await end(older!.end)
      const { snapshot } = await index.call('local.snapshot', {})
      await index.call('local.fund', { address: carol, amount: '7000000000' })
      await index.indexed()
      await index.call('local.revert', { snapshot })
      await index.indexed()
      const states = `select last_trans_lt, last_trans_hash from accounts where ${ofCarol}`
      expect(await run(states)).toEqual(await run(states, await index.fresh()))
      await keep(10)
    },
  )

  it(
    'a revert keeps an account that does not exist and whose history has left, and no account that is newer',
    { timeout: 240_000 },
    async () => {
      const [from, dora, eve] = ['a', 'd', 'e'].map((digit) => `0:${digit.repeat(64)}`) as [string, string, string]
      // The message bounces, so the account does not exist afterwards.
      await index.call('local.sendInternal', { from, to: dora, value: '1000000000', bounce: true })
      await index.call('local.mine', { count: 30 })
      await index.indexed()
      await keep(10)
      const { snapshot } = await index.call('local.snapshot', {})
      for (const address of [dora, eve]) await index.call('local.fund', { address, amount: '7000000000' })
      await index.indexed()
      await index.call('local.revert', { snapshot })
      await index.indexed()
      expect(await index.verified()).toEqual([])
      const rows = `select encode(account, 'hex') as account, status, balance, first_lt from accounts order by account`
      expect(await run(rows)).toEqual(await run(rows, await index.fresh()))
    },
  )

  it('the cut waits for a revert, and goes by the head after it', async () => {
    const database = await index.server.database()
    await run(
      `insert into index_checkpoint (id, network, zero_hash, first_mc_seqno, mc_seqno, root_hash, file_hash) values (1, 'test', '', 1, 100, '', '');
       insert into published_head (id, mc_seqno, utime, epoch) values (1, 100, 1, 1)`,
      database,
    )
    const [reverting, leaving] = [await connect(database), await connect(database)]
    try {
      await reverting.script('begin; select from index_checkpoint where id = 1 for update')
      const { pass } = createRetention(leaving, { keep: { blocks: 10 }, topics: TOPICS, reverts: true, isPartial: false, onCut: () => {} })
      const passed = pass(signal)
      await until(async () => (await run(WAITING, database)).length > 0)
      await reverting.script('update index_checkpoint set mc_seqno = 50; update published_head set mc_seqno = 50, epoch = 2; commit')
      expect(await passed).toMatchObject({ cut: 41 })
    } finally {
      await reverting.close()
      await leaving.close()
    }
  })

  it('verify finds a row that was changed after the cut, and one of a latest state', { timeout: 120_000 }, async () => {
    await run(
      `update transactions set total_fees = total_fees + 1 where (account, lt) in (select account, lt from transactions where mc_seqno > ${told} limit 1)`,
    )
    const [row] = await run<{ account: Buffer }>(
      `select account from accounts where mc_seqno >= ${told} order by last_trans_lt desc limit 1`,
    )
    await run(`update accounts set balance = balance + 1 where account = '\\x${row!.account.toString('hex')}'`)
    const found = await index.verified()
    expect(found.length).toBe(2)
    await run(`update accounts set balance = balance - 1 where account = '\\x${row!.account.toString('hex')}'`)
  })

  it('a revert to before the first kept block begins the index again', { timeout: 240_000 }, async () => {
    const { snapshot } = await index.call('local.snapshot', {})
    await index.call('local.mine', { count: 40 })
    await index.indexed()
    const cut = await keep(10)
    await index.call('local.revert', { snapshot })
    expect(head()).toBeLessThan(cut)
    await until(
      async () =>
        (await count('index_checkpoint', 'kept_mc_seqno is null')) === 1 && (await count('published_head', `mc_seqno = ${head()}`)) === 1,
    )
    expect((await index.call('v3.masterchainInfo', {})).first.seqno).toBe(1)
  })
})
