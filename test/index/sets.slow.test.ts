import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Cell, loadAccount } from '@ton/core'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { augEntries, loadAugE } from '../../server/cell/aug.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import type { SourceBlock } from '../../server/chain/blocks.ts'
import type { LiteServer } from '../../server/chain/liteserver.ts'
import { deriveGroup } from '../../server/index/derive/derive.ts'
import { createOpenMessages } from '../../server/index/derive/traces.ts'
import { createSource } from '../../server/index/follow/source.ts'
import { createSelection } from '../../server/index/service/account-selection.ts'
import { formatDifference } from '../../server/index/verify/compare.ts'
import { verifyIndex } from '../../server/index/verify/verify.ts'
import { createCopier, groupLines } from '../../server/index/write/writer.ts'
import { TRACE_BROKEN } from '../../server/store/codes.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import { Rows } from '../../server/store/rows/copy-rows.ts'
import { accounts } from '../../server/store/schema/accounts.ts'
import { shardTops } from '../../server/store/schema/blocks.ts'
import { shardAccountsAug } from '../../server/tlb/state/shard-account.ts'
import { loadShardState } from '../../server/tlb/state/shard-state.ts'
import { hasData, readData } from '../kit/data.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { readSet } from '../kit/index/replay-store.ts'
import { createSetSource } from '../kit/index/set-source.ts'
import { until } from '../kit/wait.ts'
import { toCore } from '../tlb/data.ts'
import { coreRows } from './core-rows.ts'
import { indexUpTo, startIndexer } from './kit.ts'

/*
 * The recorded sets from the middle of mainnet and testnet. What each lacks: the masterchain sets have no shard blocks, so the masterchain alone
 * is indexed; 2429445 and 3082181 have no states, so accounts have what the blocks show of them; the shard set and the bundles have no
 * masterchain blocks, so a shard block stands in the place of one.
 */

const { signal } = new AbortController()
const MASTERCHAIN_ALONE = createSelection([], [-1])
const SETS = [
  { name: 'mainnet-mc-2429445-2429447', transactions: 15 },
  { name: 'mainnet-mc-2660-2690', state: 'mainnet-mc-2660-2690.state-2659.boc.gz', transactions: 341 },
  { name: 'mainnet-mc-3082181-3082201', transactions: 107 },
] as const

type Core = ReturnType<typeof coreRows>

describe('sets from the middle of a chain', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server?.close())

  /** Every transaction and message of a database, as @ton/core reads them. */
  const compare = async (database: ClientConfig, expected: Core): Promise<void> => {
    const transactions = await server.run<object>(database, 'select * from transactions order by account, lt')
    const messages = await server.run<object>(database, 'select * from messages order by tx_account, tx_lt, direction, msg_index')
    expect([transactions.length, messages.length]).toEqual([expected.transactions.length, expected.messages.length])
    for (const [i, row] of expected.transactions.entries()) expect(transactions[i]).toMatchObject(row)
    for (const [i, row] of expected.messages.entries()) expect(messages[i]).toMatchObject(row)
    const bodies = await server.run<{ hash: string; boc: Buffer }>(database, `select encode(hash, 'hex') as hash, boc from cells`)
    const cells = new Map(bodies.map((row) => [row.hash, row.boc]))
    // Cells that are shared may stand in another order: what counts is the tree.
    for (const hash of expected.bodies.keys()) expect(Cell.fromBoc(cells.get(hash)!)[0]!.hash().toString('hex')).toBe(hash)
  }

  it.each(SETS)('the index of $name begins at its first block', async ({ name, transactions, ...rest }) => {
    const source = createSetSource(name, 'state' in rest ? rest.state : undefined)
    const database = await server.database()
    const deps = { from: source.first, selection: MASTERCHAIN_ALONE, topics: [] }
    await indexUpTo(source, database, source.last, deps)
    const expected = coreRows(readSet(name))
    expect(expected.transactions.length).toBe(transactions)
    await compare(database, expected)
    const [place] = await server.run<{ first: number; last: number; blocks: string }>(
      database,
      'select first_mc_seqno as first, mc_seqno as last, (select count(*) from blocks) as blocks from index_checkpoint',
    )
    expect(place).toEqual({ first: source.first, last: source.last, blocks: String(source.last - source.first + 1) })
    const report = await verifyIndex({ source, connection: database, ...deps }, signal)
    expect(report.differences.map(formatDifference)).toEqual([])
    // Each message of a trace is an edge, done or open; of a broken one that which nobody saw sent is open (v3.md 7.1).
    const [wrong] = await server.run<{ broken: string; wrong: string }>(
      database,
      `select count(*) filter (where state = ${TRACE_BROKEN}) as broken,
         count(*) filter (where edges + pending_edges <> messages or (state = ${TRACE_BROKEN}) <> (unseen > 0) or pending_edges < unseen) as wrong
       from traces, lateral (
         select count(*) as messages, count(*) filter (where m.direction = 0 and m.source is not null and m.source <> $1) as unseen
         from transactions t join messages m on m.tx_account = t.account and m.tx_lt = t.lt where t.trace_id = traces.trace_id and m.listed) as said`,
      [Buffer.concat([Buffer.from('ffffffff', 'hex'), Buffer.alloc(32)])],
    )
    expect(wrong).toEqual({ broken: 'state' in rest ? '2' : '0', wrong: '0' })
    // Whole states where the one before the first block is known, the accounts that no block touched included.
    const [whole] = await server.run<{ accounts: string; open: string }>(
      database,
      'select count(*) filter (where status <> 3) as accounts, count(*) filter (where data_hash is not null and data_boc is null) as open from accounts',
    )
    expect(whole).toEqual('state' in rest ? { accounts: '8', open: '0' } : { accounts: expect.any(String), open: expect.any(String) })
  })

  it.each([
    ['at once', [2690]],
    // What is remembered of extra currencies ends with the process, and their dictionary does not change in these blocks.
    ['in two goes', [2675, 2690]],
  ])('accounts are those of the state after the last block: indexed %s', async (_, stops) => {
    const { name, state } = SETS[1]
    const source = createSetSource(name, state)
    const database = await server.database()
    for (const seqno of stops) {
      const id = (await createSource(source).masterId(seqno, signal))!
      const upTo: LiteServer = {
        ...source,
        head: () => ({ id, utime: 0, epoch: 0 }),
        async *heads(stop) {
          yield { id, utime: 0, epoch: 0 }
          if (!stop.aborted) await once(stop, 'abort')
        },
      }
      await indexUpTo(upTo, database, seqno, { from: source.first, selection: MASTERCHAIN_ALONE, topics: [] })
    }
    const rows = await server.run<{ id: string; balance: string; extra: object | null }>(
      database,
      `select encode(substr(account, 5), 'hex') as id, balance, balance_extra as extra from accounts where status <> 3`,
    )
    // Found by our dictionary, which other tests compare: @ton/core throws on every real masterchain state.
    const accounts = loadAugE(loadShardState(parseBocRoot(readData(`chain/${name}.state-2690.boc.gz`))).accounts.slice(), shardAccountsAug)
    const expected = [...augEntries(shardAccountsAug, accounts, { cells: 1e9 })].map(([id, , value]) => {
      const { coins, other } = loadAccount(toCore(value.loadRef()).beginParse().skip(1)).storage.balance
      const extra = [...(other ?? [])].map(([currency, amount]) => [currency, String(amount)])
      return { id: id.toString(16).padStart(64, '0'), balance: String(coins), extra: extra.length > 0 ? Object.fromEntries(extra) : null }
    })
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
    expect(rows.sort(byId)).toEqual(expected.sort(byId))
    expect(rows.filter(({ extra }) => extra !== null).length).toBe(1)
    const [half] = await server.run<{ count: string }>(
      database,
      'select count(*) from transactions t join accounts a using (account) where a.balance_extra is not null and t.after_balance is not null and t.after_extra is null',
    )
    expect(half?.count).toBe('0')
  })

  it('the index begins at the head, and refuses to be moved to an earlier block', async () => {
    const source = createSetSource(SETS[1].name, SETS[1].state)
    const database = await server.database()
    const deps = { from: 'head', selection: MASTERCHAIN_ALONE, topics: [] } as const
    await indexUpTo(source, database, source.last, deps)
    const [place] = await server.run<{ first: number }>(database, 'select first_mc_seqno as first from index_checkpoint')
    expect(place?.first).toBe(source.last)
    const indexer = startIndexer(source, database, { ...deps, from: source.first })
    await until(() => indexer.status().error !== '')
    await indexer.close()
    const text = `the index begins with block ${source.last}: to begin with ${source.first} give another DATABASE_URL, or empty it`
    expect(indexer.status().error).toBe(text)
  })

  it('the index of one account has its transactions, messages and state', async () => {
    const source = createSetSource(SETS[1].name, SETS[1].state)
    const database = await server.database()
    const elector = { workchain: -1, hash: new Uint8Array(32).fill(0x33) }
    const selection = createSelection([elector], [])
    await indexUpTo(source, database, source.last, { from: source.first, selection, topics: [] })
    const key = Buffer.concat([Buffer.from('ffffffff', 'hex'), elector.hash])
    const { transactions, messages } = coreRows(readSet(SETS[1].name))
    const of = (rows: Core['transactions'], name: string) => rows.filter((row) => key.equals(row[name] as Buffer))
    await compare(database, { transactions: of(transactions, 'account'), messages: of(messages, 'tx_account'), bodies: new Map() })
    const accounts = await server.run<{ account: Buffer }>(database, 'select account from accounts')
    expect(accounts.map(({ account }) => account.toString('hex'))).toEqual([key.toString('hex')])
    const [blocks] = await server.run<{ count: string }>(database, 'select count(*) from blocks')
    expect(Number(blocks?.count)).toBe(source.last - source.first + 1)
  })

  it.each([
    ['mainnet-bundle-56703839', 182],
    ...(hasData('chain/testnet-bundle-36649624.json') ? [['testnet-bundle-36649624', undefined] as const] : []),
    ['mainnet-shard2000-571525-571555', 0],
  ] as const)('%s: blocks of shards are indexed without a masterchain', async (name, count) => {
    const set = name.includes('bundle') ? readBundle(name) : readSet(name)
    const source = createSource({
      query: async (_fn, args) => {
        const { id } = args as unknown as { id: { rootHash: Uint8Array } }
        const row = set.rows.find(({ root_hash }) => root_hash === Buffer.from(id.rootHash).toString('hex'))!
        return { data: Buffer.from(row.boc, 'base64') } as never
      },
      heads: async function* () {},
    })
    const database = await server.database()
    const connection = await connect(database)
    const copy = createCopier(connection)
    await connection.query('begin')
    const deps = {
      open: createOpenMessages(),
      extras: { get: () => undefined, set: () => {}, stored: async () => undefined },
      configs: { version: async ({ info }: SourceBlock) => info.genSoftware?.version ?? 0 },
      fromStart: false,
      senders: async () => new Map(),
    }
    for (const row of [...set.index].sort((a, b) => a.seqno - b.seqno)) {
      const id = {
        ...{ workchain: row.workchain, shard: BigInt(`0x${row.shard}`), seqno: row.seqno },
        ...{ rootHash: Buffer.from(row.root_hash, 'hex'), fileHash: Buffer.from(row.file_hash, 'hex') },
      }
      const block = await source.block(id, signal)
      const rows = await deriveGroup(
        [{ master: block, shards: [], tops: [] }],
        { ...deps, source: { account: async () => undefined } },
        signal,
      )
      await copy((await groupLines(rows, new Rows(accounts))).filter(([table]) => table !== shardTops))
    }
    await connection.query('commit')
    await connection.close()
    const expected = coreRows(set)
    if (count !== undefined) expect(expected.transactions.length).toBe(count)
    await compare(database, expected)
    const [blocks] = await server.run<{ count: string }>(database, 'select count(*) from blocks')
    expect(Number(blocks?.count)).toBe(set.index.length)
  })
})

/** A collation bundle in the form of a set. */
const readBundle = (name: string): ReturnType<typeof readSet> => {
  const { blocks } = JSON.parse(readData(`chain/${name}.json.gz`).toString()) as {
    blocks: readonly { root_hash: string; file_hash: string; boc: string; info: { workchain: number; shard: string; seqno: number } }[]
  }
  const rows = blocks.map(({ root_hash, boc }) => ({ id: root_hash, root_hash, boc, proof: null }))
  // The ids are those of the bytes.
  for (const { root_hash, file_hash, boc } of blocks) {
    const data = Buffer.from(boc, 'base64')
    expect([parseBocRoot(data).hashHex(), createHash('sha256').update(data).digest('hex')]).toEqual([root_hash, file_hash])
  }
  const index = blocks.map(({ root_hash, file_hash, info }) => ({ ...info, root_hash, file_hash, prev: [] }))
  return { index: index as unknown as ReturnType<typeof readSet>['index'], rows }
}
