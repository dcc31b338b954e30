import { Address, beginCell, Cell, Dictionary, parseTuple } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import type { AccountState, Chain, TransactionInBlock } from '../../server/chain/chain-port.ts'
import type { BlockId } from '../../server/tlb/ids.ts'
import { loadMessage, storeMessage } from '../../server/tlb/message/message.ts'
import type { MessageInfo } from '../../server/tlb/message/message-info.ts'
import { storeVmStack, type VmStackValue } from '../../server/tlb/vm-stack/vm-stack.ts'
import { createV4Handlers } from '../../server/v2/v4/index.ts'
import { parseAddress } from '../../shared/fields/address.ts'
import { methodId } from '../../shared/fields/method-id.ts'
import { wideTree } from '../kit/bombs.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { jsonText } from '../kit/service/results.ts'
import { timeTurns } from '../kit/turns.ts'
import { answering } from './answering-contract.ts'
import { contractsChain } from './contracts-chain.ts'
import { fakeChain, fakeConfig } from './fake-chain.ts'

/* What an embedded chain does not have: frozen accounts, split and merged shards, a network that takes nothing back. */

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const master = (seqno: number): BlockId => ({ workchain: -1, shard: 1n << 63n, seqno, rootHash: hash(seqno), fileHash: hash(seqno) })
const LEFT = 0x4n << 60n
const RIGHT = 0xcn << 60n
const WHOLE = 1n << 63n
const shardBlock = (shard: bigint, seqno: number): BlockId => ({ workchain: 0, shard, seqno, rootHash: hash(1), fileHash: hash(2) })

const call = { signal: new AbortController().signal } as Call
const handlersOf = (chain: Partial<Chain>, reverts = false) =>
  createV4Handlers({
    chain: fakeChain({ head: () => ({ id: master(10), utime: 1_000, epoch: 0 }), pin: async (at) => master(at as number), ...chain }),
    sendBoc: async () => ({ '@type': 'ok' }),
    reverts,
  })

const accountOf = (state: object, more: Partial<AccountState> = {}): Partial<Chain> => ({
  account: async (id, at) =>
    ({
      id,
      block: at,
      balance: { grams: 7n, other: new Map([[100, 5n]]) },
      lastTransLt: 0n,
      lastTransHash: hash(0),
      account: { state, storageStat: { lastPaid: 3, usedBits: 1n, usedCells: 2n, duePayment: 9n } },
      ...more,
    }) as unknown as AccountState,
})
const ASKED = { seqno: 5, address: { workchain: 0, hash: hash(3), friendly: undefined } } as never

describe('accounts of v4', () => {
  it('a frozen account has its state hash, extra currencies by id, and a debt for storage', async () => {
    const handlers = handlersOf(accountOf({ type: 'frozen', stateHash: hash(9) }))
    for (const name of ['v4.getAccount', 'v4.getAccountLite'] as const)
      expect((await handlers[name](ASKED, call)).body).toMatchObject({
        account: {
          state: { type: 'frozen', stateHash: Buffer.from(hash(9)).toString('base64') },
          balance: { coins: '7', currencies: { 100: '5' } },
          last: null,
          storageStat: { lastPaid: 3, duePayment: '9', used: { bits: 1, cells: 2 } },
        },
      })
  })

  it('an active account without code and data has null for them, and empty texts for their hashes, which TonClient4 takes', async () => {
    const handlers = handlersOf(accountOf({ type: 'active', init: {} }))
    expect((await handlers['v4.getAccount'](ASKED, call)).body!.account.state).toEqual({ type: 'active', code: null, data: null })
    expect((await handlers['v4.getAccountLite'](ASKED, call)).body!.account.state).toEqual({ type: 'active', codeHash: '', dataHash: '' })
  })

  it('answers stay for a year where no block is taken back, and for no time where one may be', async () => {
    const cacheOf = async (reverts: boolean) =>
      (await handlersOf(accountOf({ type: 'uninit' }), reverts)['v4.getAccount'](ASKED, call)).headers!['Cache-Control']
    expect(await cacheOf(false)).toBe('public, max-age=31536000, immutable')
    expect(await cacheOf(true)).toBe('public, max-age=0, immutable')
  })
})

describe('blocks of v4', () => {
  /** Blocks by number: whole 1 to 3, then two halves, then whole again. */
  const PREVIOUS: Readonly<Record<string, readonly BlockId[]>> = {
    [`${LEFT}:4`]: [shardBlock(WHOLE, 3)],
    [`${RIGHT}:4`]: [shardBlock(WHOLE, 3)],
    [`${LEFT}:5`]: [shardBlock(LEFT, 4)],
    [`${RIGHT}:5`]: [shardBlock(RIGHT, 4)],
    [`${WHOLE}:6`]: [shardBlock(LEFT, 5), shardBlock(RIGHT, 4)],
    [`${WHOLE}:7`]: [shardBlock(WHOLE, 6)],
  }
  const chainOf = (tops: Readonly<Record<number, readonly BlockId[]>>): Partial<Chain> => ({
    shards: async ({ seqno }) => tops[seqno]!.map((id) => ({ id, descr: undefined as never })),
    blockHeader: async (id) => ({ id, globalId: 0, info: undefined as never, prevBlocks: PREVIOUS[`${id.shard}:${id.seqno}`]! }),
    blockTransactionIds: async () => ({ ids: [], incomplete: false }),
  })
  const blocksOf = async (tops: Readonly<Record<number, readonly BlockId[]>>) => {
    const { body } = await handlersOf(chainOf(tops))['v4.getBlock']({ seqno: 5 }, call)
    if (body?.exist !== true) throw new Error('no block')
    return body.block.shards.slice(1).map(({ shard, seqno }) => `${BigInt.asUintN(64, BigInt(shard))}:${seqno}`)
  }

  it('a block has all shard blocks since the one before it, over splits and merges, each once', async () => {
    expect(await blocksOf({ 4: [shardBlock(WHOLE, 3)], 5: [shardBlock(WHOLE, 3)] })).toEqual([])
    const split = await blocksOf({ 4: [shardBlock(WHOLE, 3)], 5: [shardBlock(LEFT, 4), shardBlock(RIGHT, 4)] })
    expect(split.sort()).toEqual([`${LEFT}:4`, `${RIGHT}:4`].sort())
    const both = await blocksOf({ 4: [shardBlock(WHOLE, 3)], 5: [shardBlock(WHOLE, 7)] })
    expect(both.slice(-2)).toEqual([`${WHOLE}:6`, `${WHOLE}:7`])
    expect([...both].sort()).toEqual([`${LEFT}:4`, `${LEFT}:5`, `${RIGHT}:4`, `${WHOLE}:6`, `${WHOLE}:7`].sort())
  })

  it('a block that comes a moment later is waited for, and one that does not come is not there', async () => {
    let seqno = 10
    const chain: Partial<Chain> = {
      ...chainOf({ 11: [], 10: [], 12: [] }),
      head: () => ({ id: master(seqno), utime: 1_000, epoch: 0 }),
      async *heads(signal) {
        while (!signal.aborted) {
          yield { id: master(seqno), utime: 1_000, epoch: 0 }
          await new Promise((resolve) => setTimeout(resolve, 5))
          seqno = 11
        }
      },
    }
    const handlers = handlersOf(chain)
    expect(await handlers['v4.getBlock']({ seqno: 11 }, call)).toMatchObject({ body: { exist: true } })
    expect(await handlers['v4.getBlock']({ seqno: 12 }, call)).toEqual({ body: { exist: false }, isTransient: true })
    const gone = { signal: AbortSignal.abort(new Error('the caller left')) } as Call
    await expect(handlers['v4.getBlock']({ seqno: 12 }, gone)).rejects.toThrow('the caller left')
  })
})

describe('transactions of v4', () => {
  const ours = (cell: Cell) => parseBocRoot(cell.toBoc())
  const std = (byte: number) => ({ type: 'std', workchain: 0, hash: hash(byte) }) as const
  const parsedOf = async (inMsg: MessageInfo | undefined, body: Cell, outMsgs: readonly MessageInfo[] = []) => {
    const message = (info: MessageInfo, of: Cell) => loadMessage(storeMessage({ info, body: ours(of) }))
    const transaction = {
      account: hash(3),
      lt: 5n,
      prevTransLt: 0n,
      prevTransHash: hash(0),
      now: 9,
      outMsgCount: outMsgs.length,
      origStatus: 'nonexist',
      endStatus: 'uninit',
      inMsg: inMsg && message(inMsg, body),
      outMsgs: outMsgs.map((info) => message(info, beginCell().endCell())),
      totalFees: { grams: 1n },
      stateUpdate: { oldHash: hash(1), newHash: hash(2) },
    }
    const found = { transaction, hash: hash(4), workchain: 0, block: shardBlock(WHOLE, 3) } as unknown as TransactionInBlock
    const handlers = handlersOf({ transactions: async () => ({ transactions: [found], next: { lt: 0n, hash: hash(0) } }) })
    const ask = { address: { workchain: 0, hash: hash(3) } as never, lt: 5n, hash: hash(4), count: 1 }
    const answer = await handlers['v4.getAccountTransactionsParsed'](ask, call)
    return JSON.parse(await jsonText(answer, call.signal)).transactions[0]
  }
  /** A transaction that an internal message with this body began, and that sent such messages. */
  const withBodies = (body: ReturnType<typeof ours>, sent: readonly (typeof body)[] = []): TransactionInBlock => {
    const info = { type: 'internal', ihrDisabled: true, bounce: false, bounced: false, src: std(8), dest: std(3) } as const
    const numbers = { value: { grams: 4n }, ihrFee: 0n, fwdFee: 2n, createdLt: 1n, createdAt: 1 }
    const [inMsg, ...outMsgs] = [body, ...sent].map((of) => loadMessage(storeMessage({ info: { ...info, ...numbers }, body: of })))
    const hashes = { account: hash(3), prevTransHash: hash(0), stateUpdate: { oldHash: hash(1), newHash: hash(2) } }
    const rest = { lt: 5n, prevTransLt: 0n, now: 9, outMsgCount: 0, totalFees: { grams: 1n } }
    const transaction = { ...hashes, ...rest, origStatus: 'active', endStatus: 'active', inMsg, outMsgs }
    return { transaction, hash: hash(4), workchain: 0, block: shardBlock(WHOLE, 3) } as unknown as TransactionInBlock
  }
  const parsedAnswer = (transactions: readonly TransactionInBlock[]) =>
    handlersOf({ transactions: async () => ({ transactions, next: { lt: 0n, hash: hash(0) } }) })['v4.getAccountTransactionsParsed'](
      { address: { workchain: 0, hash: hash(3) } as never, lt: 5n, hash: hash(4), count: 100 },
      call,
    )

  it('bodies of thousands of cells are written in turns, and an answer that is too long is refused', async () => {
    const bodyOf = (name: number) => wideTree(4_000, (cell, i) => cell.storeUint(name + i, 32).storeUint(0, 480))
    const [first, ...others] = Array.from({ length: 12 }, (_, i) => bodyOf(0xabcd0000 + i))
    const many = withBodies(first!, others)
    const { longest, all } = await timeTurns(async () => jsonText(await parsedAnswer([many]), call.signal))
    expect(longest).toBeLessThan(all / 3)
    await expect(parsedAnswer(Array(5).fill(many))).rejects.toMatchObject({ kind: 'TOO_LARGE' })
  })

  const externalIn = { type: 'external-in', src: undefined, dest: std(3), importFee: 0n } as const

  it('external addresses, bounces and tick-tock transactions are told', async () => {
    const tick = await parsedOf(undefined, beginCell().endCell(), [
      {
        type: 'external-out',
        src: std(3),
        dest: { type: 'extern', bits: 9, data: Uint8Array.of(0x80, 0x80) },
        createdLt: 1n,
        createdAt: 1,
      },
      { type: 'external-out', src: std(3), dest: undefined, createdLt: 1n, createdAt: 1 },
    ])
    expect(tick).toMatchObject({
      inMessage: null,
      oldStatus: 'non-existing',
      newStatus: 'uninitialized',
      outMessages: [{ info: { dest: { bits: 9, data: '101' } } }, { info: { dest: null } }],
      parsed: { kind: 'out', status: 'success', amount: '0', seqno: null, body: null, mentioned: [] },
    })
    const bounced = await parsedOf(
      {
        type: 'internal',
        ihrDisabled: true,
        bounce: false,
        bounced: true,
        src: std(8),
        dest: std(3),
        value: { grams: 4n },
        ihrFee: 3n,
        fwdFee: 2n,
        createdLt: 1n,
        createdAt: 1,
      },
      beginCell().storeUint(0xffffffff, 32).endCell(),
    )
    const from = new Address(0, Buffer.alloc(32, 8)).toString()
    expect(bounced).toMatchObject({
      inMessage: { info: { ihrFee: '0', fwdFee: '2', src: from } },
      parsed: { kind: 'in', bounced: true, amount: '4', resolvedAddress: from, mentioned: [from], body: { type: 'payload' } },
    })
  })

  it('external messages that are no order of a wallet have no seqno, and break nothing', async () => {
    const order = (bits: number) =>
      beginCell().storeBuffer(Buffer.alloc(64)).storeUint(0, 32).storeUint(0, 32).storeUint(7, 32).storeUint(0, bits)
    for (const [body, seqno] of [
      [beginCell().endCell(), null],
      [beginCell().storeBuffer(Buffer.alloc(70)).endCell(), null],
      [order(0).endCell(), 7],
      [order(5).endCell(), 7],
      // Messages that are none.
      [order(8).storeRef(beginCell().storeUint(1, 9).endCell()).endCell(), 7],
      [order(16).storeRef(beginCell().endCell()).endCell(), 7],
      [beginCell().storeUint(0x7369676e, 32).endCell(), null],
      [beginCell().storeUint(0x7369676e, 32).storeUint(0, 64).storeUint(6, 32).storeBit(0).endCell(), 6],
      [beginCell().storeUint(0x7369676e, 32).storeUint(0, 64).storeUint(6, 32).storeMaybeRef(beginCell().endCell()).endCell(), 6],
    ] as const)
      expect((await parsedOf(externalIn, body)).parsed).toMatchObject({ seqno, dest: null, status: 'failed', kind: 'out', body: null })
  })
})

describe('long histories of v4', () => {
  it('transactions that are large together are answered in several bags, whole and in order', async () => {
    // Messages of 8,000 cells are the largest that a node takes.
    const transactionOf = (byte: number) =>
      ({
        transaction: { root: parseBocRoot(serializeBoc(wideTree(6_000 + byte))) },
        block: shardBlock(WHOLE, byte),
      }) as unknown as TransactionInBlock
    const found = [1, 2, 3, 4, 5].map(transactionOf)
    const handlers = handlersOf({ transactions: async () => ({ transactions: found, next: { lt: 0n, hash: hash(0) } }) })
    const ask = { address: { workchain: 0, hash: hash(3) } as never, lt: 5n, hash: hash(4), count: 20 }
    const { body } = await handlers['v4.getAccountTransactions'](ask, call)
    const roots = Cell.fromBoc(Buffer.from(body!.boc, 'base64'))
    expect(body!.blocks.map(({ seqno }) => seqno)).toEqual([1, 2])
    expect(roots.map((root) => root.hash().toString('hex'))).toEqual(found.slice(0, 2).map(({ transaction }) => transaction.root.hashHex()))
  })

  it('transactions of 60,000 cells are counted no further than one bag needs', async () => {
    const found = { transaction: { root: parseBocRoot(serializeBoc(wideTree(60_000))) }, block: shardBlock(WHOLE, 1) } as never
    const handlers = handlersOf({ transactions: async () => ({ transactions: [found, found, found], next: { lt: 0n, hash: hash(0) } }) })
    const ask = { address: { workchain: 0, hash: hash(3) } as never, lt: 5n, hash: hash(4), count: 20 }
    const { longest, all } = await timeTurns(async () => handlers['v4.getAccountTransactions'](ask, call))
    expect(longest).toBeLessThan(all / 3)
  })
})

describe('the configuration of v4', () => {
  it('some parameters are a configuration of their own, negative numbers too', async () => {
    const value = beginCell().storeUint(5, 8).endCell()
    const all = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell()).set(-7, value).set(1, value).set(15, value)
    const handlers = handlersOf({
      config: async () =>
        fakeConfig({ root: parseBocRoot(beginCell().storeDictDirect(all).endCell().toBoc()), configAddress: hash(5), globalBalance: 12n }),
    })
    const { body } = await handlers['v4.getConfig']({ seqno: 5, ids: [15, -7, 15, 3] }, call)
    expect(body!.config.globalBalance.coins).toBe('12')
    const only = Dictionary.empty(Dictionary.Keys.Int(32), Dictionary.Values.Cell()).set(-7, value).set(15, value)
    expect(body!.config.cell).toBe(beginCell().storeDictDirect(only).endCell().toBoc({ idx: false }).toString('base64'))
    await expect(handlers['v4.getConfig']({ seqno: 5, ids: [3] }, call)).rejects.toMatchObject({ kind: 'NOT_FOUND' })
  })
})

describe('get-methods of v4', () => {
  const RAW = `0:${'01'.repeat(32)}`
  const cell = beginCell().storeUint(5, 7).endCell()
  const METHODS = {
    everything: [5n, -1n, null, { cell }, { slice: cell }, { tuple: [1n, { tuple: [] }] }, { code: 'c8' }],
    nothing: [],
    // PUSHINT 0, PUSHINT 100, PUSHCONT { TUPLE 1 }, REPEAT
    deep: [{ code: '70810064926f01e4' }],
    // PUSHINT 0, PUSHINT 2, PUSHCONT { PUSHINT 254, PUSHCONT { DUP }, REPEAT, PUSHINT 255, TUPLEVAR }, REPEAT
    wideBomb: [{ code: '70729b8100fe9120e48100ff6f80e4' }],
    fails: [{ code: 'f228' }],
  } as const
  const tvm = createTestTvm({ workers: 1 })
  afterAll(() => tvm.close())
  const run = async (method: string, args?: Uint8Array) => {
    const { runGetMethod } = contractsChain(tvm, { [RAW]: { code: answering(METHODS), data: Cell.EMPTY } })
    const handlers = handlersOf({ runGetMethod })
    const { body } = await handlers['v4.runMethod']({ seqno: 5, address: parseAddress(RAW)!, method: methodId(method), args }, call)
    return body!
  }
  const stackOf = ({ resultRaw }: { readonly resultRaw: string | null }) => parseTuple(Cell.fromBase64(resultRaw!))

  it('a stack of every type is read by @ton/core as it was left', async () => {
    const stack = stackOf(await run('everything'))
    expect(stack.map(({ type }) => type)).toEqual(['int', 'int', 'null', 'cell', 'slice', 'tuple', 'builder'])
    expect(stack[5]).toEqual({
      type: 'tuple',
      items: [
        { type: 'int', value: 1n },
        { type: 'tuple', items: [] },
      ],
    })
    expect(stackOf(await run('nothing'))).toEqual([])
    expect(await run('fails')).toMatchObject({ exitCode: 40 })
    let [value] = stackOf(await run('deep'))
    let depth = 0
    for (; value?.type === 'tuple'; depth++) [value] = value.items
    expect(depth).toBe(100)
  })

  it('results and arguments of many values in few cells are refused', async () => {
    await expect(run('wideBomb')).rejects.toMatchObject({ kind: 'CHAIN', message: 'TVM stack size exceeds limit' })
    const row: VmStackValue = { type: 'tuple', items: Array.from({ length: 255 }, () => ({ type: 'null' })) }
    const bomb = serializeBoc(storeVmStack([{ type: 'tuple', items: Array.from({ length: 255 }, () => row) }]))
    await expect(run('nothing', bomb)).rejects.toMatchObject({
      kind: 'INVALID_PARAMS',
      message: 'args is not a VmStack in a BoC: more than 8000 values in a stack',
    })
    expect(await run('nothing', new Uint8Array(0))).toMatchObject({ exitCode: 0 })
  })
})
