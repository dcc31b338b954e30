import { expect, it } from 'vitest'
import { createAbortController } from '../../server/base/abort.ts'
import { silentLog } from '../../server/base/log.ts'
import { createPermits } from '../../server/base/permits.ts'
import type { BookAndTokens, LiveEvent } from '../../server/live/events.ts'
import { createListener } from '../../server/live/listener.ts'
import { createListeners } from '../../server/live/listeners.ts'
import { createPublishedBoard } from '../../server/live/pending/events.ts'
import { type PackedTrace, type PublishedTrace, pack, unpack } from '../../server/live/pending/published-trace.ts'
import { createOutsideSender } from '../../server/live/send-outside-blocks.ts'
import { createRandom, seed } from '../kit/random.ts'
import { timeTurns } from '../kit/turns.ts'
import { sleep } from '../kit/wait.ts'
import { createFakeReader, filterOf } from './fake-chain.ts'

/* Events that are in no block: their order, and those that a listener is told who comes back. */

const ACCOUNT = `0:${'AB'.repeat(32)}`

const { signal } = createAbortController()

/** Publishing over an address book that answers when the test says so. */
const scene = () => {
  const told: string[] = []
  const reads: (() => void)[] = []
  const bookAndTokens: BookAndTokens = { book: {}, tokens: {} }
  const listeners = createListeners()
  const reader = createFakeReader()
  const listener = createListener({ ...filterOf(['trace']), minFinality: 'pending', book: true }, reader.sink)
  listeners.add(listener)
  const tell = async (events: readonly LiveEvent[]): Promise<void> => {
    for (const { traceHash, body } of events) if (body.type === 'trace') told.push(traceHash!)
  }
  const publishing = createOutsideSender({
    listeners,
    broadcast: { events: tell, to: (_, events) => void tell(events) },
    source: { bookAndTokens: async () => bookAndTokens },
    permits: createPermits({ atOnce: 4, waiting: 100, patience: 60_000, text: '' }),
    read: () => new Promise((resolve) => reads.push(() => resolve(bookAndTokens as never))),
    log: silentLog,
  })
  /** `meanwhile` runs while the address book is read. */
  const answer = async (meanwhile = (): void => {}): Promise<void> => {
    await expect.poll(() => reads.length).toBeGreaterThan(0)
    meanwhile()
    reads.shift()!()
  }
  return { told, reads, listeners, listener, reader, publishing, answer }
}
const eventOf = (traceHash: string): LiveEvent => ({
  body: { type: 'trace', accounts: new Set([ACCOUNT]), named: [], actions: [], wire: {} },
  finality: 'pending',
  traceHash,
  otherHashes: [],
  place: '',
})
const toldOf = (name: string): PublishedTrace => ({
  ...{
    hash: name,
    hashNorm: name,
    isExternal: true,
    traceId: null,
    isIncomplete: false,
    lacksFacts: false,
    tree: null,
    transactions: [],
    actions: [],
    accounts: {},
    state: 'ok',
  },
  finality: { transactions: 'pending', actions: 'pending' },
})

const packAll = async (told: PublishedTrace): Promise<PackedTrace> => (await pack(told, Number.POSITIVE_INFINITY))!

it('what is kept of a pending trace takes no more memory than its bytes, and is read as it was told', async () => {
  const told = toldOf('t')
  const { packed } = await packAll(told)
  expect(packed.buffer.byteLength).toBe(packed.length)
  expect(unpack(packed)).toEqual(told)
})

it('a pending trace of megabytes is packed in turns, and one that is too long is not packed', async () => {
  const wire = { body: Buffer.from(createRandom(seed).bytes(60_000)).toString('base64') }
  const transactions = Array.from({ length: 200 }, (_, i) => ({ account: ACCOUNT, lt: '1', hash: String(i), named: [], wire }))
  const told: PublishedTrace = { ...toldOf('t'), transactions }
  let packed: PackedTrace | undefined
  const { longest, all } = await timeTurns(async () => {
    packed = await packAll(told)
  })
  expect(longest).toBeLessThan(all / 3)
  expect(unpack(packed!.packed)).toEqual(told)
  expect(await pack(told, 4 << 20)).toBeUndefined()
}, 120_000)

it('events that come while an address book is read are told after those that wait for it, and none twice', async () => {
  const { told, publishing, answer } = scene()
  publishing.publish([eventOf('first')])
  publishing.publish(Array.from({ length: 5_000 }, (_, i) => eventOf(String(i))))
  await answer()
  await expect.poll(() => told).toEqual(['first'])
  await answer()
  await expect.poll(() => told.length).toBe(5_001)
  expect(told[1]).toBe('0')
  publishing.publish([eventOf('last')])
  await answer()
  await expect.poll(() => told.length).toBe(5_002)
  expect(told.at(-1)).toBe('last')
})

it('events that are dropped because too many wait are named by one gap, to those who listen before finality', async () => {
  const { told, listeners, listener, reader, publishing, answer } = scene()
  const other = createFakeReader()
  listeners.add(createListener(filterOf(['trace']), other.sink))
  listener.sentSeqno = 7
  publishing.publish([eventOf('first')])
  for (let i = 0; i < 20; i++) publishing.publish(Array.from({ length: 1_000 }, (_, j) => eventOf(String(1_000 * i + j))))
  await answer()
  await answer()
  await expect.poll(() => told.length).toBe(1 + 16_384)
  expect([told[0], told[1], told.at(-1)]).toEqual(['first', String(20_000 - 16_384), '19999'])
  expect(reader.events).toEqual([{ type: 'gap', from_seqno: 8, to_seqno: 8, cursor: '' }])
  expect(other.events).toEqual([])
})

it('a listener who comes back is told the traces that are still as they were, oldest first', async () => {
  const { told, listener, publishing, answer } = scene()
  const board = createPublishedBoard({ ...publishing, isWatched: () => false })
  const put = async (told: PublishedTrace) => board.put({ ...(await packAll(told)), accounts: [ACCOUNT] }, told)
  for (let i = 0; i < 30; i++) await put(toldOf(`t${i}`))
  const broadcast = publishing.sendAlive(listener, signal)
  await expect.poll(() => told.length).toBe(0)
  board.remove('t3', false)
  board.commit('t4', 1)
  await put({ ...toldOf('t5'), isIncomplete: true })
  for (let i = 0; i < 30; i++) await answer()
  await broadcast
  expect(told).toEqual(Array.from({ length: 30 }, (_, i) => `t${i}`).filter((name) => !['t3', 't4', 't5'].includes(name)))
})

it('listeners who come back together have few reads of the index at a time', async () => {
  const { told, reads, listeners, publishing, answer } = scene()
  publishing.setAlive(() => [1, 2].map((n) => ({ events: () => [eventOf(String(n))], isCurrent: () => true })))
  const back = Array.from({ length: 20 }, () => createListener({ ...filterOf(['trace']), minFinality: 'pending' }, createFakeReader().sink))
  for (const each of back) listeners.add(each)
  const all = Promise.all(back.map((each) => publishing.sendAlive(each, signal)))
  let most = 0
  for (let i = 0; i < 40; i++) {
    await sleep(5)
    most = Math.max(most, reads.length)
    await answer()
  }
  await all
  expect(told.length).toBe(40)
  expect(most).toBe(4)
})

it('a listener who has left is told nothing more', async () => {
  const { told, listeners, listener, publishing, answer } = scene()
  publishing.setAlive(() => [{ events: () => [eventOf('alive')], isCurrent: () => true }])
  const broadcast = publishing.sendAlive(listener, signal)
  await answer(() => void listeners.remove(listener))
  await broadcast
  expect(told).toEqual([])
})
