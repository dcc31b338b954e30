import { mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Address, Cell as CoreCell } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { parseBoc, parseBocRoot } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import { openProof } from '../../../server/cell/merkle.ts'
import type { Head } from '../../../server/chain/liteserver.ts'
import { FAUCET_BALANCE, faucetWallets } from '../../../server/chain/local/faucet.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { withConfigParam } from '../../../server/tlb/config/config-dictionary.ts'
import { storeExtraCurrencies } from '../../../server/tlb/currency.ts'
import type { AccountId, BlockId } from '../../../server/tlb/ids.ts'
import { loadAccount } from '../../../server/tlb/state/account.ts'
import { loadMcStateExtra } from '../../../server/tlb/state/mc-state-extra.ts'
import { loadShardState } from '../../../server/tlb/state/shard-state.ts'
import { externalMessage, messageBoc, transferV4, walletV4 } from '../../kit/chain/contracts.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { sleep, until } from '../../kit/wait.ts'

const tvm = createTestTvm({ workers: 2, deadlineMs: 20_000 })
const root = mkdtempSync(join(tmpdir(), 'tonway-test-'))
const open: LocalChain[] = []
const start = async (...args: Parameters<typeof createTestChain> extends [unknown, ...infer Rest] ? Rest : never): Promise<LocalChain> => {
  const chain = await createTestChain(tvm, ...args)
  open.push(chain)
  return chain
}
afterAll(async () => {
  await Promise.all(open.map((chain) => chain.close()))
  await tvm.close()
  rmSync(root, { recursive: true, force: true })
})

const { signal } = new AbortController()
const NOW = 1_760_000_000
const id = (address: Address): AccountId => ({ workchain: address.workChain, hash: new Uint8Array(address.hash) })
const nobody: AccountId = { workchain: 0, hash: new Uint8Array(32).fill(0x77) }
const wallet = id(walletV4.address)

const last = async (chain: LocalChain): Promise<BlockId> => (await chain.query('getMasterchainInfo', {}, signal)).last
const accountOf = async (chain: LocalChain, account: AccountId, at?: BlockId) => {
  const answer = await chain.query('getAccountState', { id: at ?? (await last(chain)), account }, signal)
  return answer.state.length === 0 ? undefined : loadAccount(parseBocRoot(answer.state))
}
const coins = async (chain: LocalChain, account: AccountId, at?: BlockId) => (await accountOf(chain, account, at))?.balance.grams ?? 0n
const time = async (chain: LocalChain): Promise<number> => (await chain.query('getMasterchainInfoExt', { mode: 0 }, signal)).lastUtime
const send = (chain: LocalChain, body: Uint8Array) => chain.query('sendMessage', { body }, signal)
const deployed = async (chain: LocalChain): Promise<void> => {
  await chain.control.setAccount(
    wallet,
    {
      balance: 50_000_000_000n,
      code: parseBocRoot(walletV4.init.code.toBoc()),
      data: parseBocRoot(walletV4.init.data.toBoc()),
    },
    signal,
  )
}
const transfer = (seqno: number): Uint8Array => messageBoc(externalMessage(walletV4.address, transferV4(seqno)))

describe('the faucet', () => {
  it('the faucet has wallets with the addresses and keys that @ton/ton computes from the mnemonics', async () => {
    const [v4, v5] = faucetWallets(-3).map(({ wallet: made }) => made)
    for (const made of [v4!, v5!]) {
      expect(made.mnemonic.length).toBe(24)
      const { publicKey } = await mnemonicToPrivateKey([...made.mnemonic])
      expect(Buffer.from(made.publicKey).equals(publicKey)).toBe(true)
      const contract =
        made.version === 'v4R2'
          ? WalletContractV4.create({ workchain: 0, publicKey })
          : WalletContractV5R1.create({ workchain: 0, publicKey, walletId: { networkGlobalId: -3 } })
      expect(new Address(made.address.workchain, Buffer.from(made.address.hash)).toRawString()).toBe(contract.address.toRawString())
    }
    const other = WalletContractV5R1.create({ workchain: 0, publicKey: Buffer.from(v5!.publicKey), walletId: { networkGlobalId: -239 } })
    expect(Buffer.from(faucetWallets(-239)[1]!.wallet.address.hash).equals(other.address.hash)).toBe(true)
  })

  it('the faucet is funded and active from the first block on', async () => {
    const chain = await start()
    expect((await last(chain)).seqno).toBe(1)
    for (const { address } of chain.control.wallets()) {
      const account = await accountOf(chain, address)
      expect([account?.state.type, account?.balance.grams]).toEqual(['active', FAUCET_BALANCE])
    }
  })
})

describe('the controls', () => {
  it('local.fund gives coins in the block that it names', async () => {
    const chain = await start()
    const before = await last(chain)
    const block = await chain.control.fund(nobody, 5_000_000_000n, signal)
    expect(block.workchain).toBe(-1)
    expect(await coins(chain, nobody, block)).toBe(5_000_000_000n)
    expect(await coins(chain, nobody, before)).toBe(0n)
    const master = { workchain: -1, hash: new Uint8Array(32).fill(5) }
    await chain.control.fund(master, 7n, signal)
    expect(await coins(chain, master)).toBe(7n)
  })

  it('many calls of local.fund at once need few blocks', async () => {
    const chain = await start()
    const accounts = Array.from({ length: 40 }, (_, i) => ({ workchain: 0, hash: new Uint8Array(32).fill(i + 1) }))
    const blocks = await Promise.all(accounts.map((account, i) => chain.control.fund(account, BigInt(i + 1), signal)))
    for (const [i, account] of accounts.entries()) expect(await coins(chain, account, blocks[i]!)).toBe(BigInt(i + 1))
    expect((await last(chain)).seqno).toBeLessThan(6)
  })

  it('local.mine makes as many blocks as asked, and an old state still answers', async () => {
    const chain = await start()
    const block = await chain.control.fund(nobody, 11n, signal)
    expect((await chain.control.mine(300, signal)).seqno).toBe(block.seqno + 300)
    expect(await coins(chain, nobody, block)).toBe(11n)
    await expect(chain.control.mine(0, signal)).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
    await expect(chain.control.mine(100_001, signal)).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
    const stop = new AbortController()
    const mining = chain.control.mine(100_000, stop.signal)
    const enough = block.seqno + 305
    for await (const { id } of chain.heads(signal)) if (id.seqno >= enough) break
    // Timers are served while it mines.
    await sleep(1)
    stop.abort(new Error('enough'))
    await expect(mining).rejects.toThrow('enough')
    expect((await last(chain)).seqno).toBeLessThan(100_000)
  })

  it('setTime and increaseTime set the time of the next block, never before the last one', async () => {
    let now = NOW
    const chain = await start({}, { clock: { now: () => now } })
    expect(await time(chain)).toBe(NOW)
    expect(await chain.control.increaseTime(1000, signal)).toBe(NOW + 1000)
    await chain.control.mine(1, signal)
    expect(await time(chain)).toBe(NOW + 1000)
    now += 5
    await chain.control.mine(1, signal)
    expect(await time(chain)).toBe(NOW + 1005)
    expect(await chain.control.setTime(NOW + 5000, signal)).toBe(NOW + 5000)
    now += 60
    await chain.control.mine(1, signal)
    expect(await time(chain)).toBe(NOW + 5000)
    now += 10
    await chain.control.mine(1, signal)
    expect(await time(chain)).toBe(NOW + 5010)
    await expect(chain.control.setTime(NOW + 5009, signal)).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
    // Time ends where 32 bits end; blocks do not.
    await chain.control.increaseTime(0xffff_ffff - (NOW + 5010), signal)
    await chain.control.mine(1, signal)
    now += 100
    await chain.control.mine(2, signal)
    expect(await time(chain)).toBe(0xffff_ffff)
    await expect(chain.control.increaseTime(1, signal)).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
  })

  it('time that stands still is the time of all blocks, over reverts and restarts, until it is set again', async () => {
    let now = NOW
    const dataDir = join(root, 'still')
    const clock = { now: () => now }
    const chain = await start({ dataDir }, { clock })
    const mined = async (chain: LocalChain): Promise<number> => {
      now += 60
      await chain.control.mine(1, signal)
      return time(chain)
    }
    await chain.control.setTime(NOW + 500, signal, true)
    expect([await mined(chain), await mined(chain)]).toEqual([NOW + 500, NOW + 500])
    expect(await chain.control.increaseTime(7, signal)).toBe(NOW + 507)
    expect([await mined(chain), await mined(chain)]).toEqual([NOW + 507, NOW + 507])
    const still = await chain.control.snapshot(signal)
    now += 60
    expect(await chain.control.snapshot(signal)).toBe(still)
    await chain.control.setTime(NOW + 1000, signal)
    expect([await mined(chain), await mined(chain)]).toEqual([NOW + 1000, NOW + 1060])
    await chain.control.revert(still, signal)
    expect(await mined(chain)).toBe(NOW + 507)
    await chain.close()
    const again = await start({ dataDir }, { clock })
    expect([await mined(again), await mined(again)]).toEqual([NOW + 507, NOW + 507])
  })

  it('the time of the chain never goes back', async () => {
    let now = NOW
    const chain = await start({}, { clock: { now: () => now } })
    await chain.control.setTime(NOW + 5010, signal)
    await chain.control.mine(1, signal)
    // A machine whose clock goes back does not make the chain's do so.
    now -= 1000
    await chain.control.mine(1, signal)
    expect(await time(chain)).toBe(NOW + 5010)
  })

  it('setAccount creates and changes accounts, and keeps what is not given', async () => {
    const chain = await start()
    await deployed(chain)
    const before = await accountOf(chain, wallet)
    expect(before?.state.type).toBe('active')
    await chain.control.setAccount(wallet, { balance: 3n }, signal)
    const after = await accountOf(chain, wallet)
    expect(after?.balance.grams).toBe(3n)
    expect(after?.state.type === 'active' && after.state.init.code?.hashHex()).toBe(walletV4.init.code.hash().toString('hex'))
  })

  it('sendInternal delivers a message from any address', async () => {
    const chain = await start()
    const from = { workchain: -1, hash: new Uint8Array(32).fill(0x33) }
    const block = await chain.control.sendInternal(
      { from, to: nobody, value: 9_000_000_000n, bounce: false, body: beginCell().storeUint(1, 32).end() },
      signal,
    )
    expect(await coins(chain, nobody, block)).toBe(9_000_000_000n)
    const nowhere = { workchain: 9, hash: nobody.hash }
    for (const ends of [
      { from, to: nowhere },
      { from: nowhere, to: nobody },
    ]) {
      await expect(chain.control.sendInternal({ ...ends, value: 1n }, signal)).rejects.toMatchObject({
        kind: 'INVALID_PARAMS',
        message: 'workchain 9 does not exist',
      })
    }
    // The chain goes on after it.
    expect((await chain.control.mine(1, signal)).seqno).toBe(block.seqno + 1)
  })

  it('setConfig makes a key block, and refuses a configuration that no chain can live with', async () => {
    const chain = await start()
    const params = new Map([[100, beginCell().storeUint(7, 8).end()]])
    const block = await chain.control.setConfig(params, signal)
    const answer = await chain.query('getConfigParams', { mode: 0, id: block, params: [100] }, signal)
    expect(answer.configProof.length).toBeGreaterThan(0)
    const header = await chain.query('getBlockHeader', { id: block, mode: 0 }, signal)
    expect(openProof(parseBocRoot(header.headerProof)).hash(0)).toEqual(block.rootHash)
    await expect(chain.control.setConfig(new Map([[8, undefined]]), signal)).rejects.toMatchObject({ kind: 'INVALID_PARAMS' })
    const coins = beginCell()
      .storeUint(0x6b, 8)
      .storeCoins(0n)
      .storeCoins(1n << 118n)
    await expect(chain.control.setConfig(new Map([[14, coins.end()]]), signal)).rejects.toMatchObject({
      kind: 'INVALID_PARAMS',
      message: expect.stringMatching(/configuration parameter 14 creates/),
    })
    // Malformed consensus (30) and bridges (71).
    for (const [n, cell] of [
      [30, beginCell().storeUint(0x10, 8).end()],
      [71, beginCell().storeUint(7, 8).end()],
    ] as const)
      await expect(chain.control.setConfig(new Map([[n, cell]]), signal)).rejects.toMatchObject({
        kind: 'INVALID_PARAMS',
        message: expect.stringMatching(new RegExp(`configuration parameter ${n} cannot be read`)),
      })
    expect((await chain.control.mine(2, signal)).seqno).toBe(block.seqno + 2)
  })

  it('setConfig refuses to mint more currencies than the sum of a chain can have, and blocks go on', async () => {
    const chain = await start()
    const mint = (from: number, count: number) => {
      const other = new Map(Array.from({ length: count }, (_, i) => [from + i, 5n]))
      return new Map([
        [2, beginCell().storeBytes(new Uint8Array(32).fill(0x77)).end()],
        [7, storeExtraCurrencies(beginCell(), other).end()],
      ])
    }
    // The second before the first has been minted.
    for (const [from, count] of [
      [1, 400],
      [401, 112],
    ] as const)
      await chain.control.setConfig(mint(from, count), signal)
    await expect(chain.control.setConfig(mint(513, 1), signal)).rejects.toMatchObject({
      kind: 'INVALID_PARAMS',
      message: 'configuration parameter 7 leads to 513 extra currencies of the chain: the limit is 512',
    })
    const block = await chain.control.mine(2, signal)
    expect((await accountOf(chain, { workchain: -1, hash: new Uint8Array(32).fill(0x77) }, block))?.balance.other?.size).toBe(512)
  })

  it('setConfig brings back the configuration of the chain if the data of the configuration contract were ruined', async () => {
    const chain = await start()
    const configuration = { workchain: -1, hash: new Uint8Array(32).fill(0x55) }
    const params = async (id: BlockId) => {
      const { configProof } = await chain.query('getConfigAll', { mode: 0, id }, signal)
      return loadMcStateExtra(loadShardState(openProof(parseBocRoot(configProof))).custom!).config.config
    }
    const own = await params(await last(chain))
    const ruined = beginCell().storeRef(beginCell().storeUint(7, 8).end()).end()
    for (const data of [ruined, beginCell().end()]) {
      await chain.control.setAccount(configuration, { data }, signal)
      const value = beginCell().storeUint(data.refCount, 8).end()
      const block = await chain.control.setConfig(new Map([[100, value]]), signal)
      const expected = withConfigParam(own, 100, value)
      expect((await params(block)).hashHex()).toBe(expected.hashHex())
      const { state } = (await accountOf(chain, configuration))!
      expect(state.type === 'active' && state.init.data?.ref(0).hashHex()).toBe(expected.hashHex())
    }
  })

  it('a snapshot of an unchanged chain is the one before, and each revert to it gives the same state', async () => {
    const chain = await start()
    const first = await chain.control.snapshot(signal)
    const base = await last(chain)
    expect(await chain.control.snapshot(signal)).toBe(first)
    const made: BlockId[] = []
    for (const amount of [5n, 6n]) {
      made.push(await chain.control.fund(nobody, amount, signal))
      expect((await last(chain)).rootHash).toEqual(made.at(-1)!.rootHash)
      expect(await chain.control.revert(first, signal)).toEqual(base)
    }
    expect(made[1]!.rootHash).not.toEqual(made[0]!.rootHash)
    await chain.control.increaseTime(9, signal)
    expect(await chain.control.snapshot(signal)).not.toBe(first)
    await chain.control.mine(1, signal)
    const later = await chain.control.snapshot(signal)
    await chain.control.revert(first, signal)
    await expect(chain.control.revert(later, signal)).rejects.toMatchObject({ kind: 'NOT_FOUND' })
  })

  it('local.revert undoes blocks, time, messages and later snapshots, and readers of heads see it', async () => {
    const chain = await start()
    await deployed(chain)
    const first = await chain.control.snapshot(signal)
    const base = await last(chain)
    await chain.control.fund(nobody, 5n, signal)
    const second = await chain.control.snapshot(signal)
    await chain.control.increaseTime(500, signal)
    const undone = await chain.control.mine(3, signal)
    const heads: Head[] = []
    const stop = new AbortController()
    const following = (async () => {
      for await (const head of chain.heads(stop.signal)) heads.push(head)
    })()
    expect(await chain.control.revert(first, signal)).toEqual(base)
    await new Promise((resolve) => setImmediate(resolve))
    expect(heads.at(-1)).toMatchObject({ id: base, epoch: 1 })
    expect(await coins(chain, nobody)).toBe(0n)
    await expect(chain.query('getBlock', { id: undone }, signal)).rejects.toMatchObject({ code: 651 })
    await expect(chain.control.revert(second, signal)).rejects.toMatchObject({ kind: 'NOT_FOUND' })
    await chain.control.mine(1, signal)
    expect(await time(chain)).toBe(NOW)
    // The same message is taken again: what it did is undone.
    await send(chain, transfer(0))
    await chain.control.mine(1, signal)
    await chain.control.revert(first, signal)
    await send(chain, transfer(0))
    await chain.control.mine(2, signal)
    expect((await accountOf(chain, wallet))?.lastTransLt).toBeGreaterThan(0n)
    stop.abort()
    await following
  })
})

describe('external messages', () => {
  it('external messages are soon in a block, and the same one is taken once', async () => {
    const chain = await start()
    await deployed(chain)
    const before = await coins(chain, wallet)
    expect(await send(chain, transfer(0))).toEqual({ status: 1 })
    await Promise.all([send(chain, transfer(0)).catch(() => {}), send(chain, transfer(0)).catch(() => {})])
    await until(async () => (await coins(chain, wallet)) !== before)
    // Delivered too, without anybody asking for more blocks.
    await until(async () => (await coins(chain, { workchain: 0, hash: new Uint8Array(32).fill(9) })) !== 0n)
    expect(await coins(chain, { workchain: 0, hash: new Uint8Array(32).fill(9) })).toBe(1_000_000n)
    await expect(send(chain, transfer(0))).rejects.toMatchObject({ code: 0, message: expect.stringContaining('exitcode=33') })
  })

  it('external messages that cannot be processed are refused with the text of a node', async () => {
    const chain = await start()
    await deployed(chain)
    const prefix = 'cannot apply external message to current state : '
    const cases: [Uint8Array, string][] = [
      [new Uint8Array(0), 'bag of cells'],
      [Buffer.from('junk'), 'bag of cells'],
      [new Uint8Array(70_000), 'external message too large, rejecting'],
      [CoreCell.EMPTY.toBoc(), 'according to automated checks'],
      [Buffer.from(parseBoc(transfer(0)).length ? walletV4.init.code.toBoc() : []), 'external message must begin with ext_in_msg_info$10'],
      [messageBoc(externalMessage(new Address(0, Buffer.alloc(32, 0xee)), CoreCell.EMPTY)), 'External message was not accepted'],
      [messageBoc(externalMessage(new Address(3, Buffer.alloc(32, 0xee)), CoreCell.EMPTY)), 'invalid blockchain address'],
      [transfer(7), 'exitcode=33'],
    ]
    for (const [boc, words] of cases) {
      await expect(send(chain, boc)).rejects.toMatchObject({
        name: 'LiteServerError',
        code: 0,
        message: expect.stringMatching(new RegExp(`^${prefix.replace(/[ :]/g, '.')}`)),
      })
      await expect(send(chain, boc)).rejects.toMatchObject({ message: expect.stringContaining(words) })
    }
  })
})

describe('the data directory', () => {
  it('the data directory keeps blocks, time, snapshots and reverts', async () => {
    const dataDir = join(root, 'kept')
    const chain = await createTestChain(tvm, { dataDir })
    await chain.control.fund(nobody, 5n, signal)
    const snapshot = await chain.control.snapshot(signal)
    const base = await last(chain)
    await chain.control.fund(nobody, 6n, signal)
    await chain.control.revert(snapshot, signal)
    await chain.control.increaseTime(100, signal)
    const head = await chain.control.mine(5, signal)
    await chain.close()
    const again = await start({ dataDir })
    // The first step after a start looks for unfinished work.
    expect((await last(again)).seqno).toBeGreaterThanOrEqual(head.seqno)
    expect(await coins(again, nobody)).toBe(5n)
    expect(await coins(again, nobody, base)).toBe(5n)
    await again.control.mine(1, signal)
    expect(await time(again)).toBe(NOW + 100)
    expect(await again.control.revert(snapshot, signal)).toEqual(base)
    await expect(createTestChain(tvm, { dataDir })).rejects.toThrow(`in use by process ${process.pid}`)
  })

  it('the data directory belongs to one chain', async () => {
    const dataDir = join(root, 'one')
    const chain = await createTestChain(tvm, { dataDir })
    await chain.close()
    await expect(createTestChain(tvm, { dataDir, globalId: -239 })).rejects.toThrow('global id -3')
  })

  it('without a data directory a temporary one is used, and it is removed when the chain is closed', async () => {
    // Other tests make temporary directories at the same time.
    const own = mkdtempSync(join(tmpdir(), 'tonway-own-'))
    vi.stubEnv('TMPDIR', own)
    const chain = await createTestChain(tvm)
    expect(readdirSync(own)).toEqual([expect.stringMatching(/^tonway-/)])
    await chain.close()
    expect(readdirSync(own)).toEqual([])
    rmdirSync(own)
  })
})
