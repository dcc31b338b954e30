import { beginCell, Cell, type Cell as CoreCell, Dictionary } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { beginCell as begin } from '../../../../server/cell/builder.ts'
import { readDict } from '../validate/read.ts'
import { accountId, COUNTER, contract, KEEPER, PUBLISHER, relay } from './collate-contracts.ts'
import { fromCore, message, openChain, owner, send, TON } from './kit.ts'

/* The masterchain: messages between the chains, special accounts, configuration, libraries. Every step is validated. */

const CONFIG = { workchain: -1, hash: new Uint8Array(32).fill(0x55) }
const ELECTOR = { workchain: -1, hash: new Uint8Array(32).fill(0x33) }
const param = (config: CoreCell, n: number): CoreCell | undefined =>
  readDict(config, 32)
    .get(BigInt.asUintN(32, BigInt(n)))
    ?.loadRef()

describe('masterchain blocks', () => {
  it('masterchain blocks carry messages both ways between the chains', async () => {
    const here = owner(0)
    const there = owner(1, 'v4', 1000n * TON, -1)
    const chain = openChain([here.account, there.account])
    const before = { here: 1000n * TON, there: 1000n * TON }
    // Workchain 0 queues, the masterchain takes it within the same step.
    const out = await chain.step({ externals: [send(here, 0, [message(there.id, 5n * TON)])] })
    expect([...out.found.shard.outs.values()].map((o) => o.type)).toEqual(['new'])
    expect([...out.found.master.ins.values()].map((i) => i.type)).toEqual(['fin'])
    expect(chain.balance(there.id)).toBeGreaterThan(before.there + 4n * TON)
    expect(out.step.pending).toBe(false)
    // The next block of workchain 0 learns of it and clears its queue.
    const cleared = await chain.step({})
    expect([...cleared.found.shard.outs.values()].map((o) => o.type)).toEqual(['deq-short'])
    expect(cleared.step.pending).toBe(false)
    // Back: the masterchain queues, workchain 0 takes it in the next step, the masterchain clears in that step.
    const back = await chain.step({ externals: [send(there, 0, [message(here.id, 7n * TON)])] })
    expect([...back.found.master.outs.values()].map((o) => o.type)).toEqual(['new'])
    expect(back.step.pending).toBe(true)
    const taken = await chain.step({})
    expect([...taken.found.shard.ins.values()].map((i) => i.type)).toEqual(['fin'])
    expect([...taken.found.master.outs.values()].map((o) => o.type)).toEqual(['deq-short'])
    expect(taken.step.pending).toBe(false)
    expect(chain.balance(here.id)).toBeGreaterThan(before.here + TON)
  })

  it('masterchain blocks pass a message there and back within relays of both chains', async () => {
    const a = accountId(1)
    const b = accountId(2, -1)
    const end = accountId(3)
    const chain = openChain([owner(0).account, relay(a, message(b, 0n)), relay(b, message(end, 0n))])
    await chain.step({ externals: [send(owner(0), 0, [message(a, 3n * TON), message(b, 2n * TON)])] })
    let steps = 0
    for (let pending = true; pending && steps < 6; steps++) pending = (await chain.step({})).step.pending
    expect(steps).toBe(1)
    expect(chain.balance(end)).toBeGreaterThan(4n * TON)
  })

  it('masterchain blocks give special accounts their tick and tock in every block', async () => {
    const special = accountId(1, -1)
    const other = accountId(2, -1)
    const data = beginCell().storeUint(0, 32).endCell()
    const chain = openChain([
      contract(special, COUNTER, { data, tickTock: { tick: true, tock: true } }),
      contract(other, COUNTER, { data, tickTock: { tick: true, tock: true } }),
    ])
    const addresses = [CONFIG, ELECTOR, special].map(({ hash }) => hash)
    const set = beginCell().storeDict(dictOf(addresses)).endCell()
    await chain.step({ config: new Map([[31, fromCore(set)]]) })
    const { found } = await chain.step({})
    expect(
      found.master.transactions.map((h) => h.transaction.description.type === 'tick-tock' && h.transaction.description.isTock),
    ).toEqual([false, true])
    await chain.step({})
    const state = chain.account(special)!.account!.storage.state
    expect(state.type === 'active' && state.state.data!.beginParse().loadUint(32)).toBe(4)
    const idle = chain.account(other)!.account!.storage.state
    expect(idle.type === 'active' && idle.state.data!.beginParse().loadUint(32)).toBe(0)
    expect(chain.account(special)!.account!.storageStats.lastPaid).toBe(0)
  })

  it('contracts see the previous masterchain blocks', { timeout: 60_000 }, async () => {
    // PREVMCBLOCKS; FIRST; THIRD; PREVKEYBLOCK; THIRD; PREVMCBLOCKS_100; FIRST; THIRD; NEWC; 32 STU; 32 STU; 32 STU; ENDC; c4 POP
    const program = beginCell().storeBuffer(Buffer.from('f834006f106f12f834016f12f834026f106f12c8cb1fcb1fcb1fc9ed54', 'hex')).endCell()
    const [here, there] = [accountId(1), accountId(2, -1)]
    const chain = openChain([contract(here, program), contract(there, program)])
    const seen = (id: typeof here): number[] => {
      const state = chain.account(id)!.account!.storage.state
      const s = state.type === 'active' ? state.state.data!.beginParse() : undefined
      return s === undefined ? [] : [s.loadUint(32), s.loadUint(32), s.loadUint(32)]
    }
    const ask = () => chain.step({ internals: [here, there].map((to) => ({ from: accountId(9), to, value: TON })) })
    await ask()
    expect([seen(here), seen(there)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ])
    for (let n = 0; n < 103; n++) await chain.step({})
    await chain.step({ config: new Map([[-1, begin().end()]]) })
    await chain.step({})
    await ask()
    // hundreds, key block, newest: as they were pushed last to first.
    expect([seen(here), seen(there)]).toEqual([
      [100, 105, 106],
      [100, 105, 106],
    ])
  })

  it('masterchain blocks pay collected fees to the elector once there is a coin of them', async () => {
    const there = owner(0, 'v4', 1000n * TON, -1)
    const chain = openChain([there.account])
    const first = await chain.step({})
    expect(first.found.master.flow.recovered.grams).toBe(0n)
    const before = chain.balance(ELECTOR)
    // A masterchain transaction costs about 0.01; prices are raised until one block collects more than a coin.
    const expensive = begin()
      .storeUint(0xea, 8)
      .storeUint(9n * TON, 64)
      .storeUint(0, 64)
      .storeUint(0, 64)
      .storeUint(0, 32)
      .storeUint(21845, 16)
      .storeUint(21845, 16)
      .end()
    await chain.step({ config: new Map([[24, expensive]]) })
    await chain.step({ externals: [send(there, 0, [message(there.id, TON)])] })
    const { found } = await chain.step({})
    expect(found.master.flow.recovered.grams).toBeGreaterThan(9n * TON)
    expect(chain.balance(ELECTOR) - before).toBe(found.master.flow.recovered.grams)
    expect(found.master.state.validatorFees.grams).toBeLessThan(TON)
  })

  it('masterchain blocks mint the extra currencies that parameter 7 wants', async () => {
    const minter = accountId(5, -1)
    const chain = openChain([contract(minter, Cell.EMPTY, { balance: TON })])
    const wanted = begin().storeBit(1).storeRef(currencies(77, 1_000_000n)).end()
    await chain.step({
      config: new Map([
        [2, begin().storeBytes(minter.hash).end()],
        [7, wanted],
      ]),
    })
    const { found } = await chain.step({})
    expect(found.master.flow.minted.other.get(77)).toBe(1_000_000n)
    expect(chain.account(minter)?.account?.storage.balance.other?.get(77)).toBe(1_000_000n)
    const after = await chain.step({})
    expect(after.found.master.flow.minted.other.size).toBe(0)
  })

  it('masterchain blocks make a key block of every change of configuration', async () => {
    const chain = openChain([])
    expect((await chain.step({})).found.master.header.keyBlock).toBe(true)
    expect((await chain.step({})).found.master.header.keyBlock).toBe(false)
    const value = begin().storeUint(0xabcd, 16).end()
    const set = await chain.step({ config: new Map([[-77, value]]) })
    expect(set.found.master.header.keyBlock).toBe(true)
    expect(set.step.tip.keyBlockSeqno).toBe(3)
    expect(param(set.found.config, -77)?.beginParse().loadUint(16)).toBe(0xabcd)
    const next = await chain.step({})
    expect(next.found.master.header.keyBlock).toBe(false)
    expect(next.found.shard.header.prevKeyBlock).toBe(3)
    const removed = await chain.step({ config: new Map([[-77, undefined]]) })
    expect(removed.found.master.header.keyBlock).toBe(true)
    expect(param(removed.found.config, -77)).toBeUndefined()
  })

  it('masterchain blocks refuse a configuration that no block can be made with', async () => {
    const chain = openChain([])
    await expect(chain.step({ config: new Map([[8, undefined]]) }).then(() => 'made')).rejects.toThrow(
      'configuration parameter 8 is missing',
    )
    for (const n of [0, 12, 18, 20, 22, 25, 28, 31, 34, 43]) {
      const attempt = chain.step({ config: new Map([[n, begin().storeUint(1, 8).end()]]) }).then(() => 'made')
      await expect(attempt).rejects.toThrow(`configuration parameter ${n} `)
    }
    expect((await chain.step({})).found.master.header.seqno).toBe(1)
  })

  it('masterchain blocks follow what the configuration contract does to its data', async () => {
    const rich = owner(0, 'v4', 1000n * TON, -1)
    const chain = openChain([rich.account])
    const { found } = await chain.step({ accounts: [{ account: CONFIG, code: fromCore(KEEPER) }] })
    const changed = edited(found.config, -5, beginCell().storeUint(1234, 16).endCell())
    const body = beginCell().storeRef(changed).endCell()
    const step = await chain.step({ externals: [send(rich, 0, [message(CONFIG, TON, { body })])] })
    expect(step.found.master.header.keyBlock).toBe(true)
    expect(param(step.found.config, -5)?.beginParse().loadUint(16)).toBe(1234)
    expect((await chain.step({})).found.master.header.keyBlock).toBe(false)
    // Nonsense in the contract's data is not obeyed, and blocks go on.
    const nonsense = beginCell().storeRef(beginCell().storeUint(1, 8).endCell()).endCell()
    const kept = await chain.step({ externals: [send(rich, 1, [message(CONFIG, TON, { body: nonsense })])] }).catch((error: Error) => error)
    // Only the validator's rule that the configuration repeats the contract's data is broken by that.
    expect(kept).toMatchObject({ message: expect.stringContaining('configuration of the contract') })
  })

  it('masterchain blocks hand the configuration over to the contract that parameter 0 names', async () => {
    const successor = accountId(9, -1)
    const chain = openChain([])
    const { found } = await chain.step({})
    const next = edited(found.config, 0, beginCell().storeBuffer(Buffer.from(successor.hash)).endCell())
    const account = contract(successor, KEEPER, { data: beginCell().storeRef(next).endCell() })
    const step = await chain.step({ accounts: [account], config: new Map([[0, begin().storeBytes(successor.hash).end()]]) })
    expect(step.found.master.header.keyBlock).toBe(true)
    expect((await chain.step({})).found.master.header.keyBlock).toBe(false)
  })

  it('masterchain blocks freeze an account that owes for its storage, and delete it when it owes more', async () => {
    const rich = owner(0, 'v4', 1000n * TON, -1)
    const poor = accountId(4, -1)
    const chain = openChain([rich.account, contract(poor, KEEPER, { balance: 1n })])
    await chain.step({})
    const poke = (seqno: number) => send(rich, seqno, [message(poor, 1n, { bounce: false })])
    const days = (n: number): number => chain.tip.master.utime + n * 86_400
    await chain.step({ utime: days(120), externals: [poke(0)] })
    expect(chain.account(poor)?.account?.storage.state.type).toBe('frozen')
    await chain.step({ utime: days(1200), externals: [poke(1)] })
    expect(chain.account(poor)).toBeUndefined()
  })

  it('masterchain blocks publish libraries, let contracts of workchain 0 run on them, and forget them', async () => {
    const rich = owner(0)
    const publisher = accountId(6, -1)
    const program = COUNTER
    const user = accountId(7)
    const library = beginCell().storeUint(2, 8).storeBuffer(program.hash()).endCell({ exotic: true })
    const data = beginCell().storeUint(0, 32).endCell()
    const chain = openChain([
      rich.account,
      owner(1, 'v4', 1000n * TON, -1).account,
      contract(publisher, PUBLISHER),
      contract(user, library, { data }),
    ])
    // Since version 15 only special accounts publish libraries.
    const special = beginCell()
      .storeDict(dictOf([publisher.hash, CONFIG.hash, ELECTOR.hash]))
      .endCell()
    await chain.step({ config: new Map([[31, fromCore(special)]]) })
    const missing = await chain.step({ externals: [send(rich, 0, [message(user, TON)])] })
    const failed = missing.found.shard.transactions.at(-1)!.transaction.description
    expect(failed.type === 'generic' && failed.computePhase.type === 'vm' && failed.computePhase.success).toBe(false)
    const there = owner(1, 'v4', 1000n * TON, -1)
    const tell = (seqno: number, mode: number) => {
      const body = beginCell().storeUint(mode, 8).storeRef(program).endCell()
      return send(there, seqno, [message(publisher, TON, { body })])
    }
    const published = await chain.step({ externals: [tell(0, 2)] })
    const libraries = readDict(published.found.master.state.libraries, 256)
    expect([...libraries.keys()]).toEqual([BigInt(`0x${program.hash().toString('hex')}`)])
    await chain.step({ externals: [send(rich, 1, [message(user, TON)])] })
    const state = chain.account(user)!.account!.storage.state
    expect(state.type === 'active' && state.state.data!.beginParse().loadUint(32)).toBe(1)
    const gone = await chain.step({ externals: [tell(1, 0)] })
    expect(gone.found.master.state.libraries).toBeNull()
  })
})

const dictOf = (addresses: readonly Uint8Array[]) => {
  const dict = Dictionary.empty(Dictionary.Keys.Buffer(32), { serialize: () => {}, parse: () => true })
  for (const address of addresses) dict.set(Buffer.from(address), true)
  return dict
}

const edited = (config: CoreCell, n: number, value: CoreCell): CoreCell => {
  const dict = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), config)
  dict.set(n, value)
  return beginCell().storeDictDirect(dict).endCell()
}
const currencies = (id: number, amount: bigint) => {
  const dict = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5)).set(id, amount)
  return fromCore(beginCell().storeDictDirect(dict).endCell())
}
