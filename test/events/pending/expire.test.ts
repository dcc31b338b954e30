import { beginCell, external, storeMessage } from '@ton/core'
import { afterEach, expect, it, vi } from 'vitest'
import { silentLog } from '../../../server/base/log.ts'
import type { EmulatedTrace } from '../../../server/emulate/trace.ts'
import { createBoard } from '../../../server/live/pending/board.ts'
import { rootOf } from '../../../server/live/pending/follow-from-signed-blocks.ts'
import { createFollower, type FollowerDeps } from '../../../server/live/pending/follower.ts'
import type { PublishedTrace } from '../../../server/live/pending/published-trace.ts'
import { createSignedTransactions } from '../../../server/live/pending/signed-transactions.ts'
import { countPerTurn } from '../../kit/turns.ts'
import { until } from '../../kit/wait.ts'

/* Work for all pending traces of a moment, each of which may lead to all others. */

afterEach(() => vi.restoreAllMocks())

/** Traces that touch the same accounts: as many as are followed. */
const TRACES = 500
const shared = Array.from({ length: 80 }, (_, i) => ({ workchain: 0, hash: new Uint8Array(32).fill(i) }))

it('the traces of thousands of messages that touch the same accounts expire in several turns', async () => {
  const id = { workchain: -1, shard: 1n << 63n, seqno: 1, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }
  const lastTransHash = new Uint8Array(32)
  const nodes = shared.map((account) => ({ account, transaction: { prevTransLt: 0n }, after: { lastTransHash, lastTransLt: 1n } }))
  const trace = { at: id, nodes, isLate: false, isIncomplete: false } as unknown as EmulatedTrace
  const removals = countPerTurn()
  const board = createBoard({ published() {}, removed: removals.see })
  const published = (hash: string): PublishedTrace => ({ hash, hashNorm: hash, transactions: [], actions: [], accounts: {} }) as never
  const follower = createFollower({
    chain: { head: () => ({ id, epoch: 0 }), heads: async function* () {} } as never,
    emulator: { trace: async () => trace } as never,
    now: () => 0,
    format: async ({ hashNorm }) => published(Buffer.from(hashNorm, 'latin1').toString('base64')),
    reached: async () => {},
    onHead: () => () => {},
    board,
    signed: createSignedTransactions(async () => undefined),
    hasDemand: () => false,
    log: silentLog,
  } satisfies FollowerDeps)
  const bocOf = (i: number): Buffer =>
    beginCell()
      .store(storeMessage(external({ to: `0:${i.toString(16).padStart(64, '0')}`, body: beginCell().endCell() })))
      .endCell()
      .toBoc()
  await Promise.all(Array.from({ length: TRACES }, (_, i) => follower.follow(bocOf(i))))
  expect(board.size()).toBe(TRACES)
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000)
  await until(() => removals.all() === TRACES)
  expect(removals.most()).toBeLessThan(TRACES / 4)
  follower.close()
})

it('the beginning of a chain of thousands of transactions is found once for all of them', () => {
  const before = Array.from({ length: 10_000 }, (_, i) => i - 1)
  let steps = 0
  const back = (at: number): number | undefined => {
    steps++
    return before[at]
  }
  const firsts = new Map<number, number>([[-1, 0]])
  const roots = before.map((_, i) => rootOf(i, back, firsts))
  expect([new Set(roots), steps]).toEqual([new Set([0]), 10_000])
  const circle = new Map([[1, 2], [2, 3], [3, 1]]) // biome-ignore format: short
  expect([1, 2, 3].map((at) => rootOf(at, (one) => circle.get(one), new Map()))).toEqual([1, 2, 3])
})
