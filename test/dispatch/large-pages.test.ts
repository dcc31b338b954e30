import { describe, expect, it } from 'vitest'
import type { Answer } from '../../server/base/answer.ts'
import type { Call } from '../../server/base/call.ts'
import { checkSize } from '../../server/base/limits/large-page.ts'
import { silentLog } from '../../server/base/log.ts'
import { createPermits } from '../../server/base/permits.ts'
import { createCache } from '../../server/dispatch/answer-cache.ts'
import { inThreads } from '../../server/dispatch/choose-handler.ts'
import { createDispatch } from '../../server/dispatch/pipeline.ts'
import type { Outcome } from '../../server/dispatch/types.ts'
import { createFloor } from '../../server/store/replicas/floor.ts'
import { createV3Handlers } from '../../server/v3/index.ts'
import { registry } from '../../shared/registry.ts'
import { sleep } from '../kit/wait.ts'

const callOf = (signal = new AbortController().signal, taken: number[] = [], charged: number[] = [], client?: string): Call => ({
  network: 'local',
  signal,
  requestId: 'x',
  log: silentLog,
  localAllowed: true,
  client,
  caller: {
    keyId: undefined,
    servers: undefined,
    take: (weight) => taken.push(weight) > 0,
    charge: (units) => charged.push(units),
    onEnd: () => () => {},
  },
})

/** The real dispatch over a handler that takes its time. */
const start = () => {
  const peak = { now: 0, most: 0 }
  const slow = async ({ trace_id = [] }: { trace_id?: readonly Uint8Array[] }, { signal, isLarge }: Call): Promise<Answer> => {
    // Each trace that is named has 200 KB.
    if (isLarge === false) checkSize(trace_id.length * 200_000)
    peak.most = Math.max(peak.most, ++peak.now)
    try {
      // On a busy machine the small ones begin in several turns.
      await sleep(100, undefined, { signal })
    } finally {
      peak.now--
    }
    return { body: {} }
  }
  const cache = createCache<Outcome>({ entries: 10, bytes: 1000 })
  const dispatch = createDispatch({
    methods: registry,
    handlers: { 'v3.traces': slow, 'v3.transactions': slow },
    head: () => undefined,
    headCache: cache,
    finalCache: cache,
  })
  return { peak, dispatch }
}

describe('large pages', () => {
  it('large pages are made two at a time, and all of a dozen are made', async () => {
    const { peak, dispatch } = start()
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => dispatch('v3.traces', { limit: 1000 }, callOf())))
    expect(outcomes.every(({ ok }) => ok)).toBe(true)
    expect(peak.most).toBe(2)
  })

  it('large pages do not delay small calls', async () => {
    const { peak, dispatch } = start()
    const large = Array.from({ length: 12 }, () => dispatch('v3.transactions', { limit: 1000 }, callOf()))
    const small = Array.from({ length: 6 }, () => dispatch('v3.transactions', { limit: 10 }, callOf()))
    let isLargeDone = false
    const all = Promise.all(large).then(() => {
      isLargeDone = true
    })
    await Promise.all(small)
    expect(isLargeDone).toBe(false)
    await all
    expect(peak.most).toBe(8)
  })

  it('pages that turn out to be large are made two at a time, with those that ask for much', async () => {
    const { peak, dispatch } = start()
    const traces = (count: number): object => ({
      limit: count,
      trace_id: Array.from({ length: count }, (_, i) => String(i).padStart(64, '0')),
    })
    const few = Array.from({ length: 6 }, () => dispatch('v3.traces', traces(3), callOf()))
    const many = Array.from({ length: 6 }, () => dispatch('v3.traces', { limit: 1000 }, callOf()))
    expect((await Promise.all([...few, ...many])).every(({ ok }) => ok)).toBe(true)
    expect(peak.most).toBe(2)
    await Promise.all(Array.from({ length: 6 }, () => dispatch('v3.traces', traces(2), callOf())))
    expect(peak.most).toBe(6)
  })

  it('the large pages of a caller with few come before the many of another', async () => {
    const { dispatch } = start()
    const ended: string[] = []
    const page = (client: string) => async () => {
      const outcome = await dispatch('v3.traces', { limit: 1000 }, callOf(undefined, [], [], client))
      expect(outcome.ok).toBe(true)
      ended.push(client)
    }
    const greedy = Array.from({ length: 12 }, () => page('greedy')())
    const modest = Array.from({ length: 2 }, () => page('modest')())
    await Promise.all([...greedy, ...modest])
    // Two were being made already, and two more may end in the same moment.
    expect(ended.lastIndexOf('modest')).toBeLessThan(6)
  })

  it('a caller with too many large pages is refused, and no other', async () => {
    const { dispatch } = start()
    const page = async (client: string) => (await dispatch('v3.traces', { limit: 1000 }, callOf(undefined, [], [], client))).ok
    const greedy = Array.from({ length: 34 }, () => page('greedy'))
    const modest = Array.from({ length: 4 }, () => page('modest'))
    expect(await Promise.all(modest)).toEqual([true, true, true, true])
    expect((await Promise.all(greedy)).filter((ok) => !ok)).toHaveLength(4)
  })

  it('large pages whose caller has left leave the queue', async () => {
    const { peak, dispatch } = start()
    const leaving = new AbortController()
    const given = Array.from({ length: 10 }, () => dispatch('v3.traces', { limit: 1000 }, callOf(leaving.signal)))
    leaving.abort()
    for (const outcome of await Promise.all(given)) expect(outcome.ok).toBe(false)
    await expect.poll(() => peak.now).toBe(0)
    expect((await dispatch('v3.traces', { limit: 1000 }, callOf())).ok).toBe(true)
  })

  it('if too many large pages wait, further ones are refused with the time of the next try', async () => {
    const { dispatch } = start()
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => dispatch('v3.traces', { limit: 1000 }, callOf())))
    const refused = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]))
    expect(refused).toHaveLength(50 - 2 - 32)
    expect(refused[0]).toMatchObject({
      kind: 'UNAVAILABLE',
      retryAfter: expect.any(Number),
      message: expect.stringContaining('smaller limit'),
    })
  })

  it('large pages cost units by the rows they ask for, whatever form the number has', async () => {
    const { dispatch } = start()
    const taken: number[] = []
    const call = callOf(undefined, taken)
    const { weight } = registry['v3.transactions']
    for (const limit of [undefined, 10, 99, 100, '1000', 1000, 1e9, -5, 'x', {}]) await dispatch('v3.transactions', { limit }, call)
    expect(taken).toEqual([0, 0, 0, 1, 10, 10, 10, 0, 0, 0].map((rows) => rows + weight))
    taken.length = 0
    await dispatch('v3.traces', { limit: 1000 }, call)
    expect(taken).toEqual([100 + registry['v3.traces'].weight])
  })
})

describe('a large page that is written while it is made', () => {
  /** A handler whose answers have three pieces, and a caller who takes pieces. */
  const begin = () => {
    async function* texts(): AsyncGenerator<string> {
      for (const piece of ['["', '", "', '"]']) yield piece + 'x'.repeat(140_000)
    }
    const cache = createCache<Outcome>({ entries: 10, bytes: 1000 })
    const dispatch = createDispatch({
      methods: registry,
      handlers: { 'v3.traces': async () => ({ pieces: texts() }) },
      head: () => undefined,
      headCache: cache,
      finalCache: cache,
    })
    const ask = async (signal?: AbortSignal) => {
      const outcome = await dispatch('v3.traces', { limit: 1000 }, { ...callOf(signal), acceptsPieces: true })
      if (!outcome.ok || outcome.rest === undefined) throw new Error('it has not begun')
      return outcome.rest
    }
    return { ask }
  }

  it('a streamed large page counts as running until it has been read or is given up', async () => {
    const { ask } = begin()
    const [first, second] = await Promise.all([ask(), ask()])
    let begun = 0
    const counted = <T>(rest: T): T => {
      begun++
      return rest
    }
    const others = Promise.all([ask(), ask()].map((each) => each.then(counted)))
    await sleep(20)
    expect(begun).toBe(0)
    let length = 0
    for await (const text of first!) length += text.length
    expect(length).toBe(2 * 140_000 + 6)
    await expect.poll(() => begun).toBe(1)
    await second!.return()
    for (const rest of await others) await rest.return()
    expect(begun).toBe(2)
  })
})

describe('long answers', () => {
  it('long answers cost a unit for every 256 KiB when they are made, all of one request together, and are never refused for it', async () => {
    const charged: number[] = []
    const call = callOf(undefined, [], charged)
    let size = 0
    const cache = createCache<Outcome>({ entries: 1, bytes: 1 })
    const dispatch = createDispatch({
      methods: registry,
      handlers: { 'rpc.discover': () => ({ pieces: ['x'.repeat(size)] }) },
      head: () => undefined,
      headCache: cache,
      finalCache: cache,
    })
    const KiB = 1 << 10
    for (const each of [255, 1, 3, 2, 600, 168, 10_000]) {
      size = each * KiB
      expect((await dispatch('rpc.discover', {}, call)).ok).toBe(true)
    }
    // Answers shorter than 4 KiB do not count.
    expect(charged).toEqual([3, 40])
    charged.length = 0
    size = 256 * KiB
    expect((await dispatch('rpc.discover', {}, callOf(undefined, [], charged))).ok).toBe(true)
    expect(charged).toEqual([1])
  })
})

describe('permits', () => {
  const { signal } = new AbortController()
  /** Permits over a clock of their own; `order` has the clients in the order in which they got theirs. */
  const begin = (waiting = 10) => {
    const clock = { now: 0 }
    const permits = createPermits({ atOnce: 1, waiting, patience: 60_000, text: 'full' }, () => clock.now)
    const order: string[] = []
    const holding: (() => void)[] = []
    const take = (client: string): Promise<void> =>
      permits.take(signal, client).then((release) => {
        order.push(client)
        holding.push(release)
      })
    /** Gives the permit back after so many milliseconds. */
    const giveBack = async (ms: number): Promise<void> => {
      await sleep(0)
      clock.now += ms
      holding.shift()!()
      await sleep(0)
    }
    return { clock, order, take, giveBack }
  }

  it('permits go to the caller who held them for the shortest time, which is forgotten after a while', async () => {
    const { clock, order, take, giveBack } = begin()
    for (const client of ['a', 'a', 'a', 'b', 'c']) void take(client)
    await giveBack(1_000)
    await giveBack(100)
    await giveBack(300)
    expect(order).toEqual(['a', 'b', 'c', 'a'])
    void take('b')
    void take('c')
    await giveBack(10)
    await giveBack(500)
    // b had 600 by then, c 300, a 1,010.
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
    await giveBack(10)
    await giveBack(0)
    clock.now += 300_000
    for (const client of ['x', 'x', 'a']) void take(client)
    await giveBack(1_000)
    await giveBack(0)
    expect(order.slice(-3)).toEqual(['x', 'a', 'x'])
  })

  it('a bounded number waits for permits, and the caller with the most requests is refused', async () => {
    const { take, giveBack, order } = begin(3)
    void take('a')
    const of = ['a', 'a', 'b'].map((client) => take(client))
    await expect(Promise.race([take('c'), of[1]])).rejects.toMatchObject({ kind: 'UNAVAILABLE', message: 'full' })
    for (let i = 0; i < 4; i++) await giveBack(1)
    expect(order).toEqual(['a', 'b', 'c', 'a'])
  })

  it('a caller who waits too long for a permit is refused', async () => {
    const permits = createPermits({ atOnce: 1, waiting: 5, patience: 20, text: 'full' })
    const { signal } = new AbortController()
    const release = await permits.take(signal)
    await expect(permits.take(signal)).rejects.toMatchObject({ kind: 'UNAVAILABLE', message: 'full' })
    release()
    release()
    const next = await permits.take(signal)
    await expect(permits.take(signal)).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
    next()
  })

  it('rows with proofs cost a unit each, whatever form the parameters have', async () => {
    const { dispatch } = start()
    const taken: number[] = []
    const call = callOf(undefined, taken)
    const { weight } = registry['v3.transactions']
    const asked = [
      { proofs: true },
      { proofs: '1', limit: 3 },
      { proofs: true, limit: '100' },
      { proofs: true, limit: 1e9 },
      { proofs: 'false' },
    ]
    for (const params of asked) await dispatch('v3.transactions', params, call)
    expect(taken).toEqual([10, 3, 101, 110, 0].map((units) => units + weight))
    taken.length = 0
    for (const address of ['a,b,c', ['a', 'b'], undefined]) await dispatch('v3.accountStates', { proofs: true, address }, call)
    expect(taken).toEqual([3, 2, 10].map((units) => units + registry['v3.accountStates'].weight))
  })

  it('threads make large answers from the index, and none from pending traces, which they do not have', async () => {
    const asked: string[] = []
    const ask = async ({ method }: { readonly method: string }): Promise<Answer> => {
      asked.push(method)
      return { body: {} }
    }
    const threads = { ask, close: async () => {} }
    const database = { connection: {}, floor: createFloor() }
    const away = (): Promise<never> => Promise.reject(new Error('the database is away'))
    const reader = { rows: away, snapshot: away, close: async () => {} }
    const handlers = createV3Handlers({ reader, v2: {} as never, inThreads: (own) => inThreads(own, threads, () => database) })
    for (const name of ['v3.traces', 'v3.pendingTraces', 'v3.pendingActions', 'v3.pendingTransactions'])
      await Promise.resolve(handlers[name]!({} as never, { ...callOf(), isLarge: true })).catch(() => {})
    expect(asked).toEqual(['v3.traces'])
  })
})
