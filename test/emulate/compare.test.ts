import { Address, beginCell, type Cell, external, internal, type MessageRelaxed, SendMode, storeMessage } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { JettonMaster, TonClient, WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { untilAborted } from '../../server/base/abort.ts'
import { parseBocRoot } from '../../server/cell/boc.ts'
import type { Chain } from '../../server/chain/chain-port.ts'
import { createEmulator } from '../../server/emulate/emulator.ts'
import { LIMITS } from '../../server/emulate/run.ts'
import { transferBody } from '../kit/chain/jetton-bodies.ts'
import { createRandom } from '../kit/random.ts'
import { type Service, startService } from '../kit/service/service.ts'

/* Orders of many kinds are emulated, then mined at the time that the emulation was told: every transaction has to come out with the same hash. */

/** Orders of one run, and the seed that they are made from. 500 are compared by hand (test/README.md), because each makes a block. */
const ORDERS = Number(process.env['TONWAY_ORDERS'] ?? 20)
const SEED = Number(process.env['TONWAY_SEED'] ?? 20)

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex')
const never = AbortSignal.timeout(1_200_000)

const startWallet = async () => {
  const { wallets } = await service.call('local.wallets', {})
  const { publicKey, secretKey } = await mnemonicToPrivateKey(wallets[0]!.mnemonic)
  const wallet = WalletContractV4.create({ workchain: 0, publicKey })
  const order = (seqno: number, messages: MessageRelaxed[]): Buffer =>
    beginCell()
      .store(
        storeMessage(
          external({
            to: wallet.address,
            body: wallet.createTransfer({
              seqno,
              secretKey,
              sendMode: SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS,
              timeout: 0xffffffff,
              messages,
            }),
          }),
        ),
      )
      .endCell()
      .toBoc()
  return { wallet, order }
}

/** A jetton of the wallet, and the body of a transfer of it. */
const startJetton = async (owner: Address) => {
  const { address } = await service.call('local.deployJetton', { name: 'Acorn', symbol: 'ACRN', decimals: 6 })
  await service.call('local.mintJetton', { jetton: address, owner: String(owner), amount: '1000000000' })
  const client = new TonClient({ endpoint: `${service.url}/api/v2/jsonRPC` })
  const from = await client.open(JettonMaster.create(Address.parse(address))).getWalletAddress(owner)
  const transfer = (to: Address, amount: bigint, queryId: number): Cell =>
    transferBody({ amount, to, response: owner, queryId, forward: 1n })
  return { from, transfer }
}

describe('what is emulated', () => {
  it('an emulated trace equals what is mined then: transfers, bounces, jetton transfers and deploys have the same hashes', async () => {
    const random = createRandom(SEED)
    const { wallet, order } = await startWallet()
    const jetton = await startJetton(wallet.address)
    const { chain, tvm } = service.tonway.app.network
    const emulator = createEmulator({ chain, tvm })
    const anybody = (): Address =>
      new Address(0, Buffer.from(random.chance(0.5) ? random.bytes(32) : new Uint8Array(32).fill(random.below(9))))
    const message = (): MessageRelaxed => {
      const kind = random.below(4)
      const value = BigInt(1 + random.below(2_000_000_000))
      if (kind === 0) return internal({ to: anybody(), value, bounce: random.chance(0.5), body: random.chance(0.5) ? 'hi' : undefined })
      if (kind === 1) {
        const units = BigInt(1 + random.below(2_000_000))
        return internal({ to: jetton.from, value: 100_000_000n, bounce: true, body: jetton.transfer(anybody(), units, random.below(1e9)) })
      }
      if (kind === 2) return internal({ to: wallet.address, value, bounce: true })
      const init = {
        code: wallet.init.code,
        data: beginCell()
          .storeBuffer(Buffer.from(random.bytes(40)))
          .endCell(),
      }
      const to = new Address(0, beginCell().storeUint(6, 5).storeRef(init.code!).storeRef(init.data).endCell().hash())
      return internal({ to, value, bounce: random.chance(0.5), init })
    }

    await service.call('local.setAutomine', { automine: false })
    let now = Math.floor(Date.now() / 1000) + 1000
    let made = 0
    for (let seqno = 0; seqno < ORDERS; seqno++) {
      now += 1 + random.below(100)
      await service.call('local.setTime', { utime: now })
      const boc = order(seqno, Array.from({ length: 1 + random.below(4) }, message))
      const at = chain.head().id
      const emulate = () => emulator.trace({ starts: [{ message: parseBocRoot(boc) }], at, now }, never)
      let trace = await emulate()
      // An emulation has three seconds, which a busy machine may not give it.
      for (let again = 0; trace.isIncomplete && again < 10; again++) trace = await emulate()
      expect(trace.isIncomplete).toBe(false)
      await service.call('sendBoc', { boc: boc.toString('base64') })
      expect(chain.head().id.seqno).toBe(at.seqno)
      await service.call('local.mine', { count: 1 })
      const head = await chain.pin(undefined, never)
      const [shard] = await chain.shards(head, never)
      const { transactions } = await chain.blockTransactions(shard!.id, { count: 256, after: undefined }, never)
      const mined = transactions.map(({ hash }) => hex(hash)).sort()
      expect([seqno, trace.nodes.map(({ transaction }) => hex(transaction.root.hash())).sort()]).toEqual([seqno, mined])
      for (const { block, mcSeqno } of trace.nodes) expect([block.seqno, mcSeqno]).toEqual([shard!.id.seqno, head.seqno])
      made += mined.length
    }
    expect(made).toBeGreaterThan(3 * ORDERS)
    await service.call('local.setAutomine', { automine: true })
  }, 900_000)

  it('an emulation whose second account cannot be read in time has its first transaction, and is late', async () => {
    const { wallet, order } = await startWallet()
    const { chain, tvm } = service.tonway.app.network
    const account: Chain['account'] = (id, at, signal) => {
      if (hex(id.hash) === hex(wallet.address.hash)) return chain.account(id, at, signal)
      // The time is over as soon as the receiver's account is read.
      const reading = untilAborted(new Promise<never>(() => {}), signal)
      vi.advanceTimersByTime(LIMITS.time)
      return reading
    }
    const { seqno } = await service.call('getWalletInformation', { address: wallet.address.toString() })
    const message = parseBocRoot(order(seqno!, [internal({ to: new Address(0, Buffer.alloc(32, 7)), value: 1n })]))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const request = { starts: [{ message }], at: chain.head().id, now: 0 }
      const trace = await createEmulator({ chain: { ...chain, account }, tvm }).trace(request, never)
      expect(trace).toMatchObject({ nodes: [{}], isIncomplete: true, isLate: true })
    } finally {
      vi.useRealTimers()
    }
  })

  it('an emulation leaves the chain as it was', async () => {
    const { wallet, order } = await startWallet()
    const { chain, tvm } = service.tonway.app.network
    const before = chain.head().id
    const account = await chain.account({ workchain: 0, hash: wallet.address.hash }, undefined, never)
    const { seqno } = await service.call('getWalletInformation', { address: wallet.address.toString() })
    const message = parseBocRoot(order(seqno!, [internal({ to: wallet.address, value: 1n })]))
    await createEmulator({ chain, tvm }).trace({ starts: [{ message }], at: before, now: 0 }, never)
    expect(chain.head().id).toEqual(before)
    expect((await chain.account({ workchain: 0, hash: wallet.address.hash }, undefined, never)).lastTransLt).toBe(account.lastTransLt)
  })
})

describe('local.setAutomine', () => {
  it('local.setAutomine lets two messages of one wallet wait for the same block', async () => {
    const { wallet, order } = await startWallet()
    const { seqno } = await service.call('getWalletInformation', { address: wallet.address.toString() })
    await service.call('local.setAutomine', { automine: false })
    const { last } = await service.call('getMasterchainInfo', {})
    const send = (n: number) => service.call('sendBoc', { boc: order(n, [internal({ to: wallet.address, value: 1n })]).toString('base64') })
    await send(seqno!)
    await send(seqno! + 1)
    await expect(send(seqno! + 3)).rejects.toThrow('exitcode=33')
    expect((await service.call('getMasterchainInfo', {})).last.seqno).toBe(last.seqno)
    // The other controls make blocks of their own, without the messages.
    await service.call('local.fund', { address: wallet.address.toString(), amount: '1' })
    expect((await service.call('getWalletInformation', { address: wallet.address.toString() })).seqno).toBe(seqno)
    await service.call('local.mine', { count: 1 })
    expect((await service.call('getWalletInformation', { address: wallet.address.toString() })).seqno).toBe(seqno! + 2)
    await send(seqno! + 2)
    await service.call('local.setAutomine', { automine: true })
    await service.call('local.mine', { count: 1 })
    expect((await service.call('getWalletInformation', { address: wallet.address.toString() })).seqno).toBe(seqno! + 3)
  })
})
