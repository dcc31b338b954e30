import { beforeAll, describe, expect, it } from 'vitest'
import { parseBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { dictFromEntries } from '../../../server/cell/dict.ts'
import { openProof } from '../../../server/cell/merkle.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'
import { createAnswers } from '../../../server/chain/local/answers/answers.ts'
import { stdAddress } from '../../../server/tlb/address.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import { storeMsgEnvelope } from '../../../server/tlb/message/msg-envelope.ts'
import { loadMcStateExtra, storeMcStateExtra } from '../../../server/tlb/state/mc-state-extra.ts'
import { dispatchQueueAug, loadOutMsgQueueInfo, storeEnqueuedMsg, storeOutMsgQueueInfo } from '../../../server/tlb/state/out-msg-queue.ts'
import { loadShardState, storeShardState } from '../../../server/tlb/state/shard-state.ts'
import { createReplayStore, type ReplayStore } from '../../kit/index/replay-store.ts'
import { augFromEntries } from '../../kit/tlb/aug.ts'
import { creatorStatsCell, storeAccountDispatchQueue } from '../../kit/tlb/state.ts'

/* Deferred messages and validator statistics, which the embedded chain does not make, put into a recorded state. */

const { signal } = new AbortController()
const key = (n: number): Uint8Array => new Uint8Array(32).fill(n)
const number = (n: number): bigint => BigInt(`0x${Buffer.from(key(n)).toString('hex')}`)
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** An internal message from an account, at an lt. */
const message = (from: number, lt: bigint): Cell =>
  beginCell()
    .storeUint(0b0110, 4)
    .storeUint(0b100, 3)
    .storeInt(0, 8)
    .storeBytes(key(from))
    .storeUint(0b100, 3)
    .storeInt(0, 8)
    .storeBytes(key(9))
    .storeCoins(1n)
    .storeBit(0)
    .storeCoins(0n)
    .storeCoins(0n)
    .storeUint(lt, 64)
    .storeUint(1, 32)
    .storeUint(0, 2)
    .end()

const regular = { type: 'regular', useDestBits: 0 } as const
const queueOf = (from: number, lts: readonly bigint[]) => {
  const entries = lts.map((lt) => {
    const metadata = from === 2 ? { depth: 3, initiatorAddr: stdAddress(0, key(7)), initiatorLt: 5n } : undefined
    const outMsg = storeMsgEnvelope({ curAddr: regular, nextAddr: regular, fwdFeeRemaining: 0n, msg: message(from, lt), metadata })
    return [lt, storeEnqueuedMsg(beginCell(), { enqueuedLt: lt, outMsg })] as const
  })
  return storeAccountDispatchQueue(beginCell(), { messages: dictFromEntries(64, entries), count: lts.length })
}

describe('a state with deferred messages', () => {
  let id: BlockId
  let query: LiteServer['query']
  let state: Cell
  beforeAll(async () => {
    const store: ReplayStore = createReplayStore()
    id = store.head().id
    const read = loadShardState((await store.state(id))!)
    const dispatchQueue = augFromEntries(
      dispatchQueueAug,
      ([1, 2, 3] as const).map((n) => [number(n), queueOf(n, n === 2 ? [20n, 21n, 22n] : [BigInt(n * 10)])] as const),
    )
    const queue = loadOutMsgQueueInfo(read.outMsgQueueInfo)
    const counters = { lastUpdated: 5, total: 6n, cnt2048: 7n, cnt65536: 8n }
    const stats = [1, 2, 3, 4].map((n) => [number(n), creatorStatsCell({ mcBlocks: counters, shardBlocks: counters })] as const)
    const blockCreateStats = { ext: false, counters: dictFromEntries(256, stats) }
    state = storeShardState({
      ...read,
      outMsgQueueInfo: storeOutMsgQueueInfo({ ...queue, extra: { dispatchQueue, outQueueSize: 0 } }),
      custom: storeMcStateExtra({ ...loadMcStateExtra(read.custom!), blockCreateStats }),
    })
    query = createAnswers({
      store: { ...store, state: async () => state },
      tvm: { runGetMethod: () => Promise.reject(new Error('not here')) },
      sendMessage: () => Promise.resolve(),
      clock: { now: () => 1 },
    }).query
  })

  const accounts = (rows: readonly { account: Uint8Array }[]): number[] => rows.map(({ account }) => account[0]!)

  it('accounts with deferred messages are listed with the number of messages, page by page', async () => {
    const all = await query('getDispatchQueueInfo', { id, maxAccounts: 10 }, signal)
    expect(all.queues.map(({ size, minLt, maxLt }) => [size, minLt, maxLt])).toEqual([
      [1n, 10n, 10n],
      [3n, 20n, 22n],
      [1n, 30n, 30n],
    ])
    expect([accounts(all.queues), all.complete, all.proof.length]).toEqual([[1, 2, 3], true, 0])
    const first = await query('getDispatchQueueInfo', { id, maxAccounts: 2 }, signal)
    expect([accounts(first.queues), first.complete]).toEqual([[1, 2], false])
    const rest = await query('getDispatchQueueInfo', { id, maxAccounts: 2, after: key(2) }, signal)
    expect([accounts(rest.queues), rest.complete]).toEqual([[3], true])
    await expect(query('getDispatchQueueInfo', { id, maxAccounts: 0 }, signal)).rejects.toThrow('invalid max_accounts')
  })

  it('deferred messages are listed after an lt, over accounts or of one, with their bytes', async () => {
    const ask = (args: object) => query('getDispatchQueueMessages', { id, account: key(1), afterLt: 0n, maxMessages: 64, ...args }, signal)
    const lts = async (args: object) => {
      const { messages, complete } = await ask(args)
      return [...messages.map(({ lt }) => lt), complete]
    }
    expect(await lts({})).toEqual([10n, 20n, 21n, 22n, 30n, true])
    expect(await lts({ oneAccount: true })).toEqual([10n, true])
    expect(await lts({ account: key(2), afterLt: 20n })).toEqual([21n, 22n, 30n, true])
    expect(await lts({ maxMessages: 3 })).toEqual([10n, 20n, 21n, false])
    const { messages, messagesBoc } = await ask({ withMessages: true })
    expect(parseBoc(messagesBoc).map((root) => root.hashHex())).toEqual(messages.map(({ hash }) => hex(hash)))
    expect(messages[0]!.metadata).toMatchObject({ depth: -1, initiator: { workchain: -0x80000000 } })
    expect(messages[1]!.metadata).toEqual({ mode: 0, depth: 3, initiator: { workchain: 0, hash: key(7) }, initiatorLt: 5n })
  })

  it('lists of deferred messages are proven', async () => {
    const { proof } = await query('getDispatchQueueInfo', { id, maxAccounts: 10, wantProof: true }, signal)
    const [block, proven] = parseBoc(proof)
    expect(hex(openProof(block!).hash(0))).toBe(hex(id.rootHash))
    expect(hex(openProof(proven!).hash(0))).toBe(state.hashHex())
    expect(proof.length).toBeLessThan(10_000)
  })

  it('statistics of validators are proven, as many as asked for', async () => {
    const ask = (args: object) => query('getValidatorStats', { id, mode: 0, limit: 1_000, ...args }, signal)
    expect(await ask({})).toMatchObject({ count: 4, complete: true })
    expect(await ask({ limit: 3 })).toMatchObject({ count: 3, complete: false })
    expect(await ask({ mode: 1, startAfter: key(2) })).toMatchObject({ count: 2, complete: true })
    expect(await ask({ mode: 3, startAfter: key(2) })).toMatchObject({ count: 3, complete: true })
    const { dataProof } = await ask({ limit: 1 })
    expect(hex(openProof(parseBoc(dataProof)[0]!).hash(0))).toBe(state.hashHex())
    await expect(ask({ limit: 0 })).rejects.toThrow(/must be positive/)
    await expect(ask({ mode: 8 })).rejects.toThrow(/unknown flags/)
  })

  it('a state with deferred messages has no non-final data', async () => {
    expect(await query('nonfinal.getPendingShardBlocks', {}, signal)).toEqual({ signedBlocks: [], candidates: [] })
  })
})
