import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createChain } from '../../../server/chain/chain.ts'
import type { Endpoint } from '../../../server/chain/endpoint/server.ts'
import { openAnchorFile } from '../../../server/chain/lite/anchor-file.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { until } from '../../kit/wait.ts'
import { createTestPool, serve, type TestPool } from './kit.ts'
import { plain } from './plain.ts'

/* An embedded chain whose blocks are undone, followed over ADNL; and what a follower keeps of its proofs over restarts. */

const { signal } = new AbortController()
let tvm: Tvm
let local: LocalChain
let endpoint: Endpoint
const closing: { close(): unknown }[] = []

beforeAll(async () => {
  tvm = createTestTvm({ workers: 1 })
  local = await createTestChain(tvm, {}, { clock: { now: () => Math.floor(Date.now() / 1000) } })
  await local.control.mine(5, signal)
  endpoint = await serve(local)
})
afterEach(async () => {
  for (const each of closing.splice(0).reverse()) await each.close()
})
afterAll(async () => {
  await endpoint.close()
  await local.close()
  await tvm.close()
})

const open = async (options = {}): Promise<TestPool> => {
  const pool = await createTestPool(local, [endpoint], options)
  closing.push(pool)
  await pool.ready(60_000)
  return pool
}

describe('a chain that is reverted', () => {
  it('a reverted chain begins a new epoch for a follower that knows it can be reverted, however far it has gone on', async () => {
    const pool = await open({ revertible: true })
    const chain = createChain({ source: pool, tvm })
    const { address } = local.control.wallets()[0]!
    const same = () => expect(plain(chain.head().id)).toEqual(plain(local.head!().id))
    const caughtUp = () => until(() => plain(chain.head().id.rootHash) === plain(local.head!().id.rootHash))
    await caughtUp()
    const snapshot = await local.control.snapshot(signal)
    const before = (await chain.account(address, undefined, signal)).balance.grams

    // Further than where it was: only the blocks tell.
    for (const [blocks, epoch] of [
      [0, 1],
      [9, 2],
    ] as const) {
      await local.control.fund(address, 5_000_000_000n, signal)
      await local.control.mine(3, signal)
      await caughtUp()
      expect((await chain.account(address, undefined, signal)).balance.grams).toBeGreaterThan(before)
      await local.control.revert(snapshot, signal)
      if (blocks > 0) await local.control.mine(blocks, signal)
      await caughtUp()
      same()
      expect(chain.head().epoch).toBe(epoch)
      expect((await chain.account(address, undefined, signal)).balance.grams).toBe(before)
    }
    expect(pool.status().servers[0]).toMatchObject({ state: 'ready', lies: 0, trouble: null })
  })

  it('a reverted chain is a liar to a follower that takes it for one that cannot be reverted', async () => {
    const pool = await open()
    const snapshot = await local.control.snapshot(signal)
    await local.control.mine(3, signal)
    const { seqno } = local.head!().id
    await until(() => pool.status().head === seqno)
    await local.control.revert(snapshot, signal)
    await until(() => (pool.status().servers[0]?.lies ?? 0) > 0)
    expect(pool.status()).toMatchObject({
      head: seqno,
      servers: [{ trouble: expect.stringMatching(/set aside: head: the head went back from /) }],
    })
  }, 120_000)
})

describe('the newest key block proven', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-keyblock-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const zero = { workchain: -1, rootHash: new Uint8Array(32).fill(1), fileHash: new Uint8Array(32).fill(2) }
  const block = (seqno: number): BlockId => ({ ...zero, shard: 1n << 63n, seqno })

  it('the newest proven key block is kept for its network', async () => {
    const file = await openAnchorFile(folder, zero)
    expect(file.anchor).toBeUndefined()
    await Promise.all([file.keep(block(5)), file.keep(block(9))])
    expect(plain((await openAnchorFile(folder, zero)).anchor)).toEqual(plain(block(9)))
    expect((await openAnchorFile(folder, { ...zero, fileHash: new Uint8Array(32) })).anchor).toBeUndefined()
    const [name] = readdirSync(folder)
    writeFileSync(join(folder, name!), readFileSync(join(folder, name!), 'utf8').slice(0, 20))
    expect((await openAnchorFile(folder, zero)).anchor).toBeUndefined()
  })

  it('the next start begins at the newest proven key block and asks for no earlier link', async () => {
    const known: BlockId[] = []
    const watched = await serve({
      ...local,
      query(fn, args, stop) {
        if (fn === 'getBlockProof') known.push((args as { from: BlockId }).from)
        return local.query(fn, args, stop)
      },
    })
    closing.push(watched)
    const told: BlockId[] = []
    const { init } = await local.query('getMasterchainInfo', {}, signal)
    const start = { ...init, shard: 1n << 63n, seqno: 0 }
    const first = await createTestPool(local, [watched], { init: start, onKeyBlock: (id: BlockId) => told.push(id) })
    closing.push(first)
    await first.ready(60_000)
    expect(told.map(({ seqno }) => seqno)).toEqual([1])
    expect(known[0]!.seqno).toBe(0)
    known.length = 0
    const second = await createTestPool(local, [watched], { init: start, anchor: told[0] })
    closing.push(second)
    await second.ready(60_000)
    expect(new Set(known.map(({ seqno }) => seqno))).toEqual(new Set([1]))
    // An older one than that of the config is of no use.
    known.length = 0
    const third = await createTestPool(local, [watched], { init: told[0]!, anchor: start })
    closing.push(third)
    await third.ready(60_000)
    expect(new Set(known.map(({ seqno }) => seqno))).toEqual(new Set([1]))
  })
})

// The last one: the clock of the chain is not set back.
describe('a chain of one’s own', () => {
  it('a chain of one’s own may have its clock set ahead', async () => {
    const pool = await open({ revertible: true })
    await local.control.increaseTime(86_400, signal)
    await local.control.mine(1, signal)
    const { seqno } = local.head!().id
    await until(() => pool.status().head === seqno)
    expect(pool.status().servers[0]).toMatchObject({ faults: 0 })
  })
})
