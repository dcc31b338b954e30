import { expect, it } from 'vitest'
import { bookOfSpellings } from '../../../server/book/address-book.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../../server/cell/cell.ts'
import { dictSet } from '../../../server/cell/dict.ts'
import { createAccountViews } from '../../../server/index/topics/account-views.ts'
import { contentsOfRows, type FactSource } from '../../../server/index/topics/actions/facts.ts'
import { createDataReader, withData } from '../../../server/index/topics/actions/pool-facts.ts'
import { createCachedQueries } from '../../../server/index/topics/cached-queries.ts'
import { contractsTopic, detectIn } from '../../../server/index/topics/contracts/detect.ts'
import { addressValue, cellValue, intValue } from '../../../server/index/topics/contracts/stack-values.ts'
import { jettonsTopic } from '../../../server/index/topics/jettons/topic.ts'
import { evaluateWallets } from '../../../server/index/topics/jettons/wallets.ts'
import { nftsTopic } from '../../../server/index/topics/nfts/topic.ts'
import { runMethod } from '../../../server/index/topics/run-method.ts'
import { stakingTopic } from '../../../server/index/topics/staking/topic.ts'
import type { AccountView, BlockView, MethodAnswer, TopicContext } from '../../../server/index/topics/topic.ts'
import { viewElector } from '../../../server/index/topics/validators/elector-view.ts'
import { walletsTopic } from '../../../server/index/topics/wallets/topic.ts'
import type { View } from '../../../server/store/queries/view.ts'
import { accountOfKey, rawOfKey } from '../../../server/store/row-keys.ts'
import type { TableRows } from '../../../server/store/rows/copy-rows.ts'
import { dnsEntries } from '../../../server/store/schema/nfts.ts'
import { nominatorPools, poolNominators } from '../../../server/store/schema/staking.ts'
import type { Table } from '../../../server/store/schema/table.ts'
import { stdAddress, storeAddressInt } from '../../../server/tlb/address.ts'
import { loadPoolData, NOMINATOR_POOL_CODE } from '../../../server/tlb/contracts/nominator-pool.ts'
import type { VmStackValue } from '../../../server/tlb/vm-stack/vm-stack.ts'
import { type GetMethodRequest, type GetMethodResult, TvmError } from '../../../server/tvm/tvm.ts'
import { methodId } from '../../../shared/fields/method-id.ts'
import { fullDict } from '../../kit/hostile-cells.ts'
import { timeTurns } from '../../kit/turns.ts'

/* One block can deploy or touch many accounts that are each expensive to read. They are read in turns of the event loop. */

const { signal } = new AbortController()

const accountsOf = (count: number, workchain: number, codeHash?: Buffer): readonly AccountView[] =>
  Array.from({ length: count }, (_, i): AccountView => {
    const key = Buffer.alloc(36)
    key.writeInt32BE(workchain, 0)
    key.writeUInt32BE(i, 32)
    return {
      ...{ key, id: accountOfKey(key), status: 'active', balance: 1n, lastTransLt: 1n, mcSeqno: 1, utime: 1 },
      ...{ codeHash: codeHash ?? key.subarray(4), dataHash: key.subarray(4) },
    }
  })

/** A code of 2,047 get-methods in a few shared cells. */
const METHODS = fullDict(12, { value: EMPTY_CELL })
const codeWith = (...names: readonly string[]): Cell => {
  let methods: Cell | undefined
  for (const name of names) methods = dictSet(methods, 19, BigInt(methodId(name)), beginCell())
  return beginCell().storeUint(0xff00, 16).storeUint(0x1e94, 13).storeBit(1).storeUint(19, 10).storeRef(methods!).end()
}
const codeOf = (i: number): Cell =>
  beginCell().storeUint(0xff00, 16).storeUint(0x1e94, 13).storeBit(1).storeUint(12, 10).storeUint(i, 32).storeRef(METHODS).end()

it('the get-methods of many new codes in one block are found in turns', async () => {
  const accounts = accountsOf(150, 0)
  const codes = accounts.map((_, i) => codeOf(i))
  let found: Awaited<ReturnType<typeof detectIn>> | undefined
  const { longest, all } = await timeTurns(async () => {
    found = await detectIn(accounts, { stored: async () => new Map(), codes: async () => codes, library: async () => undefined })
  })
  expect(found!.fresh.map(({ methods }) => methods.length)).toEqual(accounts.map(() => 2_047))
  expect(longest).toBeLessThan(all / 3)
})

it('the stored get-methods of many codes in one block are read in turns', async () => {
  const accounts = accountsOf(1_500, 0)
  const methods = Array.from({ length: 2_047 }, (_, i) => i + 1)
  const rows = accounts.map(({ codeHash }) => ({ code_hash: codeHash, methods }))
  const context = { rows: async () => rows, once: (_: string, make: () => unknown) => make() } as unknown as TopicContext
  const { longest, all } = await timeTurns(() => contractsTopic.derive({ accounts } as unknown as BlockView, context))
  expect(longest).toBeLessThan(all / 3)
})

it('the long contents of many names in one block are completed in turns', async () => {
  const accounts = accountsOf(1_000, 0)
  const collection = {
    key: Buffer.from('00000000b774d95eb20543f186c06b371ab88ad704f7e256130caf96189368a7d0cb6ccf', 'hex'),
    status: 'active',
  }
  let content: Cell = EMPTY_CELL
  for (let i = 0; i < 45; i++) content = beginCell().storeBytes(Buffer.alloc(120, 1)).storeRef(content).end()
  content = beginCell().storeUint(1, 8).storeRef(content).end()
  const at = (key: Buffer): VmStackValue => ({ type: 'slice', cell: storeAddressInt(beginCell(), stdAddress(0, key.subarray(4))).end() })
  const int = (value: bigint): VmStackValue => ({ type: 'int', value })
  const cell: VmStackValue = { type: 'cell', cell: content }
  const answers: Readonly<Record<string, (account: AccountView, stack: readonly VmStackValue[]) => readonly VmStackValue[]>> = {
    get_nft_data: ({ key }) => [int(-1n), int(BigInt(key.readUInt32BE(32))), at(collection.key), at(key), cell],
    get_nft_address_by_index: (_, [index]) => [at(accounts[Number((index as { value: bigint }).value)]!.key)],
    get_nft_content: () => [cell],
    get_domain: () => [{ type: 'slice', cell: beginCell().storeBytes(Buffer.from('name')).end() }],
    dnsresolve: () => [int(8n), cell],
  }
  const methods = Object.keys(answers).map(methodId)
  const context = {
    once: (_: string, make: () => unknown) => make(),
    put: async () => {},
    rows: async () => accounts.map(({ codeHash }) => ({ code_hash: codeHash, methods })),
    owners: async () => () => [],
    accountRows: async () => new Map(),
    firstLts: async () => () => 1n,
    states: async () => [],
    accounts: async () => [collection],
    configParam: async () => undefined,
    run: async (account: AccountView, method: string, stack: readonly VmStackValue[]) => {
      const answer = answers[method]
      return answer === undefined ? { exitCode: 11, stack: [] } : { exitCode: 0, stack: answer(account, stack) }
    },
  } as unknown as TopicContext
  let named = 0
  const { longest, all } = await timeTurns(async () => {
    const tables = await nftsTopic.derive({ mcSeqno: 1, accounts, transactions: [] } as unknown as BlockView, context)
    named = tables.find(({ table }) => table === dnsEntries)!.rows.length
  })
  expect(named).toBe(accounts.length)
  expect(longest).toBeLessThan(all / 8)
})

it('an address book names many accounts with long codes in turns', async () => {
  const accounts = accountsOf(1_000, 0)
  const methods = Array.from({ length: 2_047 }, (_, i) => i + 1)
  const rows = async ({ sql }: { readonly sql: string }) => {
    if (sql.includes('from contract_codes')) return accounts.map(({ codeHash }) => ({ code_hash: codeHash, methods }))
    return sql.includes('from accounts') ? accounts.map(({ key, codeHash }) => ({ account: key, code_hash: codeHash })) : []
  }
  const view = { rows, head: 1, signal, testOnly: false } as unknown as View
  let book: object = {}
  const { longest, all } = await timeTurns(async () => {
    book = await bookOfSpellings(
      view,
      accounts.map(({ key }) => rawOfKey(key)),
    )
  })
  expect(Object.keys(book)).toHaveLength(1_000)
  expect(longest).toBeLessThan(all / 3)
})

const LEVELS = 9
const NOMINATOR = beginCell().storeCoins(5n).storeCoins(0n).end()
const PARAMS = beginCell().storeBytes(new Uint8Array(32)).storeUint(1, 16).storeUint(40, 16).storeCoins(1n).storeCoins(1n).end()
const poolData = (levels: number): Cell =>
  beginCell()
    .storeUint(0, 8)
    .storeUint(1, 16)
    .storeCoins(1n)
    .storeCoins(1n)
    .storeRef(PARAMS)
    .storeBit(1)
    .storeRef(fullDict(256, { value: NOMINATOR }, levels))
    .storeBit(1)
    .storeRef(fullDict(256, { value: EMPTY_CELL }, levels))
    .storeUint(0, 32)
    .storeBytes(new Uint8Array(32))
    .storeUint(0, 8)
    .storeUint(0, 32)
    .storeUint(0, 32)
    .storeBit(0)
    .end()

it('a pool with more nominators than it could pay is not read, because each change of it would write a row for each of them', () => {
  expect(loadPoolData(poolData(LEVELS)).nominators.size).toBe(2 ** LEVELS)
  expect(() => loadPoolData(poolData(LEVELS + 1))).toThrow('too many cells')
})

it('many nominator pools that one block touches are read in turns', async () => {
  const accounts = accountsOf(60, -1, Buffer.from(NOMINATOR_POOL_CODE, 'hex'))
  const stored = new Map<Table, readonly object[]>([
    [
      nominatorPools,
      [{ state: 0, stake_amount_sent: '0', validator_amount: '0', validator: Buffer.alloc(36), reward_share: 1, stake_at: '0' }],
    ],
    [
      poolNominators,
      Array.from({ length: 2 ** LEVELS }, (_, i) => ({
        ...{
          nominator: Buffer.concat([Buffer.alloc(32), Buffer.from(String(i).padStart(4, '0'))]),
          balance: '5',
          pending: '0',
          withdraw: true,
        },
      })),
    ],
  ])
  const written: number[] = []
  const context = {
    put: async (made: readonly TableRows[]) => void written.push(made.reduce((sum, { rows }) => sum + rows.length, 0)),
    states: async () => accounts.map(() => ({ code: EMPTY_CELL, data: poolData(LEVELS) })),
    accountRows: async (of: Table, keys: readonly Buffer[]) => new Map(keys.map((key) => [key.toString('latin1'), stored.get(of)!])),
    owners: async () => () => [],
    configParam: async () => undefined,
  } as unknown as TopicContext
  const tx = { lt: 1n, now: 1, outMsgs: [], description: {}, origStatus: 'active' }
  const transactions = accounts.map(({ key }) => ({ account: key, hash: Buffer.alloc(32), tx }))
  const block = { mcSeqno: 1, accounts, transactions } as unknown as BlockView
  const { longest, all } = await timeTurns(() => stakingTopic.derive(block, context))
  // Those of all pools together would fill the memory.
  expect(written).toEqual(accounts.map(() => 1 + 2 ** LEVELS))
  expect(longest).toBeLessThan(all / 3)
})

it('an election with more members than one turn can read is not read', () => {
  const member = beginCell()
    .storeCoins(1n)
    .storeUint(0, 32 + 32)
    .storeBytes(new Uint8Array(64))
    .end()
  const electorOf = (levels: number): Cell => {
    const elect = beginCell().storeUint(7, 64).storeCoins(0n).storeCoins(0n)
    const members = fullDict(256, { value: member }, levels)
    return beginCell()
      .storeMaybeRef(elect.storeMaybeRef(members).storeUint(0, 2).end())
      .storeUint(0, 2)
      .storeCoins(0n)
      .storeUint(0, 32)
      .storeBytes(new Uint8Array(32))
      .end()
  }
  expect(viewElector(electorOf(12)).elect?.changed).toHaveLength(2 ** 12)
  expect(() => viewElector(electorOf(13))).toThrow('too many cells')
})

it('the members of many multisigs that one block touches are written in portions', async () => {
  const MANY = 300
  const code = codeWith('get_multisig_data', 'get_order_address')
  const accounts = accountsOf(MANY, 0, Buffer.from(code.hash()))
  const members: VmStackValue = {
    type: 'cell',
    cell: fullDict(8, { value: storeAddressInt(beginCell(), stdAddress(0, new Uint8Array(32))).end() }),
  }
  const one: VmStackValue = { type: 'int', value: 1n }
  const written: number[] = []
  const context = {
    put: async (made: readonly TableRows[]) => void written.push(made.reduce((sum, { rows }) => sum + rows.length, 0)),
    once: (_: string, make: () => Promise<unknown>) => make(),
    rows: async () => [],
    owners: async () => () => [],
    states: async () => accounts.map(() => ({ code, data: EMPTY_CELL })),
    run: async (): Promise<MethodAnswer> => ({ exitCode: 0, stack: [one, one, members, members] }),
  } as unknown as TopicContext
  await walletsTopic.derive({ mcSeqno: 1, accounts, transactions: [] } as unknown as BlockView, context)
  expect(written.reduce((sum, rows) => sum + rows, 0)).toBe(MANY * 513)
  expect(Math.max(...written)).toBeLessThanOrEqual(100 * 513)
})

it('the contents of many masters and collections that one block touches are written in portions', async () => {
  const MANY = 300
  const accounts = accountsOf(MANY, 0)
  const methods = ['get_jetton_data', 'get_collection_data'].map(methodId)
  const int: VmStackValue = { type: 'int', value: 1n }
  const nobody: VmStackValue = { type: 'slice', cell: beginCell().storeUint(0, 2).end() }
  const content: VmStackValue = { type: 'cell', cell: beginCell().storeUint(1, 8).storeBytes(Buffer.from('uri')).end() }
  const answers: Readonly<Record<string, readonly VmStackValue[]>> = {
    get_jetton_data: [int, int, nobody, content, content],
    get_collection_data: [int, content, nobody],
  }
  const written: number[] = []
  const context = {
    put: async (made: readonly TableRows[]) => void written.push(made.reduce((sum, { rows }) => sum + rows.length, 0)),
    once: (_: string, make: () => Promise<unknown>) => make(),
    rows: async () => accounts.map(({ codeHash }) => ({ code_hash: codeHash, methods })),
    owners: async () => () => [],
    accountRows: async () => new Map(),
    accounts: async () => [],
    firstLts: async () => () => 1n,
    lastChanges: async () => () => 0,
    states: async () => [],
    run: async (_: AccountView, method: string): Promise<MethodAnswer> => ({ exitCode: 0, stack: answers[method]! }),
  } as unknown as TopicContext
  for (const topic of [jettonsTopic, nftsTopic])
    await topic.derive({ mcSeqno: 1, accounts, transactions: [] } as unknown as BlockView, context)
  expect(written.reduce((sum, rows) => sum + rows, 0)).toBe(2 * MANY)
  expect(Math.max(...written)).toBeLessThanOrEqual(100)
})

/** A tree of distinct cells: 2^levels leaves. */
const wide = (levels: number, name = 1): Cell => {
  const b = beginCell().storeUint(name, 32)
  return levels === 0
    ? b.end()
    : b
        .storeRef(wide(levels - 1, name * 2))
        .storeRef(wide(levels - 1, name * 2 + 1))
        .end()
}

it('the large data of many accounts, to which a trace leads, is read one by one when it is needed, and does not stay', async () => {
  const accounts = accountsOf(40, 0)
  const root = wide(8)
  const boc = Buffer.from(serializeBoc(root))
  const asked: string[] = []
  let read = 0
  const query = async (text: string, [key]: readonly unknown[]) => {
    asked.push(text)
    if (text.includes('from cells')) return accounts.map(({ codeHash }) => ({ hash: codeHash, boc: Buffer.from(serializeBoc(EMPTY_CELL)) }))
    if (Buffer.isBuffer(key) && ++read > 0) return [{ data_boc: boc }]
    return accounts.map(({ key, codeHash }) => ({
      ...{ account: key, mc_seqno: 1, status: 2, balance: '1', utime: '1', last_trans_lt: '1' },
      ...{ code_hash: codeHash!, data_hash: key.subarray(4), data_boc: null, data_bytes: 8 << 20 },
    }))
  }
  const views = createAccountViews({ connection: { query } as never, source: {} as never, partial: false }, signal)
  const found = (await views.at(accounts.map(({ key }) => key))).map((view) => view!)
  expect(asked).toEqual([expect.stringMatching(/case when octet_length\(data_boc\) <= 4096 then data_boc end/)])
  const states = await views.states(found)
  expect(states.every((state) => state!.data.hashKey() === root.hashKey())).toBe(true)
  expect(read).toBe(40)
  // So much does not stay in memory.
  await views.states(found.slice(0, 1))
  await views.states(found.slice(0, 1))
  expect(read).toBe(41)
})

it('large data that several runs of get-methods need at once is read once', async () => {
  const [account] = accountsOf(1, 0)
  const { key, codeHash } = account!
  const boc = Buffer.from(serializeBoc(EMPTY_CELL))
  let read = 0
  const query = async (text: string, [key]: readonly unknown[]) => {
    if (text.includes('from cells')) return [{ hash: codeHash, boc }]
    if (Buffer.isBuffer(key) && ++read > 0) return [{ data_boc: boc }]
    return [
      {
        ...{ account: account!.key, mc_seqno: 1, status: 2, balance: '1', utime: '1', last_trans_lt: '1' },
        ...{ code_hash: codeHash!, data_hash: account!.key.subarray(4), data_boc: null, data_bytes: 8 << 20 },
      },
    ]
  }
  const views = createAccountViews({ connection: { query } as never, source: {} as never, partial: false }, signal)
  const [found] = await views.at([key])
  const states = await Promise.all(Array.from({ length: 16 }, () => views.states([found!])))
  expect(states.every(([state]) => state !== undefined)).toBe(true)
  expect(read).toBe(1)
})

it("the states of a block's accounts are read a few at a time, and those of the jetton masters that its wallets name", async () => {
  const portions: number[] = []
  const stack: VmStackValue[] = [intValue(1n), addressValue(accountsOf(1, 0)[0]!.id)]
  const context = {
    ...{ states: async (of: readonly AccountView[]) => void portions.push(of.length), accountRows: async () => new Map() },
    ...{ lastChanges: async () => () => 0, accounts: async (keys: readonly Buffer[]) => accountsOf(keys.length, 0) },
    run: async ({ key }: AccountView) => ({ exitCode: 0, stack: [...stack, addressValue(accountOfKey(key)), cellValue(EMPTY_CELL)] }),
  } as unknown as TopicContext
  expect(await evaluateWallets(accountsOf(100, 0), () => false, context)).toEqual([])
  expect(portions.reduce((sum, count) => sum + count)).toBe(200)
  expect(Math.max(...portions)).toBeLessThanOrEqual(16)
})

it('lists of get-methods that the index read do not stay in memory by the hundred thousand', async () => {
  let reads = 0
  const methods = Array.from({ length: 2_047 }, (_, i) => i)
  const sink = { read: async () => Array.from({ length: 60 }, () => ({ code_hash: Buffer.alloc(32), methods, read: reads++ })) } as never
  const cached = createCachedQueries()
  for (const key of [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) await cached.read(sink, 'select methods', [Buffer.alloc(32, key)])
  expect(reads).toBe(10 * 60)
})

it('the data of pools that a trace names is read a few at a time', async () => {
  const read: number[] = []
  const contents: FactSource['contents'] = async (of, wants) => {
    if (wants === 'code') return of.map((key) => ({ dataHash: Buffer.from(beginCell().storeBytes(key).end().hash()) }))
    read.push(of.length)
    return of.map((key) => ({ data: beginCell().storeBytes(key).end() }))
  }
  const found: number[] = []
  const keys = Array.from({ length: 100 }, (_, i) => Buffer.alloc(36, i))
  const take = (key: Buffer, value: number): void => void found.push(key[0]! === value ? value : -1)
  const readAll = createDataReader((data) => data.slice().loadUint(8))
  const source = { contents } as FactSource
  await readAll(source, await withData(source, keys), take)
  expect(found).toEqual(keys.map((_, i) => i))
  expect(Math.max(...read)).toBeLessThan(50)
  // The same data is not read again, whoever has it.
  read.length = 0
  await readAll(source, await withData(source, [keys[7]!, Buffer.alloc(36, 200), keys[8]!]), take)
  expect([read, found.slice(100)]).toEqual([[1], [7, 200, 8]])
})

it('the stored data of many accounts, to which a block leads, is read in turns', async () => {
  const accounts = accountsOf(40, 0)
  const boc = Buffer.from(serializeBoc(wide(11)))
  const code = Buffer.from(serializeBoc(EMPTY_CELL))
  const rows = accounts.map(({ key, codeHash }) => ({
    ...{ account: key, mc_seqno: 1, status: 2, balance: '1', utime: '1', last_trans_lt: '1' },
    ...{ code_hash: codeHash!, data_hash: key.subarray(4), data_boc: boc },
  }))
  const query = async (statement: { readonly sql?: string } | string) =>
    JSON.stringify(statement).includes('from cells') ? accounts.map(({ codeHash }) => ({ hash: codeHash, boc: code })) : rows
  const views = createAccountViews({ connection: { query } as never, source: {} as never, partial: false }, signal)
  const found = (await views.at(accounts.map(({ key }) => key))).map((view) => view!)
  const states = await timeTurns(async () => expect((await views.states(found)).every((state) => state !== undefined)).toBe(true))
  expect(states.longest).toBeLessThan(states.all / 3)
  const contents = await timeTurns(async () =>
    expect(
      (
        await contentsOfRows(
          accounts.map(({ key }) => key),
          rows,
          'data',
        )
      ).every(({ data }) => data !== undefined),
    ).toBe(true),
  )
  expect(contents.longest).toBeLessThan(contents.all / 3)
})

it('a get-method that the TVM cannot finish is run once, and again only if the TVM was busy', async () => {
  const runs: GetMethodRequest[] = []
  const run = (...kinds: TvmError['kind'][]) => {
    runs.length = 0
    const runGetMethod = async (request: GetMethodRequest): Promise<GetMethodResult> => {
      const kind = kinds[runs.push(request) - 1]
      if (kind !== undefined) throw new TvmError(kind, 'as the test says')
      return { exitCode: 0, gasUsed: 1n, stack: [] }
    }
    const state = { code: EMPTY_CELL, data: EMPTY_CELL }
    return runMethod({ runGetMethod }, accountsOf(1, 0)[0]!, state, 'get_nft_data', [], { root: EMPTY_CELL }, async () => [], signal)
  }
  for (const kind of ['timeout', 'crashed', 'rejected'] as const) {
    expect(await run(kind)).toEqual({ exitCode: -14, stack: [] })
    expect(runs).toHaveLength(1)
  }
  expect(await run('overloaded', 'overloaded')).toEqual({ exitCode: 0, stack: [] })
  expect(runs).toHaveLength(3)
  // Writing values takes time without gas, and no method that is read here returns so many.
  expect(runs[0]!.maxValues).toBeLessThanOrEqual(1_000)
  // Operations on curves cost little gas for their time: those for a million gas take seconds.
  expect(runs[0]!.maxSlow).toBeLessThanOrEqual(32)
  // Hashes take a quarter of a second for a million gas, and one contract has ten methods that are read.
  expect(runs[0]!.gasLimit).toBeLessThanOrEqual(300_000n)
})

it('a get-method that misses one library after the other is not run again for each', async () => {
  let runs = 0
  const runGetMethod = async (): Promise<GetMethodResult> => {
    const missingLibrary = beginCell().storeUint(runs++, 32).end().hashHex()
    return { exitCode: 9, gasUsed: 280_000n, stack: [], missingLibrary }
  }
  const libraries = async (hashes: readonly Uint8Array[]) => hashes.map((hash) => ({ hash, code: EMPTY_CELL }))
  const state = { code: EMPTY_CELL, data: EMPTY_CELL }
  const account = accountsOf(1, 0)[0]!
  const result = await runMethod({ runGetMethod }, account, state, 'get_nft_data', [], { root: EMPTY_CELL }, libraries, signal)
  expect(result).toEqual({ exitCode: 9, stack: [] })
  expect(runs).toBe(3)
})
