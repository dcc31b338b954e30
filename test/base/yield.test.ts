import { describe, expect, it } from 'vitest'
import {
  createPauses,
  createTurns,
  inSharedTurn,
  mapWithPauses,
  noteAccepted,
  yieldAsBegun,
  yieldToBegin,
  yieldToEventLoop,
} from '../../server/base/yield.ts'
import { busy, countPerTurn, countTurns } from '../kit/turns.ts'

/** In which turn of the event loop each of 20 callers went on, if all wait at once. */
const turnsOf = async (wait: () => Promise<void> | undefined): Promise<number[]> => {
  const turns: number[] = []
  const counted = countTurns()
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      await wait()
      turns[i] = counted.count()
    }),
  )
  counted.stop()
  return turns
}

describe('long work', () => {
  it('long work of many callers goes on in turns of its own, in the order in which they came', async () => {
    const turns = await turnsOf(() => yieldToEventLoop().then(() => busy(6)))
    expect(turns).toEqual([...turns].sort((a, b) => a - b))
    expect(new Set(turns).size).toBe(20)
  })

  it('short tasks share a turn, and a long one ends it', async () => {
    const short = await turnsOf(yieldToEventLoop)
    expect(new Set(short).size).toBeLessThan(10)
    let n = 0
    const mixed = await turnsOf(() => yieldToEventLoop().then(() => busy(n++ % 2 === 0 ? 0 : 6)))
    expect(new Set(mixed).size).toBeGreaterThanOrEqual(10)
  })

  it('work waits while turns accept connections, for a bounded time', async () => {
    const mayGoOn = createTurns()
    expect(mayGoOn()).toBe(true)
    busy(300)
    noteAccepted()
    expect(mayGoOn()).toBe(false)
    // At most 120 ms, however long the turn before took.
    busy(125)
    expect(mayGoOn()).toBe(true)
    noteAccepted()
    await yieldToEventLoop()
    expect(mayGoOn()).toBe(true)
  })

  it('tasks that begin take turns by client, and the service has turns between them', async () => {
    const order: string[] = []
    const wait = async (client: string): Promise<void> => {
      await (client === '' ? yieldToEventLoop() : yieldToBegin(client))
      order.push(client)
      if (client === 'c') order.push(await yieldAsBegun().then(() => 'c goes on'))
    }
    await Promise.all(['a', 'a', 'a', 'a', '', '', 'b', 'c'].map(wait))
    expect(order.filter((client) => client !== '')).toEqual(['b', 'c', 'c goes on', 'a', 'a', 'a', 'a'])
    expect(order.lastIndexOf('')).toBeLessThan(4)
  })

  it('short work of several parts does not wait for all long work at each part', async () => {
    const PARTS = 10
    let steps = 0
    const stop = new AbortController()
    const long = Array.from({ length: 20 }, async () => {
      const pause = createPauses(2)
      for (; !stop.signal.aborted; steps++) {
        busy(2)
        await pause()
      }
    })
    await expect.poll(() => steps).toBeGreaterThan(40)
    const before = steps
    for (let part = 0; part < PARTS; part++) {
      const pause = createPauses(2)
      busy(3)
      await pause()
    }
    const during = steps - before
    stop.abort()
    await Promise.all(long)
    // Each part waits for a few turns. It was twenty turns, each of a step or two.
    expect(during).toBeLessThan(PARTS * 10)
  })

  it('the pauses of many callers end in turns of their own', async () => {
    const pauses = Array.from({ length: 20 }, () => createPauses())
    busy(15)
    expect(new Set(await turnsOf(() => pauses.pop()!()!.then(() => busy(6)))).size).toBe(20)
  })

  it('parties hold the event loop for one slice together, and all come to their end', async () => {
    const pause = createPauses(4)
    const turns = countTurns()
    const done = new Array<number>(20).fill(0)
    const party = async (i: number): Promise<void> => {
      for (let step = 0; step < 5; step++) {
        await pause()
        busy(2)
        done[i]!++
      }
    }
    await Promise.all(done.map((_, i) => party(i)))
    turns.stop()
    expect(done).toEqual(new Array(20).fill(5))
    // 200 ms of work. A turn has 5 ms, and is longer by one slice of 4 ms and one step at most.
    expect(turns.count()).toBeGreaterThan(15)
  })

  it('work of many callers that begins in one turn has one slice together in it', async () => {
    let inFirstTurn = 0
    let isOver = false
    const work = async (): Promise<void> => {
      const pause = createPauses(4)
      for (let step = 0; step < 5; step++) {
        busy(1)
        if (!isOver) inFirstTurn++
        await pause()
      }
    }
    const all = Array.from({ length: 20 }, work)
    setImmediate(() => {
      isOver = true
    })
    await Promise.all(all)
    // One step of each, and what fits into the slice. It was four steps of each.
    expect(inFirstTurn).toBeLessThan(30)
  })
})

describe('work that many events bring', () => {
  const EVENTS = 200

  it('work that many events bring in one turn shares a few turns, in its order', async () => {
    const done: number[] = []
    const perTurn = countPerTurn()
    for (let i = 0; i < EVENTS; i++) {
      inSharedTurn(() => {
        busy(0.5)
        perTurn.see()
        done.push(i)
      })
    }
    await expect.poll(() => done).toHaveLength(EVENTS)
    expect(perTurn.most()).toBeLessThan(EVENTS / 2)
    expect(done).toEqual([...done].sort((a, b) => a - b))
  })

  it('short work of one client does not delay that of another', async () => {
    const done: string[] = []
    const run = (client: string): void =>
      inSharedTurn(() => {
        busy(0.5)
        done.push(client)
      }, client)
    for (let i = 0; i < EVENTS; i++) run('greedy')
    run('other')
    await expect.poll(() => done).toHaveLength(EVENTS + 1)
    expect(done.indexOf('other')).toBeLessThan(3)
  })

  it('what follows many rejections has several turns too', async () => {
    const perTurn = countPerTurn()
    const answered = Array.from({ length: EVENTS }, async () => {
      const refused = new Promise((_, reject) => inSharedTurn(() => reject(new Error('refused'))))
      await refused.catch(() => {})
      await undefined
      busy(0.5)
      perTurn.see()
    })
    await Promise.all(answered)
    expect(perTurn.most()).toBeLessThan(EVENTS / 2)
  })
})

describe('a long list', () => {
  it('a long list is mapped in its order, and others run in between', async () => {
    const turns = countTurns()
    const items = Array.from({ length: 40 }, (_, i) => i)
    const double = (item: number): number => {
      busy(3)
      return item * 2
    }
    expect(await mapWithPauses(items, double, new AbortController().signal)).toEqual(items.map((i) => i * 2))
    turns.stop()
    expect(turns.count()).toBeGreaterThan(2)
  })

  it('a long list is mapped no further when nobody waits any more', async () => {
    const controller = new AbortController()
    let mapped = 0
    const work = mapWithPauses(
      Array.from({ length: 1000 }, (_, i) => i),
      () => {
        if (++mapped === 5) controller.abort(new Error('gone'))
        busy(3)
      },
      controller.signal,
    )
    await expect(work).rejects.toThrow('gone')
    expect(mapped).toBeLessThan(20)
  })
})
