import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Making } from '../../../server/chain/local/collate/open-work.ts'
import { external } from '../../../server/chain/local/collate/phases/external.ts'
import { createMempool, type Mempool } from '../../../server/chain/local/mempool.ts'
import type { AccountInput } from '../../../server/chain/local/model.ts'
import { readExternal } from '../../../server/chain/local/read-external.ts'
import { openChainStore } from '../../../server/chain/local/store/chain-store.ts'
import { chainFiles } from '../../../server/chain/local/store/lock-directory.ts'
import type { AccountId } from '../../../server/tlb/ids.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { wideTree } from '../../kit/bombs.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { timeTurns } from '../../kit/turns.ts'
import { EMPTY, openChain, signal, TON } from './collate/kit.ts'

/* Large messages that wait in great number: they are read from the log one by one, each in a turn of its own. */

const root = mkdtempSync(join(tmpdir(), 'tonway-test-'))
let tvm: Tvm
beforeAll(() => {
  tvm = createTestTvm({ workers: 1 })
})
afterAll(async () => {
  await tvm.close()
  rmSync(root, { recursive: true, force: true })
})

const id: AccountId = { workchain: 0, hash: new Uint8Array(32).fill(0x77) }
/** SETCP0 ACCEPT: takes every message. */
const code = beginCell().storeUint(0xff00f800, 32).end()
const taker: AccountInput = { account: id, balance: 1000n * TON, code, data: beginCell().end() }
/** SETCP0 TRUE THROW 77: takes none. */
const refuser: AccountInput = { ...taker, code: beginCell().storeUint(0xff00f24d, 32).end() }

const messageTo = ({ workchain, hash }: AccountId, n: number, cells: number): Uint8Array =>
  serializeBoc(
    beginCell()
      .storeUint(0b1000, 4)
      .storeUint(0b100, 3)
      .storeInt(workchain, 8)
      .storeBytes(hash)
      .storeCoins(0n)
      .storeUint(0b01, 2)
      .storeRef(wideTree(cells, (cell, i) => cell.storeUint(n, 16).storeUint(i, 16)))
      .end(),
  )
const COUNT = 24
const large = Array.from({ length: COUNT }, (_, n) => messageTo(id, n, 5000))

/** A mempool whose messages are all read from `bocs`, and how often each was. */
const waitingIn = (bocs: readonly Uint8Array[]): { readonly mempool: Mempool; readonly reads: number[] } => {
  const reads = bocs.map(() => 0)
  const mempool = createMempool(10_000, (at) => {
    reads[at]!++
    return readExternal(bocs[at]!)
  })
  // So many bytes that no cells stay in memory.
  for (const [at, boc] of bocs.entries()) mempool.add({ ...readExternal(boc), at, acceptedAt: Date.now(), bytes: 5 << 20 })
  return { mempool, reads }
}

it('a block reads each waiting message once, in turns', async () => {
  const { mempool, reads } = waitingIn(large)
  const chain = openChain([refuser])
  await chain.step({})
  const step = () =>
    chain.collator.step(chain.tip, { ...EMPTY, utime: chain.tip.master.utime, externals: mempool.take(COUNT, Date.now()) }, signal)
  expect((await step()).refused).toHaveLength(COUNT)
  expect(reads).toEqual(large.map(() => 1))
  const { longest, all } = await timeTurns(step)
  expect(longest).toBeLessThan(all / 4)
})

it('while the out queue is too long, no message is read', async () => {
  const { mempool, reads } = waitingIn(large)
  const making = { queue: { size: 9000 }, journal: {} } as Making
  const outcomes = await external(making, mempool.take(COUNT, Date.now()), 0)
  expect(outcomes).toEqual(large.map(() => ({ type: 'postponed' })))
  expect(Math.max(...reads)).toBe(0)
})

it('waiting messages have at most 64 MiB', () => {
  const mempool = createMempool(100, () => {
    throw new Error('no message is read')
  })
  const add = (n: number): void => mempool.add({ ...readExternal(messageTo(id, n, 1)), at: n, acceptedAt: 0, bytes: 20 << 20 })
  for (let n = 0; n < 4; n++) {
    expect(mempool.hasRoom()).toBe(true)
    add(n)
  }
  expect(mempool.hasRoom()).toBe(false)
  mempool.remove(mempool.take(1, 0))
  expect(mempool.hasRoom()).toBe(true)
})

it('a check after waiting messages reads and runs them in turns', async () => {
  const { mempool, reads } = waitingIn(large)
  const chain = openChain([taker])
  await chain.step({})
  const { message } = readExternal(messageTo(id, COUNT, 1))
  const waiting = mempool.waitingFor(id)
  expect(Math.max(...reads)).toBe(0)
  const check = () => chain.collator.check(chain.tip, message, chain.tip.master.utime, signal, waiting)
  await check()
  const { longest, all } = await timeTurns(check)
  expect(longest).toBeLessThan(all / 4)

  const stop = new AbortController()
  reads.fill(0)
  const stopped = chain.collator.check(chain.tip, message, chain.tip.master.utime, stop.signal, waiting)
  setImmediate(() => stop.abort(new Error('gone')))
  await expect(stopped).rejects.toThrow('gone')
  expect(reads.filter((count) => count > 0).length).toBeLessThan(COUNT / 2)
})

it('a start reads the messages that waited in turns', async () => {
  const dataDir = join(root, 'start')
  await (await createTestChain(tvm, { dataDir, accounts: [refuser] })).close()
  const store = await openChainStore(chainFiles(dataDir), () => Promise.reject(new Error('the chain is made')))
  for (const boc of large) store.appendMessage(Date.now(), boc)
  store.close()
  const open = async () => (await createTestChain(tvm, { dataDir, accounts: [refuser], isStill: true })).close()
  await open()
  const { longest, all } = await timeTurns(open)
  expect(longest).toBeLessThan(all / 4)
})
