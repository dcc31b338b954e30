import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import type { LocalChain } from '../../server/chain/local/local-chain.ts'
import type { Indexer } from '../../server/index/service/indexer.ts'
import { TOPICS } from '../../server/index/topics/registry.ts'
import { formatDifference } from '../../server/index/verify/compare.ts'
import { verifyIndex } from '../../server/index/verify/verify.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { createTestChain } from '../kit/chain/local-chain.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { createRandom } from '../kit/random.ts'
import { sleep, until } from '../kit/wait.ts'
import { differences, dump, indexUpTo, startIndexer } from './kit.ts'
import { createTally, makeTallyTables } from './tally.ts'

const signal = AbortSignal.timeout(400_000)

describe('the embedded chain is followed, also back', () => {
  let server: TestServer
  let database: ClientConfig & { readonly database: string }
  let empty: string
  let tvm: Tvm
  // With a topic, whose rows go back too.
  const topics = [...TOPICS, createTally('seqno')]
  let deps: { readonly tvm: Tvm; readonly topics: typeof topics }
  let chain: LocalChain
  let indexer: Indexer
  beforeAll(async () => {
    tvm = createTestTvm({ workers: 1 })
    deps = { tvm, topics }
    server = await startTestServer()
    const made = await server.database()
    await makeTallyTables(server, made)
    empty = made.database
    database = await server.database(empty)
    chain = await createTestChain(tvm)
    indexer = startIndexer(chain, database, deps)
    await indexer.reached(1, signal)
  })
  afterAll(async () => {
    await indexer?.close()
    await chain?.close()
    await server?.close()
    await tvm?.close()
  })

  /** Until readers see the chain's own head, that very block. */
  const settled = async (): Promise<void> => {
    for (;;) {
      // The chain goes on by itself while messages are on their way.
      const { id } = chain.head!()
      await indexer.reached(id.seqno, signal)
      const [row] = await server.run<{ seqno: number; root: Buffer }>(
        database,
        'select h.mc_seqno as seqno, c.root_hash as root from published_head h, index_checkpoint c',
      )
      if (row?.seqno === id.seqno && row.root.equals(id.rootHash)) return
      await sleep(5)
    }
  }
  const account = (n: number) => ({ workchain: n % 5 === 0 ? -1 : 0, hash: new Uint8Array(32).fill(n + 1) })

  it(
    'after 40 random steps with reverts the tables are what the blocks say, and equal a new index of the chain',
    { timeout: 240_000 },
    async () => {
      const random = createRandom(4)
      const { control } = chain
      const snapshots: string[] = []
      let reverts = 0
      for (let step = 0; step < 40; step++) {
        const n = random.below(8)
        switch (random.below(7)) {
          case 0:
          case 1:
            await control.fund(account(n), 1_000_000_000n + BigInt(random.below(1000)), signal)
            break
          case 2: {
            const body = beginCell().storeUint(step, 32).storeUint(0, 64).end()
            await control.sendInternal({ from: account(n), to: account(random.below(8)), value: 50_000_000n, body, bounce: true }, signal)
            break
          }
          case 3: {
            const data = beginCell().storeUint(step, 32).storeRef(beginCell().storeUint(n, 256).end()).end()
            const code = beginCell()
              .storeUint(0xff00 + n, 16)
              .end()
            await control.setAccount(account(n), { balance: 5_000_000_000n + BigInt(step), code, data }, signal)
            break
          }
          case 4:
            await control.mine(1 + random.below(3), signal)
            break
          case 5:
            snapshots.push(await control.snapshot(signal))
            break
          default: {
            const at = snapshots.pop()
            if (at === undefined) break
            await control.revert(at, signal)
            reverts += 1
          }
        }
        // Now the index keeps up, now it falls behind and meets a chain that has gone back meanwhile.
        if (random.below(2) === 0) await settled()
      }
      expect(reverts).toBeGreaterThan(2)
      await settled()
      const report = await verifyIndex({ source: chain, connection: database, ...deps }, signal)
      expect(report.differences.map(formatDifference)).toEqual([])

      const fresh = await server.database(empty)
      await indexUpTo(chain, fresh, chain.head!().id.seqno, deps)
      expect(differences(await dump(database, topics), await dump(fresh, topics))).toEqual([])
      const [head] = await server.run<{ epoch: string }>(database, 'select epoch from published_head')
      expect(Number(head?.epoch)).toBeGreaterThan(0)
    },
  )

  it('a trace that is cut in two by a revert is open again', async () => {
    const { control } = chain
    await control.mine(2, signal)
    // To an account of the masterchain: the message is delivered one block later.
    const before = await control.snapshot(signal)
    await control.fund({ workchain: -1, hash: new Uint8Array(32).fill(0x77) }, 1_000_000_000n, signal)
    await settled()
    const whole = await dump(database)
    await control.revert(before, signal)
    await settled()
    const report = await verifyIndex({ source: chain, connection: database, ...deps }, signal)
    expect(report.differences.map(formatDifference)).toEqual([])
    expect(whole.traces.length).toBeGreaterThan((await dump(database)).traces.length)
  })

  it('an index that was off while the chain was reverted finds the common block', async () => {
    const { control } = chain
    const before = await control.snapshot(signal)
    await control.fund(account(3), 2_000_000_000n, signal)
    await control.mine(5, signal)
    await settled()
    await indexer.close()
    await control.revert(before, signal)
    await control.fund(account(4), 3_000_000_000n, signal)
    await control.mine(9, signal)
    indexer = startIndexer(chain, database, deps)
    await settled()
    const report = await verifyIndex({ source: chain, connection: database, ...deps }, signal)
    expect(report.differences.map(formatDifference)).toEqual([])
  })

  it('a revert asks for the states of accounts side by side', async () => {
    const { control } = chain
    const before = await control.snapshot(signal)
    for (let n = 0; n < 8; n++) await control.fund(account(n), 1_000_000_000n, signal)
    await settled()
    await indexer.close()
    await control.revert(before, signal)
    let [running, most] = [0, 0]
    const query: LocalChain['query'] = async (fn, ...rest) => {
      const isState = fn === 'getAccountState'
      if (isState) most = Math.max(most, ++running)
      await sleep(2)
      const answer = await chain.query(fn, ...rest)
      if (isState) running--
      return answer
    }
    indexer = startIndexer({ ...chain, query }, database, deps)
    await settled()
    expect(most).toBeGreaterThan(4)
    const report = await verifyIndex({ source: chain, connection: database, ...deps }, signal)
    expect(report.differences.map(formatDifference)).toEqual([])
  })

  it('an index whose first block is reverted begins again when that block comes again', async () => {
    const { control } = chain
    const before = await control.snapshot(signal)
    const { seqno: from } = await control.mine(3, signal)
    await control.fund(account(5), 1_000_000_000n, signal)
    const late = await server.database(empty)
    const follower = startIndexer(chain, late, { ...deps, from })
    await follower.reached(chain.head!().id.seqno, signal)

    await control.revert(before, signal)
    await until(() => follower.status().seqno === -1 && follower.status().error !== '')
    expect(await server.run(late, 'select seqno from blocks')).toEqual([])
    await until(() => follower.status().error.includes(`the chain has no masterchain block ${from} yet`))
    await control.fund(account(6), 1_000_000_000n, signal)
    const { seqno } = await control.mine(6, signal)
    await follower.reached(seqno, signal)
    expect(follower.status()).toMatchObject({ first: from, error: '' })
    await follower.close()
    const report = await verifyIndex({ source: chain, connection: late, ...deps }, signal)
    expect([report.first, report.differences.map(formatDifference)]).toEqual([from, []])
  })

  it('ihr_fee comes from extra_flags by the version of the network, not by that of its validators', async () => {
    const versions = await server.database(empty)
    const other = await createTestChain(tvm)
    try {
      // Without capReportVersion a block does not say who made it.
      const version = (n: number) =>
        new Map([
          [
            8,
            beginCell()
              .storeUint(0xc4, 8)
              .storeUint(n, 32)
              .storeUint(0x2e & ~8, 64)
              .end(),
          ],
        ])
      const told: unknown[] = []
      for (const n of [11, 12]) {
        await other.control.setConfig(version(n), signal)
        const { seqno } = await other.control.fund(account(n), 1_000_000_000n, signal)
        // Key blocks that pass by, and one that has to be asked about.
        for (const again of [false, true]) {
          if (again) await other.control.mine(1, signal)
          await indexUpTo(other, versions, other.head!().id.seqno, { ...deps, topics: [] })
        }
        const rows = await server.run<object>(
          versions,
          'select distinct ihr_fee, extra_flags from messages where mc_seqno = $1 and value is not null',
          [seqno],
        )
        told.push(rows)
      }
      expect(told).toEqual([[{ ihr_fee: '0', extra_flags: null }], [{ ihr_fee: '0', extra_flags: '0' }]])
    } finally {
      await other.close()
    }
  })
})
