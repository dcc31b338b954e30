import { expect, it } from 'vitest'
import { runSteps } from '../../../server/base/yield.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import type { GroupRows } from '../../../server/index/derive/group-rows.ts'
import { readTraces } from '../../../server/index/topics/actions/stored-traces.ts'
import { jettonEvents } from '../../../server/index/topics/jettons/events.ts'
import { nftEvents } from '../../../server/index/topics/nfts/events.ts'
import type { BlockView, TopicContext } from '../../../server/index/topics/topic.ts'
import { groupLines } from '../../../server/index/write/writer.ts'
import { copySteps } from '../../../server/store/postgres/script.ts'
import { Rows } from '../../../server/store/rows/copy-rows.ts'
import { accounts } from '../../../server/store/schema/accounts.ts'
import { amountsIn, changesInTrace, moveOf, type WithMessages } from '../../../server/v3/shapes/balance-changes.ts'
import { wideTree } from '../../kit/bombs.ts'
import { timeTurns } from '../../kit/turns.ts'

/* A message has at most 8,192 cells, but one trace and one block can have many such messages. Reading or writing each takes milliseconds. */

const MESSAGES = 40
const tree = wideTree(3_000)
const account = Buffer.alloc(36, 1)

/** transfer#0f8a7ea5 or transfer#5fcc3d14, with a payload of 3,000 cells. */
const transfer = (opcode: number, amount: bigint, queryId = 1): Cell => {
  const body = beginCell().storeUint(opcode, 32).storeUint(queryId, 64)
  if (opcode === JETTON) body.storeCoins(amount)
  return body.storeUint(0, 2).storeUint(0, 2).storeUint(0, 1).storeCoins(1n).storeUint(1, 1).storeRef(tree).end()
}
const [JETTON, NFT] = [0x0f8a7ea5, 0x5fcc3d14]

const blockOf = (opcode: number): BlockView => {
  const body = transfer(opcode, 5n)
  const placed = Array.from({ length: MESSAGES }, (_, i) => ({
    account,
    hash: Buffer.alloc(32, 2),
    traceId: Buffer.alloc(32, 3),
    tx: { lt: BigInt(i), now: 1, description: { type: 'ordinary', aborted: false }, inMsg: { info: { type: 'internal' }, body } },
  }))
  return { transactions: placed, mcSeqno: 1 } as unknown as BlockView
}
const context = { accountRows: async () => new Map() } as unknown as TopicContext

it('the payloads of many jetton transfers in one block are written in turns of the event loop', async () => {
  const wallet = { account, owner: Buffer.alloc(36, 4), jetton: Buffer.alloc(36, 5), mc_seqno: 1 }
  let rows: Awaited<ReturnType<typeof jettonEvents>> | undefined
  const { longest, all } = await timeTurns(async () => {
    rows = await jettonEvents(blockOf(JETTON), [wallet], context)
  })
  expect(rows!.transfers.map(({ tx_lt, amount }) => [tx_lt, amount])).toEqual(Array.from({ length: MESSAGES }, (_, i) => [BigInt(i), 5n]))
  expect(longest).toBeLessThan(all / 3)
})

it('the payloads of many NFT transfers in one block are written in turns of the event loop', async () => {
  const item = { account, collection: null, owner: null } as unknown as Parameters<typeof nftEvents>[1][number]
  let rows: Awaited<ReturnType<typeof nftEvents>> | undefined
  const { longest, all } = await timeTurns(async () => {
    rows = await nftEvents(blockOf(NFT), [item], context)
  })
  expect(rows!).toHaveLength(MESSAGES)
  expect(longest).toBeLessThan(all / 3)
})

it('the bodies of a stored trace are read in turns of the event loop', async () => {
  const hashes = Array.from({ length: MESSAGES }, (_, i) => Buffer.alloc(32, i))
  const boc = Buffer.from(serializeBoc(transfer(JETTON, 5n)))
  const nothing = { source: null, destination: null, value: null, value_extra: null, created_lt: null, created_at: null, opcode: null }
  const sent = hashes.map((body_hash) => ({ ...nothing, tx_account: account, tx_lt: '1', msg_hash: body_hash, body_hash, init_hash: null }))
  const own = {
    trace_id: Buffer.alloc(32),
    account,
    lt: '1',
    hash: hashes[0],
    now: '1',
    mc_seqno: 1,
    descr: 0,
    orig_status: 0,
    end_status: 0,
  }
  const answers = [[own], sent, hashes.map((hash) => ({ hash, bytes: boc.length })), hashes.map((hash) => ({ hash, boc }))]
  const { longest, all } = await timeTurns(async () => {
    for await (const _ of readTraces(async () => answers.shift() as never[], [Buffer.alloc(32)], 9));
  })
  expect(answers).toEqual([])
  expect(longest).toBeLessThan(all / 3)
})

it('the amounts in many large bodies are read in turns of the event loop, and a body that many transfers share only once', async () => {
  const bodies = Array.from({ length: MESSAGES }, (_, i): readonly [string, Buffer] => {
    const body = transfer(JETTON, BigInt(i + 1), i)
    return [Buffer.from(body.hash()).toString('base64'), Buffer.from(serializeBoc(body))]
  })
  let amounts: ReadonlyMap<string, bigint> = new Map()
  const { longest, all } = await timeTurns(async () => {
    amounts = await runSteps(amountsIn(bodies))
  })
  expect(longest).toBeLessThan(all / 3)
  const wallet = { owner: Buffer.alloc(36, 4), jetton: Buffer.alloc(36, 5) }
  const body_hash = Buffer.from(bodies[6]![0], 'base64')
  const received = { opcode: JETTON, body_hash, msg_hash: Buffer.alloc(32), value: '0', ihr_fee: null }
  const shared = { row: { account, total_fees: '0', aborted: false }, received, sent: [] } as unknown as WithMessages
  const many = Array.from({ length: 2_000 }, () => ({ ...shared }))
  const { jettons } = changesInTrace(
    many,
    many,
    () => wallet,
    (of) => moveOf(of, wallet, amounts),
  )
  expect([...jettons.values()].flatMap((sums) => [...sums.values()])).toEqual([-14_000n])
})

it('the messages of the rows are made in steps of about a megabyte', () => {
  const pieces = Array.from({ length: 40 }, () => new Uint8Array(1 << 20))
  expect([...copySteps([pieces.slice(0, 20), pieces.slice(20)])]).toHaveLength(40)
})

it('the rows of many large bodies in one block are written in turns of the event loop', async () => {
  const boc = serializeBoc(tree)
  const cells = new Map(Array.from({ length: 1_200 }, (_, i) => [String(i), { hash: Buffer.alloc(32, i), boc, mc_seqno: 1 }]))
  const rows = { cells, traces: [] } as unknown as GroupRows
  const { longest, all } = await timeTurns(async () => {
    const lines = await groupLines(rows, new Rows(accounts))
    expect(lines.map(([, of]) => of?.length)).toContain(1_200)
  })
  expect(longest).toBeLessThan(all / 3)
})
