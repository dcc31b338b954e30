import { describe, expect, it } from 'vitest'
import { endSteps } from '../../../server/base/yield.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { factText } from '../../../server/index/topics/actions/fact-text.ts'
import { type FactSource, findFacts, havingMethodIn } from '../../../server/index/topics/actions/facts.ts'
import { createOpenTraces } from '../../../server/index/topics/actions/open-traces.ts'
import { readTraces } from '../../../server/index/topics/actions/stored-traces.ts'
import { classifyTrace } from '../../../server/index/topics/actions/topic.ts'
import type { BlockView, PlacedTransaction } from '../../../server/index/topics/topic.ts'
import { requiredFacts } from '../../../server/protocols/index.ts'
import { rawOfKey } from '../../../server/store/row-keys.ts'
import { nftItems } from '../../../server/store/schema/nfts.ts'
import { multisigOrders } from '../../../server/store/schema/wallets.ts'
import type { Message } from '../../../server/tlb/message/message.ts'
import { account, addr, asked, coins, compose, NO_FACTS, ref, type Sent, uint } from '../../actions/compose.ts'
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
    expect(factText(facts!)!.length).toBeLessThan(3 << 20)
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
const blockOf = (length: number, logs: number, body: Cell): BlockView => {
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
    return { tx, hash, traceId: Buffer.alloc(32), account: Buffer.alloc(36), isCutOff: false } as unknown as PlacedTransaction
  })
  return { mcSeqno: 1, transactions } as unknown as BlockView
}

const rowsOf = (trace_id: Buffer, length: number, action_msgs_created: number) =>
  Array.from({ length }, (_, i) => ({
    ...{ trace_id, account: trace_id, lt: `${i}`, hash: trace_id, now: '1', mc_seqno: 1, descr: 0, orig_status: 0, end_status: 0 },
    ...{ action_success: true, action_msgs_created },
  }))

describe('a trace of more messages than are classified', () => {
  const TRANSACTIONS = 4_000
  const block = blockOf(TRANSACTIONS, MAX_LOGS - 1, beginCell().end())

  it('a trace of too many logs is not kept in memory, and has no actions', async () => {
    const [trace] = await createOpenTraces().add(block, { stored: async () => [] })
    expect(trace!.transactions.length).toBeLessThan(TRANSACTIONS / 10)
    expect(endSteps(classifyTrace(trace!, NO_FACTS))).toMatchObject({ state: 'failed', actions: [] })
  })
  it('a trace of too many logs is followed in turns of the event loop', async () => {
    const { longest, all } = await timeTurns(() => createOpenTraces().add(block, { stored: async () => [] }))
    expect(longest).toBeLessThan(all / 3)
  })
  it('a trace of too many logs is not read from the tables', async () => {
    const [long, small] = [Buffer.alloc(36), Buffer.alloc(36, 1)]
    const asked: (readonly unknown[])[] = []
    const found = await readTraces(
      async (_, values) => {
        asked.push(values)
        return (asked.length === 1 ? [...rowsOf(long, TRANSACTIONS, MAX_LOGS), ...rowsOf(small, 3, MAX_LOGS)] : []) as never[]
      },
      [long, small],
      9,
    )
    expect([...found.keys()]).toEqual([small.toString('latin1')])
    expect(asked[1]![0]).toHaveLength(3)
    expect(found.get(small.toString('latin1'))![0]!.account).toBe(rawOfKey(small))
  })
})

describe('a trace of more bytes than are classified', () => {
  const MESSAGES = 2_000
  const tree = wideTree(3_000)
  const block = blockOf(MESSAGES, 0, tree)

  it('a trace of many large bodies is not kept in memory, and has no actions', async () => {
    const [trace] = await createOpenTraces().add(block, { stored: async () => [] })
    expect(trace!.transactions.length).toBeLessThan(MESSAGES / 2)
    expect(endSteps(classifyTrace(trace!, NO_FACTS))).toMatchObject({ state: 'failed', actions: [] })
  })
  it('a trace of some large bodies is classified', async () => {
    const [trace] = await createOpenTraces().add(blockOf(50, 0, tree), { stored: async () => [] })
    expect(trace!.transactions).toHaveLength(50)
    expect(endSteps(classifyTrace(trace!, NO_FACTS)).actions).toHaveLength(50)
  })
  it('the bodies of a trace are counted in turns of the event loop', async () => {
    const { longest, all } = await timeTurns(() => createOpenTraces().add(block, { stored: async () => [] }))
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
    const found = await readTraces(
      async (_, values) => {
        asked.push(values)
        return answers.shift() as never[]
      },
      [large, small],
      9,
    )
    expect([...found.keys()]).toEqual([small.toString('latin1')])
    expect(asked[3]).toEqual([[hashes[1]]])
  })
})
