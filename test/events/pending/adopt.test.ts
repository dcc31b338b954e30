import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createBlocks, type SourceBlock } from '../../../server/chain/blocks.ts'
import { createRawQuery } from '../../../server/chain/checked-query.ts'
import { blockKey } from '../../../server/chain/signed/read-ancestors.ts'
import type { SignedChange } from '../../../server/chain/signed/signed-blocks.ts'
import { createDemand } from '../../../server/live/pending/demand.ts'
import { createAdopt } from '../../../server/live/pending/follow-from-signed-blocks.ts'
import { createFollowedTraces, type FollowedTrace } from '../../../server/live/pending/followed-traces.ts'
import {
  createSignedTransactions,
  type SignedTransaction,
  type SignedTransactions,
} from '../../../server/live/pending/signed-transactions.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { ownWallet } from '../../kit/chain/own-wallet.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'

/* Traces that begin with a transaction in a signed block: what is remembered of the transactions, and which traces are taken up. */

const { signal } = new AbortController()
const wallet = ownWallet(9)
const none: SignedChange = { signed: [], named: [], lost: [] }

let block: SourceBlock
let signed: SignedTransactions
let found: readonly SignedTransaction[]
const open: (() => unknown)[] = []
beforeEach(async () => {
  const tvm = createTestTvm({ workers: 1 })
  const local = await createTestChain(tvm, { accounts: [wallet.account] })
  open.push(tvm.close, local.close)
  await local.control.holdShardBlocks(true, signal)
  await local.query('sendMessage', { body: wallet.transfer(0, { workchain: 0, hash: new Uint8Array(32).fill(5) }, 1n) }, signal)
  await local.control.idleOrBusyTooLong(signal)
  const { signedBlocks } = await local.query('nonfinal.getPendingShardBlocks', {}, signal)
  block = await createBlocks(createRawQuery(local)).block(signedBlocks[0]!, signal)
  signed = createSignedTransactions(async () => undefined)
  found = await signed.take({ ...none, signed: [block] })
})
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

it('a block that was lost can be signed again', async () => {
  const key = blockKey(block.id)
  await signed.take({ ...none, lost: [block.id] })
  expect([signed.isSigned(key), signed.isLost(key)]).toEqual([false, true])
  await signed.take({ ...none, signed: [block] })
  expect([signed.isSigned(key), signed.isLost(key)]).toEqual([true, false])
})

it('a transaction of a lost block is not one of a named block', async () => {
  await signed.take({ ...none, lost: [block.id] })
  expect((await signed.read(found[0]!, signal)).signedIn).toBe(blockKey(block.id))
})

type Review = (entries: readonly FollowedTrace[], signal: AbortSignal) => Promise<void>

const adoptWith = (review: Review) => {
  const kept = createFollowedTraces()
  let order = 0
  const adopt = createAdopt({
    followed: kept,
    signed,
    hasDemand: () => true,
    hasRoom: () => true,
    nextOrder: () => order++,
    head: () => ({ seqno: 1 }) as BlockId,
    add: kept.add,
    review,
    closing: signal,
  })
  return { kept, adopt }
}

it('a message that a contract takes twice begins one trace', async () => {
  const review = vi.fn<Review>(async () => {})
  const { kept, adopt } = adoptWith(review)
  const first = found.find(({ isExternal }) => isExternal)!
  await adopt([first, { ...first }])
  expect([kept.size(), review.mock.calls[0]![0].length]).toEqual([1, 1])
})

it('signed blocks that come while the chain does not answer are looked at together, and none is left out', async () => {
  const ends: (() => void)[] = []
  const { kept, adopt } = adoptWith(() => new Promise((resolve) => ends.push(resolve)))
  const calls = Array.from({ length: 1_000 }, (_, i) => adopt(i < 8 ? [] : found))
  await turn()
  expect([ends.length, kept.size()]).toEqual([8, 0])
  for (const end of ends.splice(0)) end()
  await expect.poll(() => ends.length).toBe(1)
  expect(kept.size()).toBeGreaterThan(0)
  for (const end of ends) end()
  await Promise.all(calls)
})

it('a look at signed blocks ends after 30 seconds if the chain never answers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { adopt } = adoptWith((_, stop) => new Promise((_, reject) => stop.addEventListener('abort', () => reject(stop.reason))))
  const refused = expect(adopt([])).rejects.toThrow('no answer in 30000 ms')
  await vi.advanceTimersByTimeAsync(30_000)
  await refused
  vi.useRealTimers()
})

it('what somebody asks for is new if nobody asked for one part of it lately', () => {
  const demand = createDemand({ isWatched: () => false, hasEarlyListeners: () => false })
  expect([demand.ask(['a'], []), demand.ask(['a'], []), demand.ask(['a', 'b'], ['c'])]).toEqual([true, false, true])
  expect(demand.has(['x'], ['c'])).toBe(true)
})
