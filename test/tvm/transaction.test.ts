import { Address, beginCell, Cell, loadTransaction, type Message, SendMode } from '@ton/core'
import type { Executor } from '@ton/sandbox/dist/executor/Executor.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { makeTvmConfig } from '../../server/tvm/config.ts'
import type { BatchRequest } from '../../server/tvm/protocol.ts'
import {
  emptyAccount,
  externalMessage,
  internalMessage,
  keys,
  messageBoc,
  raw,
  shardAccount,
  transferV4,
  walletV3,
  walletV4,
  walletV5,
} from '../kit/chain/contracts.ts'
import { createExecutor, sandboxConfig } from '../kit/chain/executor.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
afterAll(() => tvm.close())
let executor: Executor
beforeAll(async () => {
  executor = await createExecutor()
})

const config = makeTvmConfig(parseBocRoot(Buffer.from(sandboxConfig(), 'base64')))
const { signal } = new AbortController()
const seed = Buffer.alloc(32, 5)
const NOW = 1_760_000_000
const LT = 5_000_000n
const COINS = 10_000_000_000n

const request = (address: Address, account: Uint8Array | 'previous', message: Message, more: Partial<BatchRequest> = {}): BatchRequest => ({
  kind: 'message',
  config,
  account: raw(address),
  shardAccount: account,
  message: messageBoc(message),
  now: NOW,
  lt: LT,
  randomSeed: seed,
  ...more,
})
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const transactionOf = (bytes: Uint8Array) => loadTransaction(Cell.fromBoc(Buffer.from(bytes))[0]!.beginParse())
const one = async (batch: BatchRequest) => (await tvm.runTransactions([batch], signal))[0]!
const executorArgs = (account: Uint8Array) => ({
  config: sandboxConfig(),
  libs: null,
  verbosity: 'short' as const,
  shardAccount: base64(account),
  now: NOW,
  lt: LT,
  randomSeed: seed,
  ignoreChksig: false,
  debugEnabled: false,
})

/** PUSHCTR c4, CTOS, 32 LDU, DROP, INC, NEWC, 32 STU, ENDC, POP c4: counts its runs; accepts everything. */
const counter = Cell.fromBoc(beginCell().storeBuffer(Buffer.from('f800ed44d0d31f30a4c8cb1fc9ed54', 'hex')).endCell().toBoc())[0]!
const counterData = beginCell().storeUint(0, 32).endCell()
const special = new Address(-1, Buffer.alloc(32, 0x44))
const tickTock = shardAccount(special, { code: counter, data: counterData, special: { tick: true, tock: true } }, COINS)

describe('transactions', () => {
  const cases = (): [string, Address, Uint8Array, Message][] => [
    [
      'v3R2',
      walletV3.address,
      shardAccount(walletV3.address, walletV3.init, COINS),
      externalMessage(
        walletV3.address,
        walletV3.createTransfer({ seqno: 0, secretKey: keys.secretKey, messages: [], sendMode: SendMode.NONE, timeout: NOW + 100 }),
      ),
    ],
    ['v4R2', walletV4.address, shardAccount(walletV4.address, walletV4.init, COINS), externalMessage(walletV4.address, transferV4(0))],
    [
      'v5R1',
      walletV5.address,
      shardAccount(walletV5.address, walletV5.init, COINS),
      externalMessage(
        walletV5.address,
        walletV5.createTransfer({
          seqno: 0,
          secretKey: keys.secretKey,
          messages: [],
          sendMode: SendMode.IGNORE_ERRORS,
          timeout: NOW + 100,
        }),
      ),
    ],
    ['coins to nobody', walletV4.address, emptyAccount(), internalMessage(walletV3.address, walletV4.address, 7_000_000n)],
    ['a counter', special, tickTock, internalMessage(walletV3.address, special, 50_000_000n)],
  ]

  it('transactions equal those of the sandbox bit for bit', async () => {
    const answers = await tvm.runTransactions(
      cases().map(([, address, account, message]) => request(address, account, message)),
      signal,
    )
    for (const [i, [name, , account, message]] of cases().entries()) {
      const { result } = await executor.runTransaction({
        ...executorArgs(account),
        message: beginCell()
          .storeSlice(Cell.fromBoc(Buffer.from(messageBoc(message)))[0]!.beginParse())
          .endCell(),
      })
      const ours = answers[i]!
      if (!result.success || !ours.ok) throw new Error(`${name}: ${JSON.stringify([result, ours])}`)
      expect([name, base64(ours.transaction), base64(ours.shardAccount)]).toEqual([name, result.transaction, result.shardAccount])
      expect([name, ours.actions && base64(ours.actions)]).toEqual([name, result.actions ?? undefined])
    }
  })

  it.each(['tick', 'tock'] as const)('transactions of kind %s equal those of the sandbox', async (which) => {
    const { result } = await executor.runTickTock({ ...executorArgs(tickTock), which })
    const { message: _, ...rest } = request(special, tickTock, internalMessage(special, special, 1n))
    const ours = await one({ ...rest, kind: which })
    if (!result.success || !ours.ok) throw new Error(JSON.stringify([result, ours]))
    expect(base64(ours.transaction)).toBe(result.transaction)
    const { description } = transactionOf(ours.transaction)
    expect(description.type === 'tick-tock' && description.isTock).toBe(which === 'tock')
  })

  it('transactions of one account follow each other in one call', async () => {
    const account = shardAccount(walletV4.address, walletV4.init, COINS)
    const step = (seqno: number, lt: bigint, from: Uint8Array | 'previous') =>
      request(walletV4.address, from, externalMessage(walletV4.address, transferV4(seqno)), { lt })
    const other = request(walletV3.address, emptyAccount(), internalMessage(walletV4.address, walletV3.address, 5n))
    const results = await tvm.runTransactions(
      [step(0, LT, account), other, step(5, LT + 10n, 'previous'), step(1, LT + 20n, 'previous')],
      signal,
    )
    expect(results.map(({ ok }) => ok)).toEqual([true, true, false, true])
    const [first, , , last] = results
    if (!first?.ok || !last?.ok) throw new Error('refused')
    // The refused one in between changed nothing.
    const alone = await one(step(1, LT + 20n, first.shardAccount))
    expect(alone.ok && base64(alone.transaction)).toBe(base64(last.transaction))
    expect(transactionOf(last.transaction).prevTransactionLt).toBe(LT)
    await expect(tvm.runTransactions([step(0, LT, 'previous')], signal)).rejects.toMatchObject({ kind: 'rejected' })
  })

  it('a transaction that the contract refuses has the exit code and the log: 33 seqno, 35 signature', async () => {
    const account = shardAccount(walletV4.address, walletV4.init, COINS)
    const stale = await one(request(walletV4.address, account, externalMessage(walletV4.address, transferV4(9))))
    expect(stale).toMatchObject({ ok: false, exitCode: 33, error: 'External message not accepted by smart contract' })
    expect(stale.ok || stale.log).toContain('terminating vm with exit code 33')
    const forged = await one(
      request(
        walletV4.address,
        account,
        externalMessage(walletV4.address, transferV4(0, Buffer.concat([Buffer.alloc(32, 1), keys.secretKey.subarray(32)]))),
      ),
    )
    expect(forged).toMatchObject({ ok: false, exitCode: 35 })
    const ignored = await one(
      request(
        walletV4.address,
        account,
        externalMessage(walletV4.address, transferV4(0, Buffer.concat([Buffer.alloc(32, 1), keys.secretKey.subarray(32)]))),
        { ignoreSignatures: true },
      ),
    )
    expect(ignored.ok).toBe(true)
  })

  it('transactions to an account without code or coins are refused', async () => {
    const result = await one(request(walletV4.address, emptyAccount(), externalMessage(walletV4.address, transferV4(0))))
    expect(result.ok).toBe(false)
    expect(result.ok || result.exitCode).toBeUndefined()
  })

  it('garbage is refused, and the next run is not affected', async () => {
    const account = shardAccount(walletV4.address, walletV4.init, COINS)
    const good = request(walletV4.address, account, externalMessage(walletV4.address, transferV4(0)))
    const expected = await one(good)
    for (const bad of [
      { shardAccount: Buffer.from('junk') },
      { shardAccount: Cell.EMPTY.toBoc() },
      { message: Buffer.alloc(0) },
      { message: Cell.EMPTY.toBoc() },
      { message: emptyAccount() },
      { libraries: Buffer.from('junk') },
      { prevBlocksInfo: Buffer.from('junk') },
    ]) {
      expect(await one({ ...good, ...bad })).toMatchObject({ ok: false })
      expect(await one(good)).toEqual(expected)
    }
  })

  it('transactions do not see the previous blocks or libraries of the run before', async () => {
    // PREVMCBLOCKS: exit 0 with a tuple, type error (7) without one; then accept
    const reader = beginCell().storeBuffer(Buffer.from('f800f8340030', 'hex')).endCell()
    const account = shardAccount(special, { code: reader, data: Cell.EMPTY }, COINS)
    const message = internalMessage(walletV3.address, special, 50_000_000n)
    const block = { type: 'tuple' as const, items: [-1n, -(1n << 63n), 5n, 6n, 7n].map((value) => ({ type: 'int' as const, value })) }
    const { serializeTuple } = await import('@ton/core')
    const stack = serializeTuple([
      { type: 'tuple', items: [{ type: 'tuple', items: [block] }, block, { type: 'tuple', items: [block] }] },
    ]).beginParse()
    stack.skip(24)
    stack.loadRef()
    const prevBlocksInfo = stack.asCell().toBoc()
    const codeOf = async (more: Partial<BatchRequest>) => {
      const result = await one(request(special, account, message, more))
      if (!result.ok) throw new Error(result.error)
      const { description } = transactionOf(result.transaction)
      return description.type === 'generic' && description.computePhase.type === 'vm' ? description.computePhase.exitCode : undefined
    }
    const without = await codeOf({})
    expect(await codeOf({ prevBlocksInfo })).toBe(0)
    expect(without).not.toBe(0)
    expect(await codeOf({})).toBe(without)
  })

  it('transactions refuse a clock or a seed that would be random', async () => {
    const good = request(walletV4.address, emptyAccount(), internalMessage(walletV3.address, walletV4.address, 5n))
    await expect(one({ ...good, now: 0 })).rejects.toMatchObject({ kind: 'rejected' })
    await expect(one({ ...good, randomSeed: Buffer.alloc(31) })).rejects.toMatchObject({ kind: 'rejected' })
  })
})
