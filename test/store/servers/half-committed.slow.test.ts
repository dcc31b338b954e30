import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { createRetention } from '../../../server/index/retention/retention.ts'
import type { Indexer } from '../../../server/index/service/indexer.ts'
import { TOPICS } from '../../../server/index/topics/registry.ts'
import { formatDifference } from '../../../server/index/verify/compare.ts'
import { verifyIndex } from '../../../server/index/verify/verify.ts'
import { migrate } from '../../../server/store/migrate.ts'
import { connect } from '../../../server/store/postgres/connection.ts'
import { builder, createReader, type Reader } from '../../../server/store/postgres/reader.ts'
import { readIndex } from '../../../server/store/queries/view.ts'
import { startIndexer } from '../../index/kit.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { CITUS_URL, type CitusNode, citusDatabase, citusNodes, createCitusDatabase, dropCitusDatabases } from '../../kit/index/citus.ts'
import { startTestServer, type TestServer } from '../../kit/index/database.ts'
import { type NodeAddress, startNodeAddress } from '../../kit/index/node-address.ts'
import { sleep, until } from '../../kit/wait.ts'

/* A Citus cluster commits on one node after the other. Here it is stopped, or a node is lost, when the coordinator has committed and a node has not. */

const NAME = `tonway_half_committed_${process.pid}`
const COMMIT = 'COMMIT PREPARED'

/** Skipped without TONWAY_TEST_CITUS_URL: nothing else commits in two steps. */
describe.skipIf(CITUS_URL === undefined)('commits of a Citus cluster that are half done (skipped without TONWAY_TEST_CITUS_URL)', () => {
  const url = CITUS_URL!
  const signal = AbortSignal.timeout(240_000)
  const tvm = createTestTvm({ workers: 1 })
  let nodes: readonly CitusNode[]
  let server: TestServer
  let addresses: readonly NodeAddress[]
  let database: ClientConfig
  let chain: LocalChain
  let indexer: Indexer
  let reader: Reader
  let made = 0

  /** Blocks with a transfer to each of eight new accounts, which are on both nodes. */
  const fund = async (): Promise<void> => {
    for (let i = 0; i < 8; i++)
      await chain.control.fund({ workchain: 0, hash: Buffer.alloc(32, `account ${made++} `) }, 1_000_000_000n, signal)
  }
  const head = (): number => chain.head!().id.seqno
  const indexed = (): Promise<void> => indexer.reached(head(), signal)
  const run = <R>(text: string): Promise<R[]> => server.run<R>(database, text)
  const place = async () =>
    (
      await run<{ head: number; stored: number }>(
        'select h.mc_seqno as head, c.mc_seqno as stored from published_head h, index_checkpoint c',
      )
    )[0]!

  /** What an answer can say, read from all nodes: which accounts there are, and transactions that cannot be found by their hash, which is mostly on another node. */
  const look = () =>
    readIndex(reader, signal, async (view) => {
      const accounts = await view.rows(builder.selectFrom('accounts').select(['account', 'mc_seqno']).where('mc_seqno', '<=', view.head))
      const transactions = await view.rows(
        builder.selectFrom('transactions').select(['account', 'lt', 'mc_seqno', 'hash']).where('mc_seqno', '<=', view.head),
      )
      const known = await view.rows(builder.selectFrom('tx_by_hash').select(['hash']))
      const named = new Set(known.map((row) => row.hash.toString('hex')))
      return {
        head: view.head,
        epoch: view.epoch,
        accounts: accounts.map(({ account, mc_seqno }) => `${account.toString('hex')} ${mc_seqno}`).sort(),
        transactions: transactions.length,
        bare: transactions.filter(({ hash, mc_seqno }) => mc_seqno > 1 && !named.has(hash.toString('hex'))).length,
      }
    })
  type Seen = Awaited<ReturnType<typeof look>>
  /** Looks until `over` ends. What could not be told is left out. */
  const lookUntil = async (over: Promise<unknown>): Promise<readonly Seen[]> => {
    const seen: Seen[] = []
    let isOver = false
    const done = over.finally(() => {
      isOver = true
    })
    while (!isOver) {
      await look().then(
        (found) => seen.push(found),
        (error) => expect(error).toMatchObject({ kind: 'UNAVAILABLE' }),
      )
      await sleep(2)
    }
    await done
    return seen
  }
  const verified = async (): Promise<readonly string[]> => {
    const { differences } = await verifyIndex({ source: chain, connection: database, tvm }, signal)
    return differences.map(formatDifference)
  }

  beforeAll(async () => {
    nodes = await citusNodes(url)
    const ports = nodes.filter(({ isCoordinator }) => !isCoordinator).map(({ port }) => port)
    addresses = await Promise.all(ports.map(startNodeAddress))
    await createCitusDatabase(url, nodes, NAME, ({ port }) => addresses[ports.indexOf(port)]!.port)
    database = citusDatabase(url, NAME)
    await migrate(database)
    server = await startTestServer()
    chain = await createTestChain(tvm)
    indexer = startIndexer(chain, database, { tvm })
    reader = createReader(database, { connections: 4 })
    await fund()
    await indexed()
  }, 120_000)
  afterAll(async () => {
    for (const address of addresses ?? []) address.mend()
    await reader?.close()
    await indexer?.close()
    await chain?.close()
    await server?.close()
    for (const address of addresses ?? []) await address.close()
    await dropCitusDatabases(url, nodes, [NAME])
    await tvm.close()
  })

  it('a reader sees the index before a revert or after it, while one node has not reverted yet', { timeout: 120_000 }, async () => {
    const snapshot = await chain.control.snapshot(signal)
    await fund()
    await indexed()
    const before = await look()
    for (const address of addresses) {
      const trap = address.trap(COMMIT)
      await chain.control.revert(snapshot, signal)
      await trap.caught
      await expect(look()).rejects.toThrow('the index is being changed')
      const waiting = look()
      await sleep(100)
      trap.release()
      const after = await waiting
      await indexed()
      expect(after.epoch).toBeGreaterThan(before.epoch)
      expect(after.accounts.filter((row) => Number(row.split(' ')[1]) > after.head)).toEqual([])
      expect(await look()).toEqual(after)
      await fund()
      await indexed()
    }
    expect(await verified()).toEqual([])
  })

  it('a reader never sees a part of a transaction while history leaves', { timeout: 120_000 }, async () => {
    const connection = await connect(database)
    try {
      for (const [i, address] of addresses.entries()) {
        const { pass } = createRetention(connection, {
          keep: { blocks: 14 - 4 * i },
          topics: TOPICS,
          reverts: true,
          isPartial: false,
          onCut: () => {},
        })
        const whole = await look()
        const trap = address.trap(COMMIT)
        const passed = pass(signal)
        await trap.caught
        await expect(look()).rejects.toThrow('the index is being changed')
        trap.release()
        const seen = await lookUntil(passed)
        expect((await passed)!.transactions).toBeGreaterThan(0)
        expect(seen.length).toBeGreaterThan(0)
        expect(seen.filter(({ bare }) => bare > 0)).toEqual([])
        expect((await look()).transactions).toBeLessThan(whole.transactions)
      }
    } finally {
      await connection.close()
    }
  })

  it('a block is told once a node that was lost in the middle of its commit has it', { timeout: 120_000 }, async () => {
    for (const address of addresses) {
      const before = await look()
      const trap = address.trap(COMMIT)
      await fund()
      await trap.caught
      address.cut()
      trap.release()
      // The coordinator has acknowledged the commit.
      await until(async () => (await place()).stored > before.head)
      await expect(look()).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
      await sleep(1_500)
      const { head: told, stored } = await place()
      expect(told).toBeLessThan(stored)
      address.mend()
      const seen = await lookUntil(indexed())
      expect(seen.length).toBeGreaterThan(0)
      // Every block has one transaction of an account of its own.
      const perBlock = before.transactions - before.head
      expect(seen.filter((each) => each.transactions - each.head !== perBlock)).toEqual([])
      expect((await look()).head).toBe(head())
      expect(await verified()).toEqual([])
    }
  })

  it('a revert is told once a node that was lost in the middle of its commit has it', { timeout: 120_000 }, async () => {
    const snapshot = await chain.control.snapshot(signal)
    await fund()
    await indexed()
    const before = await look()
    const trap = addresses[0]!.trap(COMMIT)
    await chain.control.revert(snapshot, signal)
    await trap.caught
    addresses[0]!.cut()
    trap.release()
    await sleep(500)
    await expect(look()).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
    addresses[0]!.mend()
    const seen = await lookUntil(indexed())
    const after = await look()
    expect(after.epoch).toBeGreaterThan(before.epoch)
    expect(after.accounts.filter((row) => Number(row.split(' ')[1]) > after.head)).toEqual([])
    for (const each of seen) expect([before, after]).toContainEqual(each)
    expect(await verified()).toEqual([])
  })
})
