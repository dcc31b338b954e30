import { createHash } from 'node:crypto'
import { beginCell, Cell } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import type { StepInput } from '../../../../server/chain/local/model.ts'
import { storeWhole } from '../../../../server/tlb/config/config-dictionary.ts'
import { blockLimits } from '../../../../server/tlb/config/limits.ts'
import { type MakeTransaction, makeTransaction } from '../../../../server/tvm/make-transaction.ts'
import { createTestTvm, tellingPool } from '../../../kit/chain/tvm.ts'
import { createValidator } from '../validate/step.ts'
import { ACCEPTER, accountId, COUNTER, contract, poke, RECOVERER, relay, THROWER } from './collate-contracts.ts'
import { fromCore, message, openChain, owner, send, TON } from './kit.ts'
import '../../../kit/tvm/curves.ts'

/* What the owner of the chain does to it, and blocks that are full. Every step is validated. */

const hexOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')
/** Data of a counter above a tree of so many cells. */
const counterWith = (count: number): Cell => {
  const cells: Cell[] = []
  for (let i = count - 1; i >= 0; i--) {
    const cell = beginCell().storeUint(i, 32)
    for (let child = 4 * i + 1; child <= 4 * i + 4 && child < count; child++) cell.storeRef(cells[child]!)
    cells[i] = cell.endCell()
  }
  return beginCell().storeUint(0, 32).storeRef(cells[0]!).endCell()
}
const counted = (chain: ReturnType<typeof openChain>, id: ReturnType<typeof accountId>): number | undefined => {
  const state = chain.account(id)?.account?.storage.state
  return state?.type === 'active' ? state.state.data!.beginParse().loadUint(32) : undefined
}

describe('the owner of the chain', () => {
  it('messages can be injected from any sender, to both chains', async () => {
    const counter = (n: number, workchain: number) =>
      contract(accountId(n, workchain), COUNTER, { data: beginCell().storeUint(0, 32).endCell() })
    const [here, there] = [counter(1, 0), counter(2, -1)]
    const chain = openChain([here, there])
    const from = accountId(9)
    const { found } = await chain.step({
      internals: [
        { from, to: here.account, value: TON },
        { from, to: there.account, value: 2n * TON },
        // The very same once more is another message.
        { from, to: here.account, value: TON },
      ],
    })
    expect(found.injected).toBe(3)
    expect(counted(chain, here.account)).toBe(2)
    expect(counted(chain, there.account)).toBe(1)
    expect(found.shard.flow.minted.grams).toBe(2n * TON)
    expect(found.master.flow.minted.grams).toBe(2n * TON)
    expect(found.shard.flow.imported.grams).toBe(0n)
    const info = [...found.master.ins.values()][0]!.msg.beginParse()
    expect(info.loadUint(4)).toBe(0b0100)
  })

  it('an injected message can deploy, and its bounce goes to the pretended sender', async () => {
    const thrower = contract(accountId(1), THROWER)
    const chain = openChain([thrower])
    const init = { code: COUNTER, data: beginCell().storeUint(0, 32).endCell() }
    const initCell = beginCell().storeUint(0b00110, 5).storeRef(init.code).storeRef(init.data).endCell()
    const to = { workchain: 0, hash: new Uint8Array(initCell.hash()) }
    const from = accountId(2)
    await chain.step({
      internals: [
        { from, to, value: TON, init: fromCore(initCell) },
        { from, to: thrower.account, value: TON, bounce: true, body: fromCore(beginCell().storeUint(5, 32).endCell()) },
      ],
    })
    expect(counted(chain, to)).toBe(1)
    expect(chain.balance(from)).toBeGreaterThan(TON / 2n)
  })

  it('accounts can be set: the difference is minted or burned, and they run as they were set', async () => {
    const poor = owner(0, 'v4', TON)
    const rich = owner(1, 'v4', 1000n * TON)
    const fresh = accountId(1)
    const chain = openChain([poor.account, rich.account])
    await chain.step({})
    const { found } = await chain.step({
      accounts: [
        { account: poor.id, balance: 500n * TON },
        { account: rich.id, balance: 900n * TON },
        contract(fresh, COUNTER, { data: beginCell().storeUint(41, 32).endCell(), balance: 3n * TON }),
        { account: accountId(2, -1), balance: 7n * TON },
      ],
    })
    expect(found.shard.flow.minted.grams).toBe(502n * TON)
    expect(found.shard.flow.burned.grams).toBe(100n * TON)
    expect(found.master.flow.minted.grams).toBe(7n * TON)
    expect(found.shard.transactions).toHaveLength(0)
    expect(chain.balance(poor.id)).toBe(500n * TON)
    expect(chain.account(accountId(2, -1))?.account?.storage.state.type).toBe('uninit')
    const { step } = await chain.step({ externals: [send(poor, 0, [message(fresh, 100n * TON)])] })
    expect(step.refused).toEqual([])
    expect(counted(chain, fresh)).toBe(42)
  })

  it('an account can be set and used in the same block', async () => {
    const o = owner(0)
    const id = accountId(1)
    const chain = openChain([o.account])
    await chain.step({
      accounts: [contract(id, COUNTER, { data: beginCell().storeUint(1, 32).endCell() })],
      externals: [send(o, 0, [message(id, TON)])],
      internals: [{ from: accountId(5), to: id, value: TON }],
    })
    expect(counted(chain, id)).toBe(3)
    // Code and data replaced in an account that already has a history.
    await chain.step({
      accounts: [{ account: id, data: fromCore(beginCell().storeUint(100, 32).endCell()) }],
      externals: [send(o, 1, [message(id, TON)])],
    })
    expect(counted(chain, id)).toBe(101)
  })

  it('the storage of large accounts is measured as in the emulator', async () => {
    const o = owner(0)
    const id = accountId(1)
    // 300 cells, half of them equal.
    let data = beginCell().storeUint(0, 32).endCell()
    for (let i = 0; i < 150; i++)
      data = beginCell()
        .storeUint(i, 32)
        .storeRef(data)
        .storeRef(
          beginCell()
            .storeUint(i % 75, 32)
            .endCell(),
        )
        .endCell()
    const chain = openChain([o.account, contract(id, Cell.EMPTY, { data })])
    await chain.step({})
    const before = chain.account(id)!.account!.storageStats.used
    await chain.step({ externals: [send(o, 0, [message(id, TON)])] })
    const after = chain.account(id)!.account!.storageStats
    expect(after.used.cells).toBe(before.cells)
    expect(after.used.cells).toBeGreaterThan(200n)
  })

  it('an injected message to a workchain that does not exist is refused', async () => {
    const chain = openChain([])
    const to = { workchain: 5, hash: new Uint8Array(32) }
    await expect(chain.step({ internals: [{ from: to, to, value: 1n }] }).then(() => 'made')).rejects.toThrow('workchain 5 does not exist')
    await expect(chain.step({ accounts: [{ account: to, balance: 1n }] }).then(() => 'made')).rejects.toThrow('workchain 5 does not exist')
  })
})

describe('full blocks', () => {
  const limits = (gas: number, bytes = 1_000_000, lt = 5000) =>
    storeWhole(blockLimits, {
      bytes: { underload: 100, softLimit: bytes, hardLimit: bytes * 2 },
      gas: { underload: 100, softLimit: gas, hardLimit: gas * 2 },
      ltDelta: { underload: 10, softLimit: lt, hardLimit: lt * 2 },
    })

  it('a full block postpones external messages and queues internal ones, which come first in the next block', async () => {
    const owners = Array.from({ length: 30 }, (_, n) => owner(n))
    const chain = openChain(owners.map((o) => o.account))
    await chain.step({ config: new Map([[23, limits(20_000)]]) })
    const dest = accountId(1)
    let waiting = owners.map((o) => send(o, 0, [message(dest, TON)]))
    const first = await chain.step({ externals: waiting })
    expect(first.step.postponed.length).toBeGreaterThan(10)
    expect(first.step.pending).toBe(true)
    expect([...first.found.shard.outs.values()].every((out) => out.type === 'new')).toBe(true)
    let steps = 1
    for (let step = first.step; step.pending || waiting.length > 0; steps++) {
      waiting = step.postponed.map((i) => waiting[i]!)
      ;({ step } = await chain.step({ externals: waiting }))
      if (waiting.length > 0 && step.postponed.length === 0) waiting = []
      expect(steps).toBeLessThan(40)
    }
    // Nothing is lost but what a few seconds of storage cost.
    expect(chain.balance(dest)).toBeGreaterThan(30n * TON - 100n)
    expect(steps).toBeGreaterThan(3)
  })

  it('a long chain of messages is cut at the lt limit and goes on in the next block', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => accountId(n))
    const chain = openChain([
      relay(ids[0]!, message(ids[1]!, TON), 1),
      ...ids.slice(1, -1).map((id, n) => relay(id, message(ids[n + 2]!, 0n))),
    ])
    await chain.step({ config: new Map([[23, limits(10_000_000, 1_000_000, 20)]]) })
    let { step } = await chain.step({ externals: [poke(ids[0]!)] })
    let steps = 1
    for (; step.pending; steps++) {
      ;({ step } = await chain.step({}))
      expect(steps).toBeLessThan(20)
    }
    expect(steps).toBeGreaterThan(3)
    expect(chain.balance(ids.at(-1)!)).toBeGreaterThan(0n)
  })

  it('the order between the chains is kept when the masterchain is full', async () => {
    const owners = Array.from({ length: 12 }, (_, n) => owner(n))
    const dest = contract(accountId(1, -1), COUNTER, { data: beginCell().storeUint(0, 32).endCell() })
    const chain = openChain([...owners.map((o) => o.account), dest])
    await chain.step({ config: new Map([[22, limits(1500)]]) })
    let { step } = await chain.step({ externals: owners.map((o) => send(o, 0, [message(dest.account, TON), message(dest.account, TON)])) })
    let steps = 1
    for (; step.pending; steps++) {
      ;({ step } = await chain.step({}))
      expect(steps).toBeLessThan(30)
    }
    expect(steps).toBeGreaterThan(4)
    expect(counted(chain, dest.account)).toBe(24)
  })

  it('after a while of full blocks the shard wants to be split', async () => {
    const o = owner(0)
    const chain = openChain([o.account])
    await chain.step({ config: new Map([[23, limits(100)]]) })
    let found = (await chain.step({})).found
    for (let n = 0; n < 24; n++) found = (await chain.step({ externals: [send(o, n, [message(accountId(1), TON)])] })).found
    expect(found.shard.header.wantSplit).toBe(true)
  })
})

describe('a TVM that can make nothing of a message', () => {
  /** No transaction comes of messages to these accounts. */
  const fragile =
    (...ids: readonly ReturnType<typeof accountId>[]): MakeTransaction =>
    (request) =>
      ids.some(({ workchain, hash }) => workchain === request.account.workchain && Buffer.compare(hash, request.account.hash) === 0)
        ? { ok: false, error: 'a transaction took too long' }
        : makeTransaction(request)

  it('if the TVM cannot process a message, its value still arrives and the chain goes on', async () => {
    const [a, b] = [owner(0), owner(1)]
    const [here, there, fresh] = [accountId(1), accountId(2, -1), accountId(3)]
    const bad = [here, there, fresh]
    const chain = openChain([a.account, b.account, contract(here, COUNTER), contract(there, COUNTER)], { make: fragile(...bad) })
    const first = await chain.step({
      externals: [
        send(a, 0, [message(here, TON), message(there, 2n * TON), message(fresh, 3n * TON)]),
        poke(here),
        send(b, 0, [message(a.id, TON)]),
      ],
    })
    expect(
      first.step.refused.map(({ index, error, exitCode }) => ({ index, exitCode, known: error.endsWith('a transaction took too long') })),
    ).toEqual([{ index: 1, exitCode: undefined, known: true }])
    expect(chain.balance(here)).toBe(11n * TON)
    expect(chain.balance(there)).toBe(12n * TON)
    expect(chain.balance(fresh)).toBe(3n * TON)
    const skipped = [...first.found.shard.transactions, ...first.found.master.transactions].filter(
      ({ transaction: { description } }) => description.type === 'generic' && description.computePhase.type === 'skipped',
    )
    expect(skipped.map(({ account }) => account).sort()).toEqual(bad.map(({ hash }) => hexOf(hash)).sort())
    await chain.step({ externals: [send(b, 1, [message(here, TON), message(fresh, TON)])] })
    expect(chain.balance(here)).toBe(12n * TON)
    expect(chain.balance(fresh)).toBe(4n * TON)
    // An injected message is refused whole.
    await expect(chain.step({ internals: [{ from: a.id, to: here, value: TON }] }).then(() => 'made')).rejects.toThrow('took too long')
  })

  it('the collator still stops for faults that are not about a message', async () => {
    const chain = openChain([owner(0).account], { make: () => Promise.reject(new Error('no room')) })
    await expect(chain.step({ externals: [send(owner(0), 0, [message(accountId(1), TON)])] }).then(() => 'made')).rejects.toThrow('no room')
  })
})

describe('a transaction that takes long', () => {
  const tvm = createTestTvm({ workers: 1 })
  afterAll(() => tvm.close())

  let pooled = 0
  const { runTransaction: make } = tellingPool(tvm, () => pooled++)
  /** Makes the same block without the pool and with it; the number of transactions that the pool made. */
  const madeInPool = async (
    accounts: Parameters<typeof openChain>[0],
    input: Partial<StepInput>,
    transactions: number,
  ): Promise<number> => {
    pooled = 0
    const here = await openChain(accounts).step(input)
    const there = await openChain(accounts, { make }).step(input)
    expect(there.step.shard.id).toEqual(here.step.shard.id)
    expect(there.found.shard.transactions).toHaveLength(transactions)
    return pooled
  }

  it('a long transaction is made in the pool, with the same outcome', async () => {
    const [slow, quick] = [accountId(1), accountId(2)]
    const accounts = [contract(slow, RECOVERER), relay(quick, message(accountId(3), TON / 100n), 1)]
    const externals = [poke(slow), poke(quick), poke(slow, beginCell().storeUint(1, 8).endCell())]
    // Beside other work a quick transaction can take long too.
    expect(await madeInPool(accounts, { externals }, 4)).toBeGreaterThanOrEqual(2)
  })

  it('a transaction after which thousands of cells have to be measured is made in the pool, with the same outcome', async () => {
    const [large, small] = [accountId(1), accountId(2)]
    const accounts = [large, small].map((id, i) => contract(id, ACCEPTER, { data: counterWith(i === 0 ? 5_000 : 50) }))
    expect(await madeInPool(accounts, { externals: [poke(small), poke(large)] }, 2)).toBe(1)
  })
})

describe('the validator of these tests', () => {
  it('the validator of these tests finds blocks that are not consistent', async () => {
    const owners = [owner(0), owner(1)]
    const chain = openChain(owners.map((o) => o.account))
    const input: StepInput = {
      externals: owners.map((o) => send(o, 0, [message(accountId(1), TON), message(accountId(2, -1), TON)])),
      internals: [],
      accounts: [],
      config: new Map(),
      utime: chain.tip.master.utime + 1,
    }
    const good = await chain.collator.step(chain.tip, input, new AbortController().signal)
    const other = await chain.collator.step(chain.tip, { ...input, externals: [] }, new AbortController().signal)
    const validate = (): ReturnType<typeof createValidator> => createValidator(chain.genesis)
    expect(() => validate()(good)).not.toThrow()
    const faults: [string, typeof good, RegExp][] = [
      ['another file', { ...good, shard: { ...good.shard, id: { ...good.shard.id, fileHash: new Uint8Array(32) } } }, /file hash/],
      ['another state', { ...good, shard: { ...good.shard, state: other.shard.state } }, /state given beside/],
      [
        'a shard block that the masterchain did not commit',
        { ...good, shard: other.shard },
        /ShardDescr|import|recorded|In message|OutMsg|imported/,
      ],
      ['no signature', { ...good, signatures: { ...good.signatures, signatures: [] } }, /number of signatures/],
      ['a foreign signature', { ...good, signatures: other.signatures }, /signature does not verify/],
      ['a wrong session', { ...good, signatures: { ...good.signatures, catchainSeqno: 9 } }, /catchain_seqno/],
      ['a false word on the queues', { ...good, pending: !good.pending }, /pending/],
      ['a false key block', { ...good, tip: { ...good.tip, keyBlockSeqno: 0 } }, /keyBlockSeqno/],
    ]
    for (const [name, step, text] of faults) expect(() => validate()(step), name).toThrow(text)
    // Each byte of a block counts: changed data, kept under a right name, is told by its inner hashes or sums.
    const bytes = Buffer.from(good.shard.boc)
    let told = 0
    for (let at = 60; at < bytes.length; at += 97) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1 << (at % 8)
      const fileHash = new Uint8Array(createHash('sha256').update(changed).digest())
      const step = { ...good, shard: { ...good.shard, boc: changed, id: { ...good.shard.id, fileHash } } }
      expect(() => validate()(step), `byte ${at}`).toThrow()
      told++
    }
    expect(told).toBeGreaterThan(20)
    expect(hexOf(good.shard.id.fileHash)).not.toBe(hexOf(other.shard.id.fileHash))
  })
})
