import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { chunkOf as chunkOfBytes } from '../../server/base/outlet/chunk.ts'
import { createOutlets } from '../../server/base/outlet/outlet.ts'
import type { Outlet } from '../../server/base/outlet/queue.ts'
import { sleep } from '../kit/wait.ts'

const chunkOf = (text: string, cursor: string) => chunkOfBytes(Buffer.from(text), cursor)

/** Without time for a burst. */
const LIMITS = { events: 100, bytes: 1 << 20, grace: -1, burst: { events: 300, bytes: 2 << 20 }, ofAll: 2 << 20, stall: 60_000 }

/** A reader that takes nothing until it is let go on. */
const createReader = (outlets: ReturnType<typeof createOutlets>) => {
  const written: string[] = []
  const done: (() => void)[] = []
  let isCut = false
  const outlet: Outlet = outlets.create({
    write(pieces, taken) {
      written.push(...pieces.map(String))
      done.push(taken)
    },
    slow() {
      isCut = true
    },
  })
  return {
    outlet,
    written,
    isCut: () => isCut,
    /** Takes everything that was written, and what follows. */
    async takeAll() {
      await turn()
      while (done.length > 0) done.shift()!()
    },
  }
}

describe('queues of readers of events', () => {
  it('queues of readers keep the order, and give their memory back when the reader goes on', async () => {
    const outlets = createOutlets(LIMITS)
    const reader = createReader(outlets)
    const texts = Array.from({ length: 60 }, (_, i) => `${i} ${'x'.repeat(10_000)}`)
    for (const text of texts) reader.outlet.push(chunkOf(text, String(text.length)))
    await turn()
    expect(reader.written.length).toBeLessThan(10)
    expect(outlets.bytes()).toBe(texts.join('').length)
    await reader.takeAll()
    expect(reader.written).toEqual(texts)
    expect(outlets.bytes()).toBe(0)
    expect(reader.outlet.last()).toBe(String(texts.at(-1)!.length))
    outlets.close()
  })

  it('queues of readers count a shared text once, and cut off a reader that is too many events behind', async () => {
    const outlets = createOutlets(LIMITS)
    const readers = Array.from({ length: 50 }, () => createReader(outlets))
    for (let i = 0; i < 100; i++) {
      const chunk = chunkOf('y'.repeat(1_000), '')
      for (const { outlet } of readers) outlet.push(chunk)
    }
    expect(outlets.bytes()).toBe(100_000)
    expect(readers.some(({ isCut }) => isCut())).toBe(false)
    await readers[0]!.takeAll()
    for (const { outlet } of readers) outlet.push(chunkOf('one more', ''))
    expect(readers.map(({ isCut }) => isCut())).toEqual(readers.map((_, i) => i > 0))
    await readers[0]!.takeAll()
    expect(outlets.bytes()).toBe(0)
    outlets.close()
  })

  it('if all queues together are too large, the reader that is the furthest behind is cut off', async () => {
    const outlets = createOutlets(LIMITS)
    const [early, late] = [createReader(outlets), createReader(outlets)]
    early.outlet.push(chunkOf('the oldest', ''))
    const others = Array.from({ length: 20 }, () => createReader(outlets))
    for (const { outlet } of [late, ...others]) outlet.push(chunkOf('z'.repeat(99_000), ''))
    expect(early.isCut()).toBe(false)
    for (const { outlet } of others) outlet.push(chunkOf('z'.repeat(5_000), ''))
    expect(early.isCut()).toBe(true)
    expect(late.isCut()).toBe(true)
    expect(others.filter(({ isCut }) => isCut()).length).toBeLessThan(2)
    expect(outlets.bytes()).toBeLessThanOrEqual(LIMITS.ofAll)
    outlets.close()
  })

  it('queues of readers take a short burst, but no larger one, and cut off a reader that stays behind', async () => {
    const outlets = createOutlets({ ...LIMITS, grace: 30 })
    const [healthy, behind, flooded] = [createReader(outlets), createReader(outlets), createReader(outlets)]
    for (const { outlet } of [healthy, behind]) for (let i = 0; i < 250; i++) outlet.push(chunkOf(String(i), ''))
    for (let i = 0; i < 301; i++) flooded.outlet.push(chunkOf(String(i), ''))
    expect([healthy, behind, flooded].map(({ isCut }) => isCut())).toEqual([false, false, true])
    await healthy.takeAll()
    await sleep(50)
    for (const { outlet } of [healthy, behind]) outlet.push(chunkOf('one more', ''))
    expect([healthy, behind].map(({ isCut }) => isCut())).toEqual([false, true])
    await healthy.takeAll()
    expect(healthy.written.join('')).toBe([...Array.from({ length: 250 }, (_, i) => String(i)), 'one more'].join(''))
    outlets.close()
  })

  it('a replay waits until its queue has room, and its wait ends when the reader is gone', async () => {
    const outlets = createOutlets(LIMITS)
    const reader = createReader(outlets)
    for (let i = 0; i < 30; i++) reader.outlet.push(chunkOf('w'.repeat(10_000), ''))
    const room = reader.outlet.room()
    expect(room).toBeDefined()
    await reader.takeAll()
    await room
    expect(reader.outlet.room()).toBeUndefined()
    for (let i = 0; i < 30; i++) reader.outlet.push(chunkOf('w'.repeat(10_000), ''))
    const never = reader.outlet.room()
    reader.outlet.close()
    await never
    expect(outlets.bytes()).toBe(0)
    outlets.close()
  })
})
