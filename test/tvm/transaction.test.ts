import { Address, beginCell, Cell, internal, loadTransaction, type Message, SendMode, storeOutList } from '@ton/core'
import type { Executor } from '@ton/sandbox/dist/executor/Executor.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { beginCell as beginOwn } from '../../server/cell/builder.ts'
import { EMPTY_CELL, Cell as OwnCell } from '../../server/cell/cell.ts'
import { recordUsage } from '../../server/cell/merkle.ts'
import { shardAccountCell } from '../../server/tlb/state/shard-account.ts'
import type { TransactionRequest } from '../../server/tvm/executor/execute.ts'
import { prevBlocksValue } from '../../server/tvm/get-method-request.ts'
import { makeBriefTransaction, makeTransaction, type TransactionOutcome } from '../../server/tvm/make-transaction.ts'
import { wideTree } from '../kit/bombs.ts'
import { applyAccountInput } from '../kit/chain/account-input.ts'
import {
  emptyAccount,
  externalMessage,
  internalMessage,
  keys,
  messageBoc,
  shardAccount,
  transferV4,
  walletV3,
  walletV4,
  walletV5,
} from '../kit/chain/contracts.ts'
import { createExecutor, sandboxConfig } from '../kit/chain/executor.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { accountOf, coreCell, idOf, ownCell } from '../kit/tvm/cells.ts'

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
afterAll(() => tvm.close())
let executor: Executor
beforeAll(async () => {
  executor = await createExecutor()
})

const config = parseBocRoot(Buffer.from(sandboxConfig(), 'base64'))
const { signal } = new AbortController()
const seed = Buffer.alloc(32, 5)
const NOW = 1_760_000_000
const LT = 5_000_000n
const COINS = 10_000_000_000n

const request = (address: Address, account: Uint8Array, message: Message, more: Partial<TransactionRequest> = {}): TransactionRequest => ({
  kind: 'message',
  config,
  account: idOf(address),
  shardAccount: accountOf(account),
  message: parseBocRoot(messageBoc(message)),
  now: NOW,
  lt: LT,
  blockSeed: seed,
  ...more,
})
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const bocText = (cell: OwnCell): string => base64(serializeBoc(cell))
const transactionOf = (cell: OwnCell) => loadTransaction(coreCell(cell).beginParse())
/** In a thread of the pool, so that all is written and read again. */
const one = (of: TransactionRequest) => tvm.runTransaction(of, signal, { inPool: true })
/** What the interface tells of an outcome; cells as their hashes. */
const summary = (outcome: TransactionOutcome): string => {
  if (!outcome.ok) return JSON.stringify(outcome)
  const { transaction, shardAccount, lt, endLt, outMsgs, gasUsed, actions, missingLibrary, log, debug } = outcome
  return JSON.stringify(
    [transaction, shardAccount, lt, endLt, outMsgs, gasUsed, actions, missingLibrary, log, debug],
    (_, value: unknown) => {
      if (value instanceof OwnCell) return value.hashHex()
      if (value instanceof Uint8Array) return base64(value)
      return typeof value === 'bigint' ? value.toString() : value
    },
  )
}
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
    for (const [name, address, account, message] of cases()) {
      const { result } = await executor.runTransaction({
        ...executorArgs(account),
        message: beginCell()
          .storeSlice(Cell.fromBoc(Buffer.from(messageBoc(message)))[0]!.beginParse())
          .endCell(),
      })
      const ours = await one(request(address, account, message))
      if (!result.success || !ours.ok) throw new Error(`${name}: ${JSON.stringify(result)} ${summary(ours)}`)
      expect([name, bocText(ours.transaction), bocText(shardAccountCell(ours.shardAccount))]).toEqual([
        name,
        result.transaction,
        result.shardAccount,
      ])
      expect([name, ours.actions && bocText(ours.actions)]).toEqual([name, result.actions ?? undefined])
    }
  })

  it.each(['tick', 'tock'] as const)('transactions of kind %s equal those of the sandbox', async (which) => {
    const { result } = await executor.runTickTock({ ...executorArgs(tickTock), which })
    const { message: _, ...rest } = request(special, tickTock, internalMessage(special, special, 1n))
    const ours = await one({ ...rest, kind: which })
    if (!result.success || !ours.ok) throw new Error(`${JSON.stringify(result)} ${summary(ours)}`)
    expect(bocText(ours.transaction)).toBe(result.transaction)
    const { description } = transactionOf(ours.transaction)
    expect(description.type === 'tick-tock' && description.isTock).toBe(which === 'tock')
  })

  it('transactions of the pool are told as those of the calling thread are, all of them', async () => {
    const v4 = shardAccount(walletV4.address, walletV4.init, COINS)
    const sending = walletV4.createTransfer({
      seqno: 0,
      secretKey: keys.secretKey,
      sendMode: SendMode.NONE,
      timeout: NOW + 100,
      messages: [1, 2, 3].map((i) => internal({ to: walletV3.address, value: BigInt(i), body: 'a comment that two messages share' })),
    })
    const requests = [
      ...cases().map(([, address, account, message]) => request(address, account, message)),
      request(walletV4.address, v4, externalMessage(walletV4.address, sending), { log: true, libraries: beginOwn().storeUint(1, 8).end() }),
      request(walletV4.address, v4, externalMessage(walletV4.address, transferV4(9))),
      request(walletV4.address, emptyAccount(), externalMessage(walletV4.address, transferV4(0))),
    ]
    for (const each of requests) expect(summary(await one(each))).toBe(summary(makeTransaction(each)))
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
      { shardAccount: { ...good.shardAccount, accountCell: EMPTY_CELL } },
      { account: { workchain: 0, hash: Buffer.alloc(32, 1) } },
      { message: EMPTY_CELL },
      { message: parseBocRoot(emptyAccount()) },
      { message: undefined },
    ]) {
      expect(await one({ ...good, ...bad })).toMatchObject({ ok: false })
      expect(summary(await one(good))).toBe(summary(expected))
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
    const prevBlocks = prevBlocksValue(ownCell(stack.asCell()))
    const codeOf = async (more: Partial<TransactionRequest>) => {
      const result = await one(request(special, account, message, more))
      if (!result.ok) throw new Error(result.error)
      const { description } = transactionOf(result.transaction)
      return description.type === 'generic' && description.computePhase.type === 'vm' ? description.computePhase.exitCode : undefined
    }
    const without = await codeOf({})
    expect(await codeOf({ prevBlocks })).toBe(0)
    expect(without).not.toBe(0)
    expect(await codeOf({})).toBe(without)
  })

  it('transactions refuse a clock or a seed that would be random', async () => {
    const good = request(walletV4.address, emptyAccount(), internalMessage(walletV3.address, walletV4.address, 5n))
    await expect(one({ ...good, now: 0 })).rejects.toMatchObject({ kind: 'rejected' })
    await expect(one({ ...good, blockSeed: Buffer.alloc(31) })).rejects.toMatchObject({ kind: 'rejected' })
  })
})

it('a large state that a transaction changes is not measured by a brief run', () => {
  const address = new Address(0, Buffer.alloc(32, 0x5c))
  // DROP, PUSH c4, NEWC, STREF, ENDC, POP c4: one cell more above the state.
  const code = beginOwn().storeBytes(Buffer.from('30ed44c8ccc9ed54', 'hex')).end()
  const data = wideTree(5_000)
  const cell = applyAccountInput(undefined, idOf(address), { account: idOf(address), balance: COINS, code, data }, NOW)
  const usage = recordUsage(cell)
  const shardAccount = { accountCell: usage.root, lastTransHash: new Uint8Array(32), lastTransLt: 0n }
  const given = { ...request(address, emptyAccount(), internalMessage(address, address, COINS)), shardAccount }
  expect(makeBriefTransaction({ ...given, shardAccount: { ...shardAccount, accountCell: cell } })).toBeUndefined()
  expect(makeTransaction({ ...given, interrupt: (_slow, long = false) => long })).toMatchObject({ interrupted: true })
  expect(usage.used(data.ref(0).ref(0))).toBe(false)
  expect(makeTransaction(given)).toMatchObject({ ok: true })
  expect(usage.used(data.ref(0).ref(0))).toBe(true)
})

describe('an account that sends one large message many times', () => {
  const CELLS = 7_000
  const address = new Address(0, Buffer.alloc(32, 0x5d))
  /** The data is a ready list of actions, and the code moves it from c4 to c5. So the code needs next to no gas, and the actions take long. */
  const sending = (times: number): TransactionRequest => {
    const message = internal({ to: address, value: 1n, body: coreCell(wideTree(CELLS)) })
    const actions = storeOutList(Array.from({ length: times }, () => ({ type: 'sendMsg', mode: 1, outMsg: message })))
    const data = ownCell(beginCell().store(actions).endCell())
    const code = beginOwn().storeBytes(Buffer.from('ed44ed55', 'hex')).end()
    const account = { account: idOf(address), balance: 10n ** 18n, code, data }
    const accountCell = applyAccountInput(undefined, idOf(address), account, NOW)
    const given = request(address, emptyAccount(), internalMessage(address, address, COINS))
    return { ...given, shardAccount: { accountCell, lastTransHash: new Uint8Array(32), lastTransLt: 0n } }
  }

  it('a list of 255 large messages is not sent by a brief run', () => {
    expect(makeBriefTransaction(sending(255))).toBeUndefined()
  })

  it('a transaction can be interrupted while the cells are counted', () => {
    const given = sending(3)
    let asked = 0
    const made = makeTransaction({ ...given, interrupt: () => ++asked === 0 })
    expect(made.ok && made.outMsgs).toHaveLength(3)
    expect(asked).toBeGreaterThan((3 * CELLS) / 1_000)
    for (let last = 1; last <= asked; last++) {
      let calls = 0
      expect(makeTransaction({ ...given, interrupt: () => ++calls === last })).toMatchObject({ interrupted: true })
    }
  })

  it('views of all cells are not kept for each message', () => {
    const given = sending(3)
    const accountCell = parseBocRoot(serializeBoc(given.shardAccount.accountCell))
    const made = makeTransaction({ ...given, shardAccount: { ...given.shardAccount, accountCell } })
    const kept = made.ok ? made.outMsgs.map((message) => message.ref(0).r0 !== undefined) : []
    // Measuring the account keeps the views of one of them.
    expect(kept.sort()).toEqual([false, false, true])
  })
})
