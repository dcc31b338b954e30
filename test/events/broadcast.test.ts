import { expect, it, vi } from 'vitest'
import { silentLog } from '../../server/base/log.ts'
import type { Chunk } from '../../server/base/writer/chunk.ts'
import { type Broadcast, createBroadcast } from '../../server/live/broadcast.ts'
import { ancestorsOf, WHOLE } from '../../server/live/cursor.ts'
import type { BlockEvents, EventTransaction, LiveEvent } from '../../server/live/events.ts'
import { createForks } from '../../server/live/forks.ts'
import { createListener } from '../../server/live/listener.ts'
import { createListeners } from '../../server/live/listeners.ts'
import { collectGarbage } from '../kit/gc.ts'
import { timeTurns } from '../kit/turns.ts'
import { createFakeReader, filterOf, readFake } from './fake-chain.ts'

/* Anybody can make events of megabytes, and listen to them in as many forms as there are choices of accounts. */

const accountOf = (i: number): string => `0:${i.toString(16).padStart(64, '0')}`
const transactionOf = (i: number): EventTransaction => ({
  ...{ account: accountOf(i), lt: '1', hash: String(i), named: [], wire: { body: 'b'.repeat(8_000) } },
})
/** An event of transactions of the first accounts, 0.8 MB as text. */
const large = (finality: LiveEvent['finality']): LiveEvent => ({
  body: { type: 'transactions', scope: 'both', transactions: Array.from({ length: 100 }, (_, i) => transactionOf(i)) },
  ...{ finality, traceHash: undefined, otherHashes: [], place: '' },
})
const blockOf = (events: readonly LiveEvent[]): BlockEvents => ({
  end: { seqno: 1, hash: Buffer.alloc(32), ancestors: ancestorsOf(1, new Map()), place: WHOLE },
  ...{ events, book: {}, tokens: {} },
})

/** A broadcast to listeners of the first accounts, each without one of them, and how many events they got. */
const scene = (count: number) => {
  const listeners = createListeners()
  let told = 0
  for (let i = 0; i < count; i++) {
    const accounts = new Set(Array.from({ length: 100 }, (_, j) => accountOf(j)).filter((_, j) => j !== i))
    const sink = { ...createFakeReader().sink, push: () => void told++ }
    listeners.add(createListener({ ...filterOf(['transactions']), accounts, minFinality: 'pending' }, sink))
  }
  const { source } = readFake({ first: 1, names: [], states: 0, gate: Promise.resolve() })
  const read = () => Promise.reject(new Error('nothing is read'))
  const broadcast: Broadcast = createBroadcast({ listeners, forks: createForks(), source, read, log: silentLog })
  return { broadcast, listeners, told: () => told }
}

it.each([
  ['the events of a block are told in turns', 1, 80, 'block'],
  ['an event of a block is told in turns to listeners who get it in different forms', 80, 1, 'block'],
  ['an event in no block is told in turns to listeners who get it in different forms', 80, 1, 'events'],
] as const)('%s', async (_, listeners, events, by) => {
  const { broadcast, told } = scene(listeners)
  const all = Array.from({ length: events }, () => large(by === 'block' ? 'finalized' : 'pending'))
  const turns = await timeTurns(() => (by === 'block' ? broadcast.block(blockOf(all)) : broadcast.events(all)))
  expect(told()).toBe(listeners * events)
  expect(turns.longest).toBeLessThan(turns.all / 3)
})

it.each([
  ['thousands of listeners to the account that an event names thousands of times', 5_000, 1],
  ['a thousand listeners to each of the accounts of an event', 1_000, 1_000],
] as const)('%s are found in turns, and each gets it once', async (_, count, accounts) => {
  const { broadcast, listeners } = scene(0)
  const names = Array.from({ length: accounts }, (__, i) => accountOf(i))
  const push = vi.fn()
  const listen = (minFinality: LiveEvent['finality'], of: readonly string[] = names): void =>
    listeners.add(
      createListener({ ...filterOf(['transactions']), accounts: new Set(of), minFinality }, { ...createFakeReader().sink, push }),
    )
  // Most are found and do not want it, so that finding them is most of the work.
  for (let i = 0; i < count; i++) listen(i < 3 ? 'pending' : 'finalized')
  listen('pending', [accountOf(accounts)])
  const transactions = Array.from({ length: 4_000 }, (__, i) => ({ ...transactionOf(i % accounts), wire: {} }))
  const event: LiveEvent = { ...large('pending'), body: { type: 'transactions', scope: 'both', transactions } }
  const turns = await timeTurns(() => {
    const sent = broadcast.events([event])
    // Whoever comes meanwhile gets it in another way, if at all.
    listen('pending')
    return sent
  })
  expect(push).toHaveBeenCalledTimes(3)
  expect(turns.longest).toBeLessThan(Math.max(turns.all / 3, 50))
})

it('an event of thousands of transactions is written once for all filters, in turns, and as JSON.stringify writes it', async () => {
  const { broadcast, listeners } = scene(0)
  const texts: string[] = []
  const names = [accountOf(0), accountOf(1)]
  for (const [i, accounts] of [names, names.slice(1), names].entries()) {
    const push = ({ pieces }: Chunk): void => {
      texts[i] = pieces.join('')
    }
    const sink = { ...createFakeReader().sink, push }
    listeners.add(
      createListener(
        { ...filterOf(['transactions']), accounts: new Set(accounts), book: i === 2, metadata: i > 0, minFinality: 'pending' },
        sink,
      ),
    )
  }
  let written = 0
  const wireOf = (i: number): object => ({
    toJSON() {
      written++
      return { i, odd: ['\u2028"', null, 1e21], left: undefined, body: 'b'.repeat(2_000) }
    },
  })
  const transactions = Array.from({ length: 4_000 }, (_, i) => ({ ...transactionOf(i % 2), named: [accountOf(i % 2)], wire: wireOf(i) }))
  const tokens = { [accountOf(1)]: wireOf(4_000) }
  const event: LiveEvent = { ...large('pending'), body: { type: 'transactions', scope: 'both', transactions } }
  const turns = await timeTurns(() => broadcast.events([event], { book: {}, tokens }))
  expect(written).toBe(4_001)
  expect(turns.longest).toBeLessThan(turns.all / 2)
  const wires = transactions.map(({ wire }) => wire)
  const head = { type: 'transactions', finality: 'pending', trace_external_hash_norm: null }
  expect(texts).toEqual([
    JSON.stringify({ ...head, transactions: wires }),
    JSON.stringify({ ...head, transactions: wires.filter((_, i) => i % 2 === 1), metadata: tokens }),
    JSON.stringify({ ...head, transactions: wires, address_book: {}, metadata: tokens }),
  ])
})

it('an event is written once for equal subscriptions, each of which has an id of its own in its frame', async () => {
  const { broadcast, listeners } = scene(0)
  const texts: string[] = []
  for (let i = 0; i < 100; i++) {
    const push = ({ pieces }: Chunk): void => void texts.push(pieces.join(''))
    const frame = { key: `rpc ${i}`, wrap: (json: string) => Buffer.from(`${i} ${json}`) }
    listeners.add(
      createListener(
        { ...filterOf(['account_state_change']), accounts: new Set([accountOf(0)]) },
        { ...createFakeReader().sink, push, frame },
      ),
    )
  }
  const toJSON = vi.fn(() => 'state')
  await broadcast.block(
    blockOf([{ ...large('finalized'), body: { type: 'account_state_change', account: accountOf(0), wire: { toJSON } } }]),
  )
  const json = JSON.stringify({ type: 'account_state_change', finality: 'finalized', account: accountOf(0), state: 'state' })
  expect(texts).toEqual(Array.from({ length: 100 }, (_, i) => `${i} ${json}`))
  expect(toJSON).toHaveBeenCalledOnce()
})

it('an event has at most 16 Mi characters of transactions, the first of them, and says that it leaves out others', async () => {
  const { broadcast, listeners } = scene(0)
  let text = ''
  const push = ({ pieces }: Chunk): void => {
    text = pieces.join('')
  }
  const sink = { ...createFakeReader().sink, push }
  listeners.add(createListener({ ...filterOf(['transactions']), accounts: new Set([accountOf(0)]), minFinality: 'pending' }, sink))
  const transactions = Array.from({ length: 40 }, (_, i) => ({ ...transactionOf(0), wire: { i, body: 'b'.repeat(1 << 20) } }))
  await broadcast.events([{ ...large('pending'), body: { type: 'transactions', scope: 'both', transactions } }])
  const { transactions: got, is_incomplete } = JSON.parse(text) as { transactions: { i: number }[]; is_incomplete: boolean }
  expect([got.map(({ i }) => i), is_incomplete]).toEqual([Array.from({ length: 15 }, (_, i) => i), true])
})

it('hundreds of listeners are told in turns of thousands of traces that a revert undoes, before anything else of these traces', async () => {
  const { broadcast, listeners } = scene(0)
  const got: string[][] = []
  for (let i = 0; i < 300; i++) {
    const own: string[] = []
    got.push(own)
    const push = ({ pieces }: Chunk): void => void own.push(JSON.parse(pieces.join('')).type)
    const sink = { ...createFakeReader().sink, push, takesResets: i === 0 }
    listeners.add(createListener({ ...filterOf(['transactions']), accounts: new Set([accountOf(0)]), minFinality: 'pending' }, sink))
  }
  const transactions = [{ ...transactionOf(0), wire: {} }]
  const eventOf = (i: number, finality: LiveEvent['finality']): LiveEvent => ({
    ...{ ...large(finality), body: { type: 'transactions', scope: 'both', transactions } as const, traceHash: String(i) },
  })
  await broadcast.block(blockOf(Array.from({ length: 1_000 }, (_, i) => eventOf(i, 'finalized'))))
  for (const own of got) own.length = 0
  const turns = await timeTurns(async () => {
    const reverted = broadcast.revert({ seqno: 0, at: undefined })
    // It is pending again.
    await Promise.all([reverted, broadcast.events([eventOf(0, 'pending')])])
  })
  expect(got[0]).toEqual(['reset', 'transactions'])
  expect(new Set(got.slice(1).map((own) => own.join(' ')))).toEqual(new Set([`${'trace_invalidated '.repeat(1_000)}transactions`]))
  expect(turns.longest).toBeLessThan(turns.all / 3)
}, 120_000)

it('texts of an event for many filters do not stay in memory until all of them have theirs', async () => {
  const { broadcast, listeners } = scene(0)
  let [told, most] = [0, 0]
  const push = (): void => {
    if (++told % 10 > 0) return
    collectGarbage()
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }
  for (let i = 0; i < 60; i++) {
    const accounts = new Set([accountOf(100), accountOf(i)])
    listeners.add(createListener({ ...filterOf(['transactions']), accounts, minFinality: 'pending' }, { ...createFakeReader().sink, push }))
  }
  const transactions = Array.from({ length: 101 }, (_, i) => ({ ...transactionOf(i), wire: { body: i < 100 ? '' : 'b'.repeat(4 << 20) } }))
  collectGarbage()
  const before = process.memoryUsage().arrayBuffers
  await broadcast.events([{ ...large('pending'), body: { type: 'transactions', scope: 'both', transactions } }])
  expect(told).toBe(60)
  // All together are 240 MiB. Some of what is free is collected late.
  expect(most - before).toBeLessThan(160 << 20)
})
