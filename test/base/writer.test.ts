import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createByteBudget } from '../../server/base/limits/byte-budget.ts'
import { createChunk } from '../../server/base/writer/chunk.ts'
import { createUnread, UNREAD_LIMITS, type Unread } from '../../server/base/writer/unread.ts'
import { createWriter, type Writer } from '../../server/base/writer/writer.ts'
import { busy, countPerTurn } from '../kit/turns.ts'
import { sleep, until } from '../kit/wait.ts'

const eventOf = (text: string, cursor = '') => createChunk([Buffer.from(text)], 'events', cursor)

const LIMITS = { ofConnection: 1 << 20, ofAll: 2 << 20, patience: 60_000, grace: 0 }
/** Bytes that the account has for the place of a chunk in a queue. */
const PLACE = 64

/** A reader that takes nothing until it is let go on. */
const createReader = (unread: Unread) => {
  const written: string[] = []
  const done: (() => void)[] = []
  let isCut = false
  const writer: Writer = createWriter({
    unread,
    write(pieces, taken) {
      written.push(...pieces.map(String))
      done.push(taken)
    },
    slow() {
      isCut = true
    },
  })
  return {
    writer,
    written,
    isCut: () => isCut,
    /** Takes everything that was written, and what follows. */
    async takeAll() {
      // A writer waits for a turn with time, which a busy machine gives a few turns later.
      for (let quiet = 0; quiet < 20; quiet++) {
        await turn()
        if (done.length > 0) quiet = 0
        for (const taken of done.splice(0)) taken()
      }
    },
  }
}

describe('writers to slow readers', () => {
  it('writers keep the order, and give their memory back when the reader goes on', async () => {
    const unread = createUnread(LIMITS)
    const reader = createReader(unread)
    const texts = Array.from({ length: 60 }, (_, i) => `${i} ${'x'.repeat(10_000)}`)
    let done = 0
    for (const text of texts) reader.writer.push(eventOf(text, String(text.length)), () => done++)
    await turn()
    expect(reader.written.length).toBeLessThan(10)
    expect([done, unread.bytes()]).toEqual([0, { http: 0, websocket: 0, events: texts.join('').length + 60 * PLACE }])
    await reader.takeAll()
    expect(reader.written).toEqual(texts)
    expect([done, unread.bytes().events]).toEqual([60, 0])
    expect(reader.writer.last()).toBe(String(texts.at(-1)!.length))
  })

  it('a chunk of many readers counts once, and a reader that is too far behind is cut off', async () => {
    const unread = createUnread({ ...LIMITS, ofConnection: 100_000 })
    const readers = Array.from({ length: 50 }, () => createReader(unread))
    for (let i = 0; i < 90; i++) {
      const chunk = eventOf('y'.repeat(1_000))
      for (const { writer } of readers) writer.push(chunk)
    }
    expect(unread.bytes().events).toBe(90 * (1_000 + 50 * PLACE))
    expect(readers.some(({ isCut }) => isCut())).toBe(false)
    await readers[0]!.takeAll()
    const more = eventOf('z'.repeat(10_000))
    for (const { writer } of readers) writer.push(more)
    // Those that are cut off end in turns of the event loop.
    await until(() => readers.at(-1)!.isCut(), 1)
    expect(readers.map(({ isCut }) => isCut())).toEqual(readers.map((_, i) => i > 0))
    await readers[0]!.takeAll()
    expect(unread.bytes().events).toBe(0)
  })

  it('if more waits for all readers than may, the reader that is the furthest behind is cut off', async () => {
    const unread = createUnread(LIMITS)
    const [early, late] = [createReader(unread), createReader(unread)]
    early.writer.push(eventOf('the oldest'))
    await sleep(2)
    const others = Array.from({ length: 20 }, () => createReader(unread))
    late.writer.push(eventOf('z'.repeat(99_000)))
    await sleep(2)
    for (const { writer } of others) writer.push(eventOf('z'.repeat(99_000)))
    expect(early.isCut()).toBe(false)
    for (const { writer } of others) writer.push(eventOf('z'.repeat(5_000)))
    // In a later turn, if the machine is busy.
    await until(() => early.isCut() && late.isCut())
    expect(others.filter(({ isCut }) => isCut()).length).toBeLessThan(2)
    expect(unread.bytes().events).toBeLessThanOrEqual(LIMITS.ofAll)
  })

  it('a chunk that is larger than what may wait is taken, if nothing else waits', async () => {
    const unread = createUnread({ ...LIMITS, ofConnection: 1_000 })
    const reader = createReader(unread)
    reader.writer.push(eventOf('x'.repeat(5_000)))
    expect(reader.isCut()).toBe(false)
    await reader.takeAll()
    expect(reader.written).toHaveLength(1)
    reader.writer.push(eventOf('x'.repeat(5_000)))
    reader.writer.push(eventOf('one more'))
    expect([reader.isCut(), unread.bytes().events]).toEqual([true, 0])
  })

  it('a reader that takes nothing for its patience is cut off, and one that goes on is not', async () => {
    const unread = createUnread({ ...LIMITS, patience: 200 })
    const [healthy, stuck] = [createReader(unread), createReader(unread)]
    for (const { writer } of [healthy, stuck]) writer.push(eventOf('first'))
    await healthy.takeAll()
    await expect.poll(() => stuck.isCut()).toBe(true)
    healthy.writer.push(eventOf('second'))
    await healthy.takeAll()
    expect([healthy.isCut(), healthy.written, unread.bytes().events]).toEqual([false, ['first', 'second'], 0])
  })

  it('a replay waits until its writer has room, and its wait ends when the reader is gone', async () => {
    const unread = createUnread(UNREAD_LIMITS)
    const reader = createReader(unread)
    const fill = (): void => {
      for (let i = 0; i < 30; i++) reader.writer.push(eventOf('w'.repeat(50_000)))
    }
    fill()
    const room = reader.writer.room()
    expect(room).toBeDefined()
    await reader.takeAll()
    await room
    expect(reader.writer.room()).toBeUndefined()
    fill()
    const never = reader.writer.room()
    reader.writer.close()
    await never
    expect(unread.bytes().events).toBe(0)
  })
})

it('a hundred thousand chunks that waited are written in turns, also if the system takes each at once', async () => {
  const COUNT = 100_000
  const unread = createUnread(UNREAD_LIMITS)
  const done: (() => void)[] = []
  const writes = countPerTurn()
  let isSlow = true
  const writer = createWriter({
    unread,
    write(pieces, taken) {
      for (const _ of pieces) writes.see()
      if (isSlow) done.push(taken)
      else process.nextTick(taken)
    },
    slow: () => {},
  })
  const text = 'x'.repeat(100)
  // Each of the first chunks is written alone, until the window is full.
  for (let i = 0; i < 700; i++) {
    writer.push(eventOf(text))
    writer.flush()
  }
  for (let i = 700; i < COUNT; i++) writer.push(eventOf(text))
  isSlow = false
  for (const taken of done) taken()
  await until(() => writes.all() === COUNT)
  expect(writes.most()).toBeLessThan(COUNT / 3)
  await until(() => unread.bytes().events === 0)
})

describe('many slow readers', () => {
  const COUNT = 60

  it.each([
    ['that lose their patience together', { ...LIMITS, patience: 20 }, 0],
    ['that have to make room', LIMITS, LIMITS.ofAll - 100],
  ])('readers %s give their memory back, and are ended in turns', async (_, limits, more) => {
    const unread = createUnread(limits)
    const ends = countPerTurn()
    const slow = (): void => {
      ends.see()
      busy(1)
    }
    const stuck = Array.from({ length: COUNT }, () => createWriter({ unread, write: () => {}, slow }))
    const shared = eventOf('x'.repeat(1_000))
    for (const writer of stuck) writer.push(shared)
    if (more > 0) {
      await sleep(2)
      createReader(unread).writer.push(eventOf('y'.repeat(more)))
      expect(unread.bytes().events).toBe(more + PLACE)
    }
    await until(() => ends.all() === COUNT)
    expect(unread.bytes().events).toBe(more > 0 ? more + PLACE : 0)
    expect(ends.most()).toBeLessThan(COUNT / 2)
  })

  it('holders are compared seldom while more and more waits', () => {
    const budget = createByteBudget(1_600)
    let compared = 0
    for (let age = 5_000; age > 0; age--) {
      const cost = (): number => {
        compared++
        return age
      }
      const holder = budget.add({ bytes: 0, cost, cut: () => {} })
      expect(budget.makeRoom(1, holder)).toBe(true)
      budget.count(holder, 1)
    }
    expect(budget.total()).toBeLessThanOrEqual(1_600)
    // 34 times. Without slack it would be each time: five million.
    expect(compared).toBeLessThan(100_000)
  })
})
