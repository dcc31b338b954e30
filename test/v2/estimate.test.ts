import { Address, beginCell, Cell, internal, loadTransaction, type MessageRelaxed, SendMode, storeOutList } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import { afterAll, describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import type { TransactionOutcome } from '../../server/tvm/make-transaction.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { sendHandlers } from '../../server/v2/send.ts'
import { parseAddress } from '../../shared/fields/address.ts'
import { wideTree } from '../kit/bombs.ts'
import { externalMessage, keys, messageBoc, raw, shardAccount } from '../kit/chain/contracts.ts'
import { sandboxConfig } from '../kit/chain/executor.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { timeTurns } from '../kit/turns.ts'
import { accountOf, coreCell, idOf, ownCell } from '../kit/tvm/cells.ts'
import { answering } from './answering-contract.ts'
import { type Contract, contractsChain, NOW } from './contracts-chain.ts'

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
afterAll(() => tvm.close())
const call = { signal: new AbortController().signal } as Call
const config = parseBocRoot(Buffer.from(sandboxConfig(), 'base64'))

const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
const to = new Address(0, Buffer.alloc(32, 9))
const master = new Address(-1, Buffer.alloc(32, 9))
const transfer = (messages: MessageRelaxed[], seqno = 0): Cell =>
  wallet.createTransfer({ seqno, secretKey: keys.secretKey, sendMode: SendMode.PAY_GAS_SEPARATELY, timeout: 4294967295, messages })

const estimate = async (contract: Contract | undefined, body: Cell, more: object = {}, address = wallet.address) => {
  const chain = contractsChain(tvm, contract ? { [raw(address)]: contract } : {})
  const { source_fees, destination_fees } = await sendHandlers({ chain, tvm }).estimateFee(
    { address: parseAddress(raw(address))!, body: body.toBoc(), ignore_chksig: true, ...more },
    call,
  )
  expect(destination_fees).toEqual([])
  const { '@type': type, ...fees } = source_fees
  expect(type).toBe('fees')
  return fees
}

/** The fees of the same message when it is really run. */
const real = async (body: Cell, balance: bigint) => {
  const result = await tvm.runTransaction(
    {
      kind: 'message',
      config,
      account: idOf(wallet.address),
      shardAccount: accountOf(shardAccount(wallet.address, wallet.init, balance)),
      message: parseBocRoot(messageBoc(externalMessage(wallet.address, body))),
      now: NOW,
      lt: 5_000_000n,
      blockSeed: Buffer.alloc(32, 3),
    },
    call.signal,
  )
  if (!result.ok) throw new Error(result.error)
  const transaction = loadTransaction(coreCell(result.transaction).beginParse())
  const { description } = transaction
  if (description.type !== 'generic' || description.computePhase.type !== 'vm') throw new Error('no computation')
  const action = description.actionPhase!
  const gas = description.computePhase.gasFees
  return {
    gas_fee: Number(gas),
    fwd_fee: Number(action.totalFwdFees ?? 0n),
    in_fwd_fee: Number(transaction.totalFees.coins - gas - (action.totalActionFees ?? 0n)),
  }
}

const active: Contract = { code: wallet.init.code, data: wallet.init.data, balance: 1_000_000_000n }
const note = 'a comment that is longer than what fits into the message itself '.repeat(4)

describe('estimateFee', () => {
  it.each<[string, MessageRelaxed[]]>([
    ['one message', [internal({ to, value: 1_000_000n, bounce: false })]],
    ['a long comment', [internal({ to, value: 1_000_000n, body: note })]],
    ['a deployment', [internal({ to, value: 1_000_000n, init: wallet.init })]],
    ['four messages', [1, 2, 3, 4].map((i) => internal({ to, value: BigInt(i), body: `${note}${i}` }))],
    ['two equal messages and another', [1, 1, 2].map((i) => internal({ to, value: 1n, body: `${note}${i}` }))],
    ['the masterchain', [internal({ to: master, value: 1_000_000n, body: note })]],
    ['nothing', []],
  ])('estimateFee is what the message costs when it is run: %s', async (_, messages) => {
    const body = transfer(messages)
    expect(await estimate(active, body)).toEqual({ ...(await real(body, 1_000_000_000n)), storage_fee: 0 })
  })

  it('estimateFee counts the rent since it was last paid', async () => {
    const year = 365 * 24 * 3600
    const { storage_fee } = await estimate({ ...active, lastPaid: NOW - year }, transfer([]))
    // 10 cells and 1000 bits a year at 500 and 1 per second and 2^16.
    expect(storage_fee).toBe(Math.ceil((year * (10 * 500 + 1000)) / 65536))
    expect((await estimate({ ...active, lastPaid: 0 }, transfer([]))).storage_fee).toBe(0)
  })

  it('estimateFee of a message that is not accepted has no gas and is no error', async () => {
    const wrong = await estimate(active, transfer([internal({ to, value: 1n })], 5))
    expect(wrong).toMatchObject({ gas_fee: 0, fwd_fee: 0 })
    expect(wrong.in_fwd_fee).toBeGreaterThan(0)
    expect(await estimate({ balance: 1_000_000_000n }, transfer([]))).toMatchObject({ gas_fee: 0, fwd_fee: 0 })
  })

  it('estimateFee is the flat gas price if there is no credit and no code', async () => {
    // gas_flat_pfx of parameter 21 of the configuration: 100 units for 40,000 nanograms.
    expect(await estimate(undefined, transfer([]))).toMatchObject({ gas_fee: 40_000, fwd_fee: 0, storage_fee: 0 })
    expect(await estimate({ balance: 39_999n }, transfer([]))).toMatchObject({ gas_fee: 40_000, fwd_fee: 0 })
    expect(await estimate({ balance: 40_000n }, transfer([]))).toMatchObject({ gas_fee: 0, fwd_fee: 0 })
  })

  it('estimateFee runs code without limits if the balance buys no gas, as tonlib does, and tells the gas used', async () => {
    const body = transfer([internal({ to, value: 1n })])
    const paid = await estimate(active, body)
    expect(await estimate({ ...active, balance: 0n }, body)).toEqual(paid)
    expect(await estimate({ ...active, balance: 39_999n }, body)).toEqual(paid)
    const init = { init_code: wallet.init.code.toBoc(), init_data: wallet.init.data.toBoc() }
    expect((await estimate(undefined, body, init)).gas_fee).toBe(paid.gas_fee)
    // What fails before it accepts has used its gas all the same.
    const wrong = await estimate({ ...active, balance: 0n }, transfer([], 5))
    expect(wrong.fwd_fee).toBe(0)
    expect(wrong.gas_fee).toBeGreaterThan(40_000)
    expect(wrong.gas_fee).toBeLessThan(paid.gas_fee)
  })

  it('estimateFee does not check the signature unless asked', async () => {
    const forged = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }).createTransfer({
      seqno: 0,
      secretKey: Buffer.alloc(64, 1),
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [],
      timeout: 4294967295,
    })
    expect((await estimate(active, forged)).gas_fee).toBeGreaterThan(0)
    expect((await estimate(active, forged, { ignore_chksig: false })).gas_fee).toBe(0)
    expect((await estimate(active, transfer([]), { ignore_chksig: false })).gas_fee).toBeGreaterThan(0)
  })

  it('estimateFee takes code and data from init, which the message then carries', async () => {
    const init = { init_code: wallet.init.code.toBoc(), init_data: wallet.init.data.toBoc() }
    const body = transfer([internal({ to, value: 1n })])
    const plain = await estimate(active, body)
    const deploying = await estimate({ balance: 1_000_000_000n }, body, init)
    expect(deploying.gas_fee).toBe(plain.gas_fee)
    expect(deploying.fwd_fee).toBe(plain.fwd_fee)
    expect(deploying.in_fwd_fee).toBeGreaterThan(plain.in_fwd_fee)
    expect(await estimate(active, body, { init_code: new Uint8Array(), init_data: new Uint8Array() })).toEqual(plain)
  })

  it('estimateFee refuses unsupported requests with tonlib’s texts', async () => {
    const account = (code: Cell): Contract => ({ code, data: Cell.EMPTY, balance: 10n ** 9n })
    // ACCEPT, SETCODE of an empty cell; and an external-out message.
    const setCode = beginCell().storeBuffer(Buffer.from('ff00f800c8c9fb04', 'hex')).endCell()
    await expect(estimate(account(setCode), Cell.EMPTY)).rejects.toMatchObject({
      kind: 'CHAIN',
      message: 'estimate_fee: action_set_code unsupported',
    })
    const extOut = beginCell().storeUint(0b11, 2).storeUint(0, 2).storeUint(0, 2).storeUint(0, 96).storeUint(0, 2).endCell()
    const sending = (count: number, message: Cell): Cell =>
      // ACCEPT; count times PUSHREF message, PUSHINT 0, SENDRAWMSG
      Array.from({ length: count }).reduce<Cell>(
        (rest) => beginCell().storeUint(0x88, 8).storeRef(message).storeBuffer(Buffer.from('70fb00', 'hex')).storeRef(rest).endCell(),
        Cell.EMPTY,
      )
    const accepting = (rest: Cell): Cell => beginCell().storeBuffer(Buffer.from('ff00f800', 'hex')).storeRef(rest).endCell()
    await expect(estimate(account(accepting(sending(1, extOut))), Cell.EMPTY)).rejects.toMatchObject({
      kind: 'CHAIN',
      message: 'estimate_fee: messages with external addresses are unsupported',
    })
    await expect(estimate(account(accepting(sending(1, beginCell().storeUint(0, 7).endCell()))), Cell.EMPTY)).rejects.toMatchObject({
      kind: 'CHAIN',
      message: expect.stringMatching(/^estimate_fee: action_send_msg of no message: /),
    })
    await expect(estimate(account(accepting(sending(21, extOut))), Cell.EMPTY)).rejects.toMatchObject({
      kind: 'CHAIN',
      message: 'action list too long: more than 20 actions',
    })
    await expect(estimate(active, Cell.EMPTY, { body: new Uint8Array([1]) })).rejects.toMatchObject({
      message: 'INVALID_BAG_OF_CELLS: body',
    })
    // A message has 8,192 cells at most.
    await expect(estimate(active, Cell.EMPTY, { body: serializeBoc(wideTree(8_193)) })).rejects.toMatchObject({
      message: 'INVALID_BAG_OF_CELLS: body',
    })
    await expect(estimate(active, Cell.EMPTY, { init_code: new Uint8Array([1]) })).rejects.toMatchObject({
      message: 'INVALID_BAG_OF_CELLS: init_code',
    })
    await expect(estimate(active, Cell.EMPTY, { init_code: Cell.EMPTY.toBoc() })).rejects.toMatchObject({
      message: 'INVALID_BAG_OF_CELLS: init_data',
    })
  })

  it('estimateFee works for masterchain accounts at their prices', async () => {
    const address = new Address(-1, Buffer.alloc(32, 4))
    const { in_fwd_fee } = await estimate(
      { code: answering({}), data: Cell.EMPTY, balance: 10n ** 10n },
      beginCell().storeUint(1, 8).endCell(),
      {},
      address,
    )
    // lump_price of parameter 24 alone: the message is one cell.
    expect(in_fwd_fee).toBe(10_000_000)
  })

  it('estimateFee counts the cells of large messages in several turns', async () => {
    const [address, body] = [parseAddress(raw(wallet.address))!, transfer([]).toBoc()]
    const chain = contractsChain(tvm, { [raw(wallet.address)]: active })
    const tree = coreCell(wideTree(20_000))
    const sending = (count: number) => {
      const send = (i: number) =>
        internal({ to, value: 1n, body: beginCell().storeUint(i, 8).storeRef(tree).storeRef(beginCell().storeUint(i, 8)).endCell() })
      const list = storeOutList(Array.from({ length: count }, (_, i) => ({ type: 'sendMsg', mode: 0, outMsg: send(i) })))
      const actions = ownCell(beginCell().store(list).endCell())
      const runTransaction: Tvm['runTransaction'] = async (...given) =>
        ({ ...(await tvm.runTransaction(...given)), actions }) as TransactionOutcome
      return sendHandlers({ chain, tvm: { ...tvm, runTransaction } })
    }
    const feeOf = async (handlers: ReturnType<typeof sending>): Promise<number> =>
      (await handlers.estimateFee({ address, body, ignore_chksig: true }, call)).source_fees.fwd_fee
    const one = await feeOf(sending(1))
    const many = sending(20)
    const { longest, all } = await timeTurns(async () => {
      expect(await feeOf(many)).toBe(20 * one)
    })
    expect(longest).toBeLessThan(all / 3)
  })
})
