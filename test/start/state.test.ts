import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Address, beginCell, Cell } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { beginCell as begin } from '../../server/cell/builder.ts'
import type { Cell as OwnCell } from '../../server/cell/cell.ts'
import { exportState } from '../../server/chain/local/state-file.ts'
import { startTonway } from '../../server/start/start.ts'
import type { Tonway } from '../../server/start/types.ts'
import { loadWhole } from '../../server/tlb/config/config-dictionary.ts'
import { workchains } from '../../server/tlb/config/workchains.ts'
import { createGenesis } from '../kit/chain/create-genesis.ts'
import { answering } from '../v2/answering-contract.ts'

/* The state of one chain as the genesis of another. */

const FRIEND = `0:${'77'.repeat(32)}`
const CLOCK = `0:${'78'.repeat(32)}`
const MASTER = `-1:${'79'.repeat(32)}`
const b64 = (cell: Cell): string => cell.toBoc().toString('base64')
const YEAR = 365 * 86_400

let folder: string
let one: Tonway
let state: Awaited<ReturnType<Tonway['client']['local']['exportState']>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonway-state-'))
  one = await startTonway({ port: 'off' })
  const { local } = one.client
  await local.setAccount({
    address: CLOCK,
    balance: '5',
    code: b64(answering({ time: [{ code: 'f823' }] })),
    data: b64(beginCell().endCell()),
  })
  await local.fund({ address: FRIEND, amount: '2000000000' })
  await local.fund({ address: MASTER, amount: '3000000000' })
  await local.setConfig({ params: { '999': b64(beginCell().storeUint(7, 8).endCell()) } })
  await local.impersonate({ from: one.wallets[0]!.address, to: FRIEND, amount: '1000000000', bounce: false })
  await local.increaseTime({ seconds: YEAR })
  await local.mine({ count: 2 })
  state = await local.exportState()
})
afterAll(async () => {
  await one?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Parameter 12 has the hash of this chain's own first state of workchain 0, and the configuration contract has it too. */
const expectOwnZeroState = async ({ client }: Tonway): Promise<void> => {
  const shard = { workchain: 0, shard: '-9223372036854775808', seqno: 1 }
  const { prev_blocks: before } = await client.getBlockHeader(shard)
  const { config } = await client.getConfigParam({ config_id: 12 })
  const basic = loadWhole(parseBocRoot(Buffer.from(config.bytes, 'base64')), workchains.load).get(0)!
  const [root, file] = [basic.zerostateRootHash, basic.zerostateFileHash].map((hash) => Buffer.from(hash).toString('base64'))
  expect(before).toMatchObject([{ root_hash: root, file_hash: file }])
  const { data } = await client.getAddressInformation({ address: `-1:${'55'.repeat(32)}` })
  const own = Cell.fromBase64(data).refs[0]!
  expect(own.hash().toString('base64')).toBe(
    Cell.fromBase64((await client.getConfigAll({})).config.bytes)
      .hash()
      .toString('base64'),
  )
}

describe('the state of a chain as the genesis of another', () => {
  it('accounts, configuration and time go on, and the new chain works', async () => {
    await using two = await startTonway({ port: 'off', genesis: state })
    for (const address of [FRIEND, CLOCK, MASTER, ...one.wallets.map((wallet) => wallet.address)]) {
      const [before, after] = await Promise.all([one, two].map(({ client }) => client.getAddressInformation({ address })))
      const { code, data, balance, state: status } = before!
      expect(after).toMatchObject({ code, data, balance, state: status, last_transaction_id: { lt: '0' } })
    }
    expect(two.wallets).toEqual(one.wallets)
    await expectOwnZeroState(two)
    expect(await two.client.getConfigParam({ config_id: 999 })).toEqual(await one.client.getConfigParam({ config_id: 999 }))
    const now = Math.floor(Date.now() / 1000)
    const time = Number.parseInt(((await two.get(CLOCK, 'time')).stack[0] as ['num', string])[1], 16)
    expect(time).toBeGreaterThan(now + YEAR - 60)
    // Wallets send as before, in a history of their own.
    const sent = await two.record(() =>
      two.client.local.impersonate({ from: two.wallets[0]!.address, to: MASTER, amount: '9', bounce: false }),
    )
    expect([sent.complete, sent.transactions.length]).toEqual([true, 2])
    await two.client.local.setConfig({ params: { '999': null } })
    // Its own state leads to a third chain.
    await using three = await startTonway({ port: 'off', genesis: await two.client.local.exportState() })
    await expectOwnZeroState(three)
    expect(await three.client.getAddressBalance({ address: MASTER })).toBe(await two.client.getAddressBalance({ address: MASTER }))
  })

  it('a file of it is opened again in a data directory with the same state only', async () => {
    const genesis = join(folder, 'state.json')
    const dataDir = join(folder, 'data')
    await writeFile(genesis, JSON.stringify(state))
    const balance = async (options: object): Promise<string> => {
      await using tonway = await startTonway({ port: 'off', dataDir, ...options })
      return await tonway.client.getAddressBalance({ address: MASTER })
    }
    expect(await balance({ genesis })).toBe('3000000000')
    expect(await balance({ genesis })).toBe('3000000000')
    expect(await balance({})).toBe('3000000000')
    await one.client.local.fund({ address: FRIEND, amount: '1' })
    await expect(balance({ genesis: await one.client.local.exportState() })).rejects.toThrow('holds a chain that began with other accounts')
  })

  it('a state is not exported while messages wait', async () => {
    const { local } = one.client
    await local.setAutomine({ automine: false })
    // A message to the masterchain and its bounce take two more steps.
    await local.impersonate({ from: one.wallets[0]!.address, to: `-1:${'7a'.repeat(32)}`, amount: '100000000', bounce: true })
    await expect(local.exportState()).rejects.toThrow('messages wait for a block, and a state has none: call local.mine first')
    await local.setAutomine({ automine: true })
    expect((await local.exportState()).version).toBe(1)
  })

  it('messages between the chains that a revert brings back are delivered, and keep a state from being exported until then', async () => {
    await using tonway = await startTonway({ port: 'off' })
    const { local } = tonway.client
    const masterFriend = `-1:${'7c'.repeat(32)}`
    await local.setAutomine({ automine: false })
    // What a contract of the masterchain sends to workchain 0 waits for the next step.
    const from = `-1:${'7d'.repeat(32)}`
    const toBasic = beginCell().storeUint(0x10, 6).storeAddress(Address.parse(FRIEND)).storeCoins(20_000_000n).storeUint(0, 107)
    const code = beginCell().storeBuffer(Buffer.from('8871fb00', 'hex')).storeRef(toBasic.endCell()).endCell()
    await local.setAccount({ address: from, balance: '1000000000', code: b64(code), data: b64(Cell.EMPTY) })
    await local.sendInternal({ from: masterFriend, to: from, amount: '100000000' })
    const { snapshot } = await local.snapshot()
    await expect(local.exportState()).rejects.toThrow('messages wait for a block')
    await local.mine({ count: 2 })
    expect(await tonway.client.getAddressBalance({ address: FRIEND })).toBe('20000000')
    expect((await local.exportState()).version).toBe(1)
    await local.revert({ snapshot })
    await expect(local.exportState()).rejects.toThrow('messages wait for a block')
    const { seqno } = (await tonway.client.getMasterchainInfo()).last
    expect(await local.trace({ after: seqno })).toMatchObject({ complete: false, transactions: [] })
    // With automine on nothing more is needed.
    await local.setAutomine({ automine: true })
    expect(await local.trace({ after: seqno })).toMatchObject({ complete: true, transactions: [{ account: FRIEND }] })
    expect(await tonway.client.getAddressBalance({ address: FRIEND })).toBe('20000000')
  })

  it('wallets of the faucet that a state does not have are not listed', async () => {
    await one.client.local.impersonate({ from: one.wallets[1]!.address, to: FRIEND, amount: '0', bounce: false, mode: 160 })
    await using two = await startTonway({ port: 'off', genesis: await one.client.local.exportState() })
    expect(two.wallets.map(({ address }) => address)).toEqual([one.wallets[0]!.address])
  })

  it('a state that is too large is refused before it is written', async () => {
    const { tip } = createGenesis({ globalId: -3, utime: 1_700_000_000, validatorSeed: new Uint8Array(32), accounts: [] })
    const { signal } = new AbortController()
    await expect(exportState(tip, { globalId: -3, offset: 0, most: 1000 }, signal)).rejects.toMatchObject({ kind: 'TOO_LARGE' })
    const { boc } = await exportState(tip, { globalId: -3, offset: 0 }, signal)
    expect(Buffer.from(boc, 'base64').length).toBeGreaterThan(1000)
    // Others read it, too.
    expect(Cell.fromBase64(boc).hash().toString('hex')).toBe(parseBocRoot(Buffer.from(boc, 'base64')).hashHex())
  })

  it('a large state is written in turns of the event loop', async () => {
    const tree = (levels: number, name = 1): OwnCell => {
      const b = begin().storeUint(name, 32)
      if (levels > 0) for (let i = 0; i < 4; i++) b.storeRef(tree(levels - 1, name * 4 + i))
      return b.end()
    }
    const accounts = [1, 3, 5].map((first) => {
      const data = begin()
        .storeRef(tree(7, first))
        .storeRef(tree(7, first + 1))
        .end()
      return { account: { workchain: 0, hash: new Uint8Array(32).fill(first) }, balance: 5n, code: begin().end(), data }
    })
    const { tip } = createGenesis({ globalId: -3, utime: 1_700_000_000, validatorSeed: new Uint8Array(32), accounts })
    const { signal } = new AbortController()
    const processorTime = (since: NodeJS.CpuUsage): number => process.cpuUsage(since).user
    const whole = process.cpuUsage()
    await exportState(tip, { globalId: -3, offset: 0 }, signal)
    const all = processorTime(whole)
    let [longest, turn, isOver] = [0, process.cpuUsage(), false]
    const measure = (): void => {
      longest = Math.max(longest, processorTime(turn))
      turn = process.cpuUsage()
      if (!isOver) setImmediate(measure)
    }
    setImmediate(measure)
    const { boc } = await exportState(tip, { globalId: -3, offset: 0 }, signal)
    isOver = true
    expect(Math.max(longest, processorTime(turn))).toBeLessThan(all / 3)
    expect(Buffer.from(boc, 'base64').length).toBeGreaterThan(300_000)
  })

  it.each([
    ['another version', { version: 2 }, 'is a state of version 2; this tonway reads version 1'],
    ['another chain', { global_id: -7 }, 'is the state of a chain with global id -7, not -3'],
    ['a missing time', { utime: undefined }, 'is not a state of tonway: utime'],
    ['another form', { format: 'hardhat' }, 'is not a state of tonway: format'],
    ['no BoC', { boc: 'AAAA' }, 'is damaged'],
    ['a BoC of something else', { boc: b64(Cell.EMPTY) }, 'is damaged'],
    ['more than there is', { more: 1 }, 'is not a state of tonway: : Unrecognized key: "more"'],
  ])('a state with %s is refused', async (_, change, text) => {
    await expect(startTonway({ port: 'off', genesis: { ...state, ...change } as never })).rejects.toThrow(text)
  })

  it('a state whose bytes were changed is refused', async () => {
    const bytes = Buffer.from(state.boc, 'base64')
    bytes[bytes.length >> 1]! ^= 1
    await expect(startTonway({ port: 'off', genesis: { ...state, boc: bytes.toString('base64') } })).rejects.toThrow('is damaged: ')
  })
})
