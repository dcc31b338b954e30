import { describe, expect, it } from 'vitest'
import { endSteps, runSteps } from '../../../server/base/yield.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { factText } from '../../../server/index/topics/actions/fact-text.ts'
import { type FactSource, findFacts, havingMethodIn } from '../../../server/index/topics/actions/facts.ts'
import { type CompleteTrace, createOpenTraces } from '../../../server/index/topics/actions/open-traces.ts'
import { classifyLate } from '../../../server/index/topics/actions/rederive.ts'
import { addRows, noActionRows } from '../../../server/index/topics/actions/rows.ts'
import { readTraces } from '../../../server/index/topics/actions/stored-traces.ts'
import { classifyTrace } from '../../../server/index/topics/actions/topic.ts'
import type { BlockView, PlacedTransaction } from '../../../server/index/topics/topic.ts'
import { requiredFacts } from '../../../server/protocols/index.ts'
import { rawOfKey } from '../../../server/store/row-keys.ts'
import { nftItems } from '../../../server/store/schema/nfts.ts'
import { multisigOrders } from '../../../server/store/schema/wallets.ts'
import type { Message } from '../../../server/tlb/message/message.ts'
import { account, addr, asked, cell, coins, compose, NO_FACTS, type Part, ref, type Sent, uint } from '../../actions/compose.ts'
import { wideTree } from '../../kit/bombs.ts'
import { timeTurns } from '../../kit/turns.ts'

/* A contract can send 255 logs in each transaction of a long trace, and messages with any body. */

const NOTIFICATION = 0x7362d09c
const MAX_LOGS = 255

describe('facts of a trace of many messages', () => {
  const short = asked(NOTIFICATION)
  const owners: FactSource['owners'] = async () => () => []
  const source = { owners } as unknown as FactSource

  it('facts of many messages are looked up in turns of the event loop', async () => {
    const causes = Array.from({ length: 10_000 }, (_, i): Sent => ({ to: account(i % 7), body: short }))
    const trace = compose({ account: account(1), causes })
    const { longest, all } = await timeTurns(() => findFacts(source, [trace]))
    expect(longest).toBeLessThan(all / 3)
  })
  it('of a trace that names thousands of other accounts, only the facts of its own are looked up', () => {
    /** A swap of Ston.fi over 16 pools, each of which has a wallet. */
    const swap = (first: number): Cell => {
      const wallets = Array.from({ length: 15 }, (_, i) => addr(account(first + i)))
      const next = wallets.reduce<Part>(
        (after, wallet) => (b) => b.storeUint(1, 9).storeRef(cell(uint(0x6664de2a, 32), wallet, ref(after))),
        uint(0, 9),
      )
      const pool = ref(uint(0, 2), next)
      return asked(0x6664de2a, uint(0, 10), ref(uint(0, 32), addr(account(first + 15)), uint(0, 68), pool))
    }
    const named = (swaps: number): number => {
      const causes = Array.from({ length: swaps }, (_, i): Sent => ({ to: account(2), body: swap(1_000 + 16 * i) }))
      return endSteps(requiredFacts(compose({ account: account(1), causes }))).accounts.size
    }
    expect(named(600)).toBe(2 + 600 * 16)
    expect(named(700)).toBe(2)
  })
  it('the facts of thousands of accounts are written in turns of the event loop', async () => {
    const trace = compose({ account: account(1) })
    const jettonWallet = { owner: account(1), jetton: account(2) }
    const facts = new Map(Array.from({ length: 20_000 }, (_, i) => [account(i), { jettonWallet }]))
    const classified = { trace, facts, factsSeqno: 1, classification: { state: 'ok', actions: [] } } as const
    const { longest, all } = await timeTurns(() => runSteps(addRows(noActionRows(), classified)))
    expect(longest).toBeLessThan(all / 2)
  })
  it('facts are not those of accounts that only logs name', () => {
    const swap = asked(
      NOTIFICATION,
      coins(1n),
      addr(account(1)),
      uint(1, 1),
      ref(uint(0x6664de2a, 32), addr(account(9)), addr(account(9)), uint(0, 64)),
    )
    const accountsOf = (to: string | null) => [
      ...endSteps(requiredFacts(compose({ account: account(1), causes: [{ to, body: swap }] }))).accounts,
    ]
    expect(accountsOf(account(2))).toContain(account(9))
    expect(accountsOf(null)).toEqual([account(1)])
  })
  it('the code of each account is compared once', async () => {
    let comparisons = 0
    const count = (): boolean => ++comparisons < 0
    const hashes = Array.from({ length: 100 }, (_, i) => Object.assign(Buffer.alloc(32, i), { equals: count }))
    const accounts = hashes.map((codeHash) => ({ key: Buffer.alloc(36), codeHash: Buffer.from(codeHash) }))
    const read = async () => hashes.map((code_hash) => ({ code_hash })) as never[]
    await havingMethodIn(read)(accounts, 1)
    expect(comparisons).toBeLessThanOrEqual(hashes.length)
  })
})

describe('facts of a trace of many accounts with large rows', () => {
  const ACCOUNTS = 1_000
  const keys = Array.from({ length: ACCOUNTS }, (_, i) => {
    const key = Buffer.alloc(36)
    key.writeUInt32BE(i, 32)
    return key
  })
  const trace = compose({ account: account(1), causes: keys.map((key): Sent => ({ to: rawOfKey(key), body: asked(NOTIFICATION) })) })
  const own = new Set(keys.map(rawOfKey))
  const read: number[] = []
  const sourceOf = (tables: readonly unknown[], rowsOf: (key: Buffer) => readonly object[]) =>
    ({
      owners: async (of: readonly Buffer[]) => (table: unknown) =>
        tables.includes(table) ? of.filter((key) => own.has(rawOfKey(key))) : [],
      contents: async () => [],
      async accountRows(_: unknown, of: readonly Buffer[]) {
        read.push(of.length)
        return new Map(of.map((key) => [key.toString('latin1'), rowsOf(key)]))
      },
    }) as unknown as FactSource
  const itemsWith = (uri: string) => {
    const content = JSON.stringify({ uri, name: 'x'.repeat(20_000) })
    return sourceOf([nftItems], () => [{ index: '1', collection: Buffer.alloc(0), owner: null, content }])
  }
  const ordersWith = (signers: number) => {
    const members = Array.from({ length: signers }, (_, place) => ({ role: 2, place, member: keys[place] }))
    return sourceOf([multisigOrders], () => members)
  }

  it('contents of items are read in portions and in turns of the event loop', async () => {
    read.length = 0
    const { longest, all } = await timeTurns(() => findFacts(itemsWith('https://nft.example/1.json'), [trace]))
    expect(longest).toBeLessThan(all / 2)
    expect(Math.max(...read)).toBeLessThan(ACCOUNTS / 2)
  })
  it.each([
    ['items have long links', itemsWith('\u0001'.repeat(8_192))],
    ['items have links of control characters', itemsWith('\u0001'.repeat(1_000))],
    ['orders have many signers', ordersWith(256)],
  ])('the facts of a trace have a few megabytes although its %s', async (_, source) => {
    const [facts] = await findFacts(source, [trace])
    expect(endSteps(factText(facts!)).length).toBeLessThan(3 << 20)
  })
  it('an ordinary trace has all links and signers', async () => {
    const [ofItems] = await findFacts(itemsWith('https://nft.example/1.json'), [trace])
    expect([...ofItems!.values()].filter(({ nftItem }) => nftItem!.uri === 'https://nft.example/1.json')).toHaveLength(ACCOUNTS)
    const few = compose({
      account: account(1),
      causes: keys.slice(0, 3).map((key): Sent => ({ to: rawOfKey(key), body: asked(NOTIFICATION) })),
    })
    const [, ofOrders] = await findFacts(ordersWith(5), [trace, few])
    expect([...ofOrders!.values()].map(({ multisigOrder }) => multisigOrder!.signers.length)).toEqual([5, 5, 5])
  })
})

/** A block of transactions of one trace, each of which sends a message to the next, and `logs` logs. */
const SIZE = 1_000
const blockOf = (length: number, logs: number, body: Cell, size = SIZE): BlockView => {
  const block = { size }
  const root = beginCell().end()
  const info = { createdLt: 1n, createdAt: 1 }
  const log = { info: { ...info, type: 'external-out' }, root, body: root } as unknown as Message
  const sender = { type: 'std', workchain: 0, hash: new Uint8Array(32) }
  const call = { info: { ...info, type: 'internal', src: sender, dest: sender, value: { grams: 1n } }, root, body } as unknown as Message
  const transactions = Array.from({ length }, (_, i) => {
    const outMsgs = [...(i < length - 1 ? [call] : []), ...Array<Message>(logs).fill(log)]
    const hash = Buffer.alloc(32)
    hash.writeUInt32BE(i)
    const tx = { description: { type: 'ordinary', aborted: false }, account: new Uint8Array(32), lt: BigInt(i), outMsgs }
    return { tx, hash, traceId: Buffer.alloc(32), account: Buffer.alloc(36), isCutOff: false, block } as unknown as PlacedTransaction
  })
  return { mcSeqno: 1, groupSeqno: 1, transactions } as unknown as BlockView
}

const rowsOf = (trace_id: Buffer, length: number, action_msgs_created: number) =>
  Array.from({ length }, (_, i) => ({
    ...{ trace_id, account: trace_id, lt: `${i}`, hash: trace_id, now: '1', mc_seqno: 1, descr: 0, orig_status: 0, end_status: 0 },
    ...{ action_success: true, action_msgs_created },
  }))

type Stored = (...query: readonly unknown[]) => Promise<never[]>
const nothing: Stored = async () => []

const complete = async (traces: ReturnType<typeof createOpenTraces>, of: BlockView, stored = nothing): Promise<CompleteTrace[]> => {
  const found: CompleteTrace[] = []
  for await (const portion of traces.add(of, { stored })) found.push(...portion)
  return found
}
const first = async (of: BlockView): Promise<CompleteTrace> => (await complete(createOpenTraces(), of))[0]!

type Found = Awaited<ReturnType<ReturnType<typeof readTraces>['next']>>['value']
const allOf = async (portions: ReturnType<typeof readTraces>): Promise<Found> => {
  const all: Found[] = []
  for await (const portion of portions) all.push(portion)
  return new Map(all.flatMap((portion) => [...portion]))
}

describe('a trace of more messages than are classified', () => {
  const TRANSACTIONS = 4_000
  const block = blockOf(TRANSACTIONS, MAX_LOGS - 1, beginCell().end())

  it('a trace of too many logs is not kept in memory, and has no actions', async () => {
    const trace = await first(block)
    expect(trace.transactions).toHaveLength(1)
    expect(endSteps(classifyTrace(trace, NO_FACTS))).toMatchObject({ state: 'failed', actions: [] })
  })
  it('the classification of a trace that is too large belongs to the block that completed it', async () => {
    const traces = createOpenTraces()
    const at = (mcSeqno: number, from: number, to: number) =>
      complete(traces, { ...block, mcSeqno, transactions: block.transactions.slice(from, to) })
    expect(await at(1, 0, TRANSACTIONS - 1)).toEqual([])
    const [trace] = await at(2, TRANSACTIONS - 1, TRANSACTIONS)
    const rows = noActionRows()
    const classification = endSteps(classifyTrace(trace!, NO_FACTS))
    endSteps(addRows(rows, { trace: trace!, facts: NO_FACTS, factsSeqno: 2, classification }))
    expect(rows.classifications).toMatchObject([{ mc_seqno: 2, state: 'failed' }])
  })
  it('a trace of too many logs is read once after a restart, and only its row, and has no actions either', async () => {
    const traces = createOpenTraces()
    const row = { trace_id: Buffer.alloc(32), state: 0, nodes: 400, edges: 100_000, pending_edges: 1, external_hash: null }
    const read: string[] = []
    const stored: Stored = async (text) => {
      read.push(String(text))
      return [row] as never[]
    }
    const found: CompleteTrace[] = []
    for (let i = TRANSACTIONS - 5; i < TRANSACTIONS; i++)
      found.push(
        ...(await complete(traces, { ...block, mcSeqno: i, groupSeqno: i, transactions: block.transactions.slice(i, i + 1) }, stored)),
      )
    expect(read).toEqual([expect.stringContaining('from traces')])
    expect(found).toMatchObject([{ isTooLarge: true, transactions: { length: 1 } }])
    expect(endSteps(classifyTrace(found[0]!, NO_FACTS))).toMatchObject({ state: 'failed', actions: [] })
  })
  it('a trace of too many logs is followed in turns of the event loop', async () => {
    const { longest, all } = await timeTurns(() => first(block))
    expect(longest).toBeLessThan(all / 3)
  })
  it('a trace of too many logs is not read from the tables', async () => {
    const [long, small] = [Buffer.alloc(36), Buffer.alloc(36, 1)]
    const asked: (readonly unknown[])[] = []
    const found = await allOf(
      readTraces(
        async (_, values) => {
          asked.push(values)
          return (asked.length === 1 ? [...rowsOf(long, TRANSACTIONS, MAX_LOGS), ...rowsOf(small, 3, MAX_LOGS)] : []) as never[]
        },
        [long, small],
        9,
      ),
    )
    expect([...found].map(([id, read]) => [id, read?.length])).toEqual([
      [small.toString('latin1'), 3],
      [long.toString('latin1'), undefined],
    ])
    expect(asked[1]![0]).toHaveLength(3)
    expect(found.get(small.toString('latin1'))![0]!.account).toBe(rawOfKey(small))
  })
})

describe('traces that are classified after a range is joined', () => {
  /** Derives actions of traces with these counters. The stored transactions have as many messages. */
  const classified = async (traces: readonly { readonly nodes: number; readonly edges: number }[]) => {
    const asked: { readonly text: string; readonly ids: number }[] = []
    const rows = traces.map((trace, i) => {
      const trace_id = Buffer.alloc(32)
      trace_id.writeUInt32BE(i)
      return { ...trace, trace_id, pending_edges: 0, end_lt: '1', version: null, bytes: null }
    })
    const query = async (text: unknown, values: readonly unknown[] = []) => {
      const [ids] = values as readonly [readonly Buffer[]]
      asked.push({ text: String(text), ids: ids.length })
      if (String(text).includes('left join')) return rows
      if (!String(text).includes('from transactions')) return []
      const found = rows.filter(({ trace_id }) => ids.some((id) => id.equals(trace_id)))
      return found.flatMap(({ trace_id, nodes, edges }) =>
        rowsOf(trace_id, nodes, Math.floor(edges / nodes)).map((row) => ({ ...row, account: Buffer.alloc(36) })),
      )
    }
    const connection = { query, script: async () => {} } as unknown as Parameters<typeof classifyLate>[0]
    await classifyLate(
      connection,
      rows.map(({ trace_id }) => trace_id),
      1,
    )
    return (text: string) => asked.filter((each) => each.text.includes(text)).map(({ ids }) => ids)
  }

  it('a few hundred traces are read at a time', async () => {
    const idsOf = await classified(Array(1_000).fill({ nodes: 1, edges: 0 }))
    expect(Math.max(...idsOf('from transactions'))).toBeLessThan(300)
    expect(Math.max(...idsOf('delete from actions'))).toBeLessThan(300)
  })
  it('a trace that is removed in pieces is not read', async () => {
    const idsOf = await classified([{ nodes: 9_000, edges: 51_000 }])
    expect(idsOf('from transactions')).toEqual([])
    expect(idsOf('delete from')).toEqual([])
  })
  it('the rows of a trace of too many messages stay', async () => {
    const idsOf = await classified([{ nodes: 500, edges: 50_000 }])
    expect(idsOf('from transactions')).toEqual([1])
    expect(idsOf('delete from').filter((ids) => ids > 0)).toEqual([])
  })
})

describe('open traces that do not fit into memory', () => {
  const [OPEN, LENGTH] = [12, 44]
  const one = blockOf(LENGTH, MAX_LOGS - 1, beginCell().end())
  const idOf = (trace: number): Buffer => Buffer.alloc(32, trace + 1)
  /** The transactions `from` to `to` of each trace. */
  const blockAt = (mcSeqno: number, groupSeqno: number, from: number, to: number): BlockView => ({
    ...one,
    mcSeqno,
    groupSeqno,
    transactions: one.transactions.slice(from, to).flatMap((placed, i) =>
      Array.from({ length: OPEN }, (_, trace) => ({
        ...placed,
        traceId: idOf(trace),
        hash: from + i === 0 ? idOf(trace) : Buffer.alloc(32, 255),
      })),
    ),
  })
  /** Answers with the first `length` transactions of each trace. */
  const storing = (length: number, read: (readonly [ids: number, below: unknown])[]): Stored => {
    return async (text, values) => {
      if (!String(text).includes('from transactions')) return []
      const [ids, below] = values as readonly [readonly Buffer[], number]
      read.push([ids.length, below])
      return ids.flatMap((id) => rowsOf(id, length, 1).map((row) => ({ ...row, account: Buffer.alloc(36, id[0]) }))) as never[]
    }
  }
  const fails: Stored = () => Promise.reject(new Error('read'))
  /** Each trace in a block of its own. */
  const apart = (block: BlockView): BlockView => ({
    ...block,
    transactions: block.transactions.map((placed) => ({ ...placed, block: own[placed.traceId[0]! - 1]! })),
  })
  const own = Array.from({ length: OPEN }, () => blockOf(1, 0, beginCell().end()).transactions[0]!.block)

  it('open traces are read once, when they are complete, a few at a time and only in the blocks before their group', async () => {
    const traces = createOpenTraces(8 * SIZE)
    expect(await complete(traces, apart(blockAt(1, 1, 0, LENGTH - 4)), fails)).toEqual([])
    // The tables have the bodies of a group when all of it is derived.
    expect(await complete(traces, apart(blockAt(2, 1, LENGTH - 4, LENGTH - 3)), fails)).toEqual([])
    expect(await complete(traces, apart(blockAt(3, 3, LENGTH - 3, LENGTH - 2)), fails)).toEqual([])
    expect(await complete(traces, apart(blockAt(4, 4, LENGTH - 2, LENGTH - 1)), fails)).toEqual([])
    const read: (readonly [number, unknown])[] = []
    const found = await complete(traces, apart(blockAt(5, 4, LENGTH - 1, LENGTH)), storing(LENGTH - 2, read))
    expect(found.map(({ transactions, isTooLarge }) => [transactions.length, isTooLarge])).toEqual(Array(OPEN).fill([LENGTH, false]))
    expect(new Set(found.map(({ id }) => id)).size).toBe(OPEN)
    expect(new Set(read.map(([, below]) => below))).toEqual(new Set([4]))
    const traceReads = read.reduce((sum, [ids]) => sum + ids, 0)
    expect(traceReads).toBeGreaterThan(0)
    expect(traceReads).toBeLessThan(OPEN)
    expect(Math.max(...read.map(([ids]) => ids))).toBeLessThan(OPEN / 2)
  })
  it('open traces are complete if accounts are loaded in the middle of a group', async () => {
    const row = { trace_id: idOf(0), state: 0, nodes: 1, edges: 1, pending_edges: 1, external_hash: idOf(0) }
    const rows: Stored = async (text, values) =>
      String(text).includes('from traces') ? ([row] as never[]) : await storing(1, [])(text, values)
    const of = (mcSeqno: number, from: number, to: number): BlockView => {
      const block = blockAt(mcSeqno, 10, from, to)
      return { ...block, transactions: block.transactions.filter(({ traceId }) => traceId.equals(idOf(0))) }
    }
    const traces = createOpenTraces()
    expect(await complete(traces, of(10, 1, 2), rows)).toEqual([])
    // A range asks for missing accounts, which have their states before the range. No transactions come with them.
    expect(await complete(traces, { ...one, mcSeqno: 9, groupSeqno: 9, transactions: [] }, fails)).toEqual([])
    const [trace] = await complete(traces, of(11, LENGTH - 1, LENGTH), rows)
    expect(trace?.transactions.map(({ lt }) => Number(lt))).toEqual([0, 1, LENGTH - 1])
  })
  it('open traces keep few bytes of blocks in memory, of which each block counts once', async () => {
    const of = (i: number, size: number): BlockView => {
      const block = blockOf(LENGTH, 0, beginCell().end(), size)
      return {
        ...block,
        mcSeqno: 1 + i,
        groupSeqno: 1 + i,
        transactions: blockAt(1, 1, i, i + 1).transactions.map((tx) => ({ ...tx, ...{ block: block.transactions[0]!.block } })),
      }
    }
    for (const [size, isRead] of [
      [SIZE, false],
      [2 * SIZE, true],
    ] as const) {
      const read: (readonly [number, unknown])[] = []
      const traces = createOpenTraces(5 * SIZE)
      for (let i = 0; i < 4; i++) await complete(traces, of(i, size), fails)
      const rest = { ...blockAt(9, 9, 4, LENGTH), groupSeqno: 9 }
      const found = await complete(traces, rest, storing(4, read))
      expect(found.map(({ transactions }) => transactions.length)).toEqual(Array(OPEN).fill(LENGTH))
      expect(read.length > 0).toBe(isRead)
    }
  })
  it('open traces whose rows are gone are left out, if only some of them or all', async () => {
    for (const length of [LENGTH - 3, 0]) {
      const traces = createOpenTraces(0)
      expect(await complete(traces, blockAt(1, 1, 0, LENGTH - 2), fails)).toEqual([])
      expect(await complete(traces, blockAt(2, 2, LENGTH - 2, LENGTH - 1), fails)).toEqual([])
      expect(await complete(traces, blockAt(3, 2, LENGTH - 1, LENGTH), storing(length, []))).toEqual([])
    }
  })
  it('open traces stay in memory until their group is written', async () => {
    const traces = createOpenTraces()
    for (let i = 0; i < LENGTH - 1; i++) expect(await complete(traces, blockAt(1 + i, 1, i, i + 1), fails)).toEqual([])
    expect(await complete(traces, blockAt(LENGTH, 1, LENGTH - 1, LENGTH), fails)).toHaveLength(OPEN)
  })
})

describe('a trace of more bytes than are classified', () => {
  const MESSAGES = 2_000
  const tree = wideTree(3_000)
  const block = blockOf(MESSAGES, 0, tree)

  it('a trace of many large bodies is not kept in memory, and has no actions', async () => {
    const trace = await first(block)
    expect(trace.transactions).toHaveLength(1)
    expect(endSteps(classifyTrace(trace, NO_FACTS))).toMatchObject({ state: 'failed', actions: [] })
  })
  it('a trace whose bodies are too large only together is not kept whole either if its first ones are stored', async () => {
    const [before, all] = [350, 700]
    const id = Buffer.alloc(32)
    const hash = Buffer.alloc(32, 2)
    const answers: Readonly<Record<string, readonly object[]>> = {
      traces: [{ trace_id: id, state: 0, nodes: before, edges: before - 1, pending_edges: 1, external_hash: null }],
      transactions: rowsOf(id, before, 1).map((row) => ({ ...row, account: Buffer.alloc(36) })),
      messages: Array.from({ length: before }, (_, i) => ({
        ...{ tx_account: Buffer.alloc(36), tx_lt: `${i}`, body_hash: hash, init_hash: null, msg_hash: hash },
        ...{ source: null, destination: null, value: null, value_extra: null, created_lt: null, created_at: null, opcode: null },
      })),
      cells: [{ hash, bytes: 9, boc: serializeBoc(tree) }],
    }
    const stored: Stored = async (text) => answers[/from (\w+)/.exec(String(text))![1]!] as never[]
    const whole = blockOf(all, 0, tree)
    const half = { ...whole, groupSeqno: 2, transactions: whole.transactions.slice(before) }
    const shown = ({ isTooLarge, transactions }: CompleteTrace) => ({ isTooLarge, lts: transactions.map(({ lt }) => Number(lt)) })
    const tooLarge = { isTooLarge: true, lts: [all - 1] }
    expect(shown(await first(whole))).toEqual(tooLarge)
    expect((await complete(createOpenTraces(), half, stored)).map(shown)).toEqual([tooLarge])
    // The stored half alone is not too large.
    const few = { ...half, transactions: whole.transactions.slice(all - 3) }
    const [trace] = await complete(createOpenTraces(), few, stored)
    expect([trace!.isTooLarge, trace!.transactions.length]).toEqual([false, before + 3])
  }, 120_000)
  it('a trace of some large bodies is classified', async () => {
    const trace = await first(blockOf(50, 0, tree))
    expect(trace.transactions).toHaveLength(50)
    expect(endSteps(classifyTrace(trace, NO_FACTS)).actions).toHaveLength(50)
  })
  it('the bodies of a trace are counted in turns of the event loop', async () => {
    const { longest, all } = await timeTurns(() => first(block))
    expect(longest).toBeLessThan(all / 3)
  })
  it('the bodies of such a trace are not read from the tables', async () => {
    const [large, small] = [Buffer.alloc(36), Buffer.alloc(36, 1)]
    const rows = [...rowsOf(large, MESSAGES, 1), ...rowsOf(small, 1, 1)]
    const hashes = [Buffer.alloc(32, 2), Buffer.alloc(32, 3)]
    const sent = rows.map(({ trace_id, lt }) => ({
      ...{ tx_account: trace_id, tx_lt: lt, body_hash: hashes[trace_id[0]!]!, init_hash: null, msg_hash: hashes[0]! },
      ...{ source: null, destination: null, value: null, value_extra: null, created_lt: null, created_at: null, opcode: null },
    }))
    const answers = [
      rows,
      sent,
      [
        { hash: hashes[0], bytes: 1 << 18 },
        { hash: hashes[1], bytes: 9 },
      ],
      [],
    ]
    const asked: (readonly unknown[])[] = []
    const found = await allOf(
      readTraces(
        async (_, values) => {
          asked.push(values)
          return answers.shift() as never[]
        },
        [large, small],
        9,
      ),
    )
    expect([...found].map(([id, read]) => [id, read?.length])).toEqual([
      [small.toString('latin1'), 1],
      [large.toString('latin1'), undefined],
    ])
    expect(asked[3]).toEqual([[hashes[1]]])
  })
})
