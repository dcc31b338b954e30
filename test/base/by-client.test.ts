import { expect, it } from 'vitest'
import { createByClient } from '../../server/base/by-client.ts'

const filled = (counts: Readonly<Record<string, number>>) => {
  const line = createByClient<string>()
  for (const [client, count] of Object.entries(counts)) for (let i = 0; i < count; i++) line.add(client, `${client}${i}`)
  return line
}
const all = (line: ReturnType<typeof filled>): string[] => {
  const taken: string[] = []
  for (let item = line.take(); item !== undefined; item = line.take()) taken.push(item)
  return taken
}

it('a client that asks for little goes before those that ask for much, which take turns', () => {
  const taken = all(filled({ a: 500, b: 500, c: 500, good: 3 }))
  expect(taken.filter((_, i) => i < 6)).toEqual(expect.arrayContaining(['good0', 'good1', 'good2']))
  expect(taken.length).toBe(1503)
  for (const client of ['a', 'b', 'c']) {
    const own = taken.flatMap((item, i) => (item.startsWith(client) ? [i] : []))
    expect(own[99]).toBeLessThan(320)
    expect(own.map((i) => taken[i])).toEqual(Array.from({ length: 500 }, (_, i) => `${client}${i}`))
  }
})

it('a client that asks for much has its turns although others with little keep coming', () => {
  const line = filled({ greedy: 500 })
  let [own, others] = [0, 0]
  for (let i = 0; i < 2_000; i++) {
    line.add(`client ${i}`, 'other')
    line.add(`client ${i} again`, 'other')
    if (line.take() === 'other') others++
    else own++
  }
  expect(own).toBeGreaterThanOrEqual(2_000 / 20)
  expect(others).toBeGreaterThanOrEqual(2_000 * 0.75)
})

it('work of the service itself goes before that of clients that ask for much, however much it is', () => {
  const taken = all(filled({ a: 500, b: 500, '': 300 }))
  expect(taken.slice(0, 420).filter((item) => /^\d/.test(item)).length).toBe(300)
})

it('the item that is next is the one that is taken, in the middle of a line of several classes too', () => {
  const line = filled({ a: 70, b: 5, c: 300 })
  line.add('b', 'b5')
  for (let i = 0; i < 20; i++) line.add('b', `b${i + 6}`)
  let left = 70 + 26 + 300
  for (let first = line.first(); first !== undefined; first = line.first()) {
    expect(line.take()).toBe(first)
    left--
    if (left > 0 && left % 10 === 0) {
      line.takeOfGreediest()
      left--
    }
  }
  expect(left).toBe(0)
  expect(line.take()).toBeUndefined()
})

it('a line with a client of few items says so', () => {
  const line = filled({ a: 70, b: 16 })
  expect(line.hasModest()).toBe(false)
  line.add('c', 'c0')
  expect(line.hasModest()).toBe(true)
  line.take()
  expect(line.hasModest()).toBe(false)
})
