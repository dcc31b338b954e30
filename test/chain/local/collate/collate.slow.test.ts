import { beginCell, Cell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { accountId, COUNTER, contract, poke, RELAY, relay, relayData, THROWER } from './collate-contracts.ts'
import { message, openChain, owner, send, signal, TON } from './kit.ts'

/* Every step in these tests goes through the validator in validate/, which reads the serialized blocks with @ton/core. */

describe('blocks of workchain 0', () => {
  it('idle blocks pass the validator', async () => {
    const chain = openChain([owner(0).account])
    for (let i = 0; i < 5; i++) {
      const { step, found } = await chain.step({})
      expect(step.pending).toBe(false)
      expect(found.master.header.keyBlock).toBe(i === 0)
    }
    expect(chain.tip.master.id.seqno).toBe(5)
    expect(chain.tip.shard.id.seqno).toBe(5)
    expect(chain.tip.keyBlockSeqno).toBe(1)
  })

  it('McStateExtra stays open in the old state of Merkle updates, where readers of blocks parse it', async () => {
    const chain = openChain([])
    for (let i = 0; i < 4; i++) {
      const { step } = await chain.step({})
      const block = Cell.fromBoc(Buffer.from(step.master.boc))[0]!
      // block: info, value_flow, state_update, extra; the update's old side; its custom:(Maybe ^McStateExtra) is the last ref.
      const oldState = block.refs[2]!.refs[0]!
      const extra = oldState.refs.at(-1)!
      expect([extra, extra.refs.at(-1)!].filter((cell) => cell.isExotic)).toEqual([])
    }
  })

  it('an hour of idle blocks advances the sessions, and the shard then wants to merge', async () => {
    const chain = openChain([])
    let found = (await chain.step({})).found
    for (let i = 0; i < 60; i++) found = (await chain.step({ utime: chain.tip.master.utime + 60 })).found
    // 60 minutes pass 14 multiples of 250 s; the key block counted once.
    expect(found.master.header.catchain).toBeGreaterThanOrEqual(14)
    expect(found.shard.header.wantMerge).toBe(true)
  })

  it('a block moves coins between wallets v3, v4 and v5', async () => {
    const owners = [owner(0, 'v3'), owner(1, 'v4'), owner(2, 'v5')]
    const chain = openChain(owners.map((o) => o.account))
    const dest = owner(100).id
    const { step, found } = await chain.step({ externals: owners.map((o) => send(o, 0, [message(dest, TON)])) })
    expect(step.refused).toEqual([])
    expect(step.postponed).toEqual([])
    expect(found.shard.transactions).toHaveLength(6)
    expect(chain.balance(dest)).toBe(3n * TON)
    await chain.step({})
    await chain.step({ externals: owners.map((o) => send(o, 1, [message(owners[0]!.id, TON), message(dest, TON)])) })
    // Three coins more, less what two seconds of storage cost.
    expect(chain.balance(dest)).toBeGreaterThan(6n * TON - 10n)
  })

  it('wallets are deployed by their first message', async () => {
    const rich = owner(0)
    const fresh = [owner(10, 'v3'), owner(11, 'v4'), owner(12, 'v5')]
    const chain = openChain([rich.account])
    await chain.step({
      externals: [
        send(
          rich,
          0,
          fresh.map((o) => message(o.id, TON)),
        ),
      ],
    })
    expect(fresh.map((o) => chain.account(o.id)?.account?.storage.state.type)).toEqual(['uninit', 'uninit', 'uninit'])
    const { step } = await chain.step({ externals: fresh.map((o) => send(o, 0, [message(rich.id, TON / 10n)], { deploy: true })) })
    expect(step.refused).toEqual([])
    expect(fresh.map((o) => chain.account(o.id)?.account?.storage.state.type)).toEqual(['active', 'active', 'active'])
  })

  it('a chain of messages is delivered within one block', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => accountId(n))
    const relays = ids.slice(0, -1).map((id, n) => relay(id, message(ids[n + 1]!, 0n), n === 0 ? 1 : 64))
    const first = relay(ids[0]!, message(ids[1]!, TON), 1)
    const chain = openChain([first, ...relays.slice(1)])
    const { found, step } = await chain.step({ externals: [poke(ids[0]!)] })
    expect(found.shard.transactions).toHaveLength(12)
    expect(step.pending).toBe(false)
    const lts = found.shard.transactions.map((h) => h.transaction.lt)
    for (let i = 1; i < lts.length; i++) expect(lts[i]! - lts[i - 1]!).toBe(2n)
    expect(chain.balance(ids.at(-1)!)).toBeGreaterThan(TON / 2n)
  })

  it('messages for one account are processed in the order of their lt, whatever was guessed', async () => {
    const rich = owner(0)
    const target = accountId(50)
    // Each relay hands on what it gets two lt later: between the messages that the wallet itself sends to the target.
    const relays = [51, 52, 53].map((n) => relay(accountId(n), message(target, 0n)))
    const far = accountId(54)
    const chain = openChain([
      rich.account,
      ...relays,
      relay(far, message(accountId(51), 0n)),
      contract(target, COUNTER, { data: beginCell().storeUint(0, 32).endCell() }),
    ])
    const plan = [far, relays[0]!.account, relays[1]!.account, target, relays[2]!.account, target, target, far]
    for (let n = 0; n < 3; n++) {
      const half = n === 1 ? [...plan].reverse() : plan
      const { found } = await chain.step({
        externals: [
          send(
            rich,
            2 * n,
            half.slice(0, 4).map((id) => message(id, TON)),
          ),
          send(
            rich,
            2 * n + 1,
            half.slice(4).map((id) => message(id, TON)),
          ),
        ],
      })
      expect(found.shard.transactions.length).toBeGreaterThan(15)
    }
    const state = chain.account(target)!.account!.storage.state
    expect(state.type === 'active' && state.state.data!.beginParse().loadUint(32)).toBe(24)
  })

  it('messages bounce if the contract throws or does not exist', async () => {
    const rich = owner(0)
    const thrower = contract(accountId(1), THROWER)
    const nobody = accountId(2)
    const chain = openChain([rich.account, thrower])
    const { found } = await chain.step({
      externals: [
        send(rich, 0, [
          message(thrower.account, TON, { bounce: true, body: beginCell().storeUint(7, 32).endCell() }),
          message(nobody, TON, { bounce: true }),
        ]),
      ],
    })
    const bounced = found.shard.transactions.filter((h) => {
      const info = h.transaction.inMessage?.info
      return info?.type === 'internal' && info.bounced
    })
    expect(bounced).toHaveLength(2)
    expect(chain.account(nobody)).toBeUndefined()
    const descr = found.shard.transactions.find((h) => h.account === Buffer.from(thrower.account.hash).toString('hex'))!.transaction
      .description
    expect(descr.type === 'generic' && descr.computePhase.type === 'vm' && descr.computePhase.exitCode).toBe(42)
  })

  it('external messages out of a contract are exported', async () => {
    const id = accountId(1)
    const event = {
      info: { type: 'external-out' as const, createdLt: 0n, createdAt: 0 },
      body: beginCell().storeUint(0xfeed, 16).endCell(),
    }
    const chain = openChain([contract(id, RELAY, { data: relayData(event) })])
    const { found } = await chain.step({ externals: [poke(id)] })
    expect([...found.shard.outs.values()].map((out) => out.type)).toEqual(['ext'])
    expect(found.shard.transactions[0]!.transaction.outMessages.get(0)!.info.type).toBe('external-out')
  })

  it('an account that sends everything away is destroyed, and can come back', async () => {
    const rich = owner(0)
    const id = accountId(1)
    const chain = openChain([rich.account, relay(id, message(rich.id, 0n), 160)])
    const { found } = await chain.step({ externals: [poke(id)] })
    expect(chain.account(id)).toBeUndefined()
    expect(found.shard.transactions[0]!.transaction.endStatus).toBe('non-existing')
    await chain.step({ externals: [send(rich, 0, [message(id, TON)])] })
    expect(chain.account(id)?.account?.storage.state.type).toBe('uninit')
  })

  it('an account can be created, destroyed and created again in one block', async () => {
    const rich = owner(0)
    const id = accountId(1)
    const again = accountId(2)
    // The relay empties itself; what comes after in the same block finds nobody and leaves an uninit account.
    const chain = openChain([rich.account, relay(id, message(again, 0n), 160), relay(again, message(id, 0n), 64)])
    const { found } = await chain.step({ externals: [poke(id)] })
    expect(found.shard.transactions.filter((h) => h.account === Buffer.from(id.hash).toString('hex'))).toHaveLength(2)
    expect(chain.account(id)?.account?.storage.state.type).toBe('uninit')
  })

  it('one step holds 100 transfers, to as many accounts and to one', async () => {
    const owners = Array.from({ length: 100 }, (_, n) => owner(n, 'v4'))
    const chain = openChain(owners.map((o) => o.account))
    const one = accountId(1)
    const { step, found } = await chain.step({
      externals: owners.map((o, n) => send(o, 0, [message(n % 3 === 0 ? one : owners[(n * 7) % 100]!.id, TON)])),
    })
    expect(step.refused).toEqual([])
    expect(found.shard.transactions).toHaveLength(200)
    expect(chain.balance(one)).toBe(34n * TON)
  }, 120_000)

  it('a run of messages of one wallet is taken in one block', async () => {
    const o = owner(0)
    const chain = openChain([o.account])
    const dest = accountId(1)
    const { step, found } = await chain.step({ externals: Array.from({ length: 40 }, (_, n) => send(o, n, [message(dest, TON)])) })
    expect(step.refused).toEqual([])
    expect(found.shard.transactions).toHaveLength(80)
    expect(chain.balance(dest)).toBe(40n * TON)
  })

  it('a refused message gets the text of TON, and the others go on', async () => {
    const [a, b] = [owner(0), owner(1)]
    const chain = openChain([a.account, b.account])
    const dest = accountId(1)
    const { step, found } = await chain.step({
      externals: [send(a, 5, [message(dest, TON)]), send(b, 0, [message(dest, TON)]), poke(accountId(9)), send(a, 0, [message(dest, TON)])],
    })
    expect(step.refused.map(({ index, exitCode }) => ({ index, exitCode }))).toEqual([
      { index: 0, exitCode: 33 },
      { index: 2, exitCode: undefined },
    ])
    expect(step.refused[0]!.error).toMatch(
      /^cannot apply external message to current state : External message was not accepted\nCannot run message on account: inbound external message rejected by transaction [0-9A-F]{64}:\nexitcode=33, steps=\d+, gas_used=0\nVM Log \(truncated\):\n\.\.\.[\s\S]*terminating vm with exit code 33/,
    )
    expect(step.refused[1]!.error).toMatch(/inbound external message rejected by account [0-9A-F]{64} before smart-contract execution$/)
    expect(found.shard.transactions).toHaveLength(4)
  })

  it('a message can be checked without changing anything', async () => {
    const o = owner(0)
    const chain = openChain([o.account])
    await chain.step({})
    const good = send(o, 0, [message(accountId(1), TON)]).message
    const before = chain.tip
    expect(await chain.collator.check(chain.tip, good, chain.tip.master.utime, signal)).toEqual({ ok: true })
    expect(await chain.collator.check(chain.tip, good, chain.tip.master.utime, signal)).toEqual({ ok: true })
    const bad = await chain.collator.check(chain.tip, send(o, 1, [message(accountId(1), TON)]).message, chain.tip.master.utime, signal)
    expect(bad).toMatchObject({ ok: false, exitCode: 33 })
    const late = await chain.collator.check(
      chain.tip,
      send(o, 0, [message(accountId(1), TON)], { timeout: 1_000_000 }).message,
      chain.tip.master.utime,
      signal,
    )
    expect(late).toMatchObject({ ok: false, exitCode: 36 })
    expect(chain.tip).toBe(before)
  })

  it('a second copy of a message is left for a later block', async () => {
    const id = accountId(1)
    const chain = openChain([relay(id, message(accountId(2), TON / 100n), 1)])
    const { step } = await chain.step({ externals: [poke(id), poke(id)] })
    expect(step.postponed).toEqual([1])
    const again = await chain.step({ externals: [poke(id)] })
    expect(again.found.shard.transactions).toHaveLength(2)
  })

  it('the collator stops when it is aborted, and leaves the tip as it was', async () => {
    const o = owner(0)
    const chain = openChain([o.account])
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    const input = {
      externals: [send(o, 0, [message(accountId(1), TON)])],
      internals: [],
      accounts: [],
      config: new Map(),
      utime: chain.tip.master.utime,
    }
    await expect(chain.collator.step(chain.tip, input, stop.signal)).rejects.toThrow('enough')
    const later = new AbortController()
    const running = chain.collator.step(chain.tip, input, later.signal)
    later.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    expect((await chain.step({ externals: input.externals })).step.refused).toEqual([])
  })
})
