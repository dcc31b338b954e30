import { expect, it, vi } from 'vitest'
import { CellNumbers } from '../../server/cell/boc/cell-numbers.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { Cell } from '../../server/cell/cell.ts'

/* The numbers of cells in a bag that is written. */

const cellOf = (value: number): Cell => beginCell().storeUint(value, 32).end()

it('cells whose hashes begin alike have numbers of their own, and are found without a look at each of them', () => {
  const numbers = new CellNumbers([])
  const word = 0x7fffffff
  const own = Array.from({ length: 500 }, (_, i) => cellOf(i))
  for (const [i, cell] of own.entries()) {
    expect(numbers.find(word, cell)).toBeUndefined()
    numbers.add(word, cell)
    expect(numbers.find(word, cellOf(i))).toBe(i)
  }
  expect(own.map((cell) => numbers.find(word, cell))).toEqual(own.map((_, i) => i))
  const equals = vi.spyOn(Cell.prototype, 'equals')
  for (const cell of own) numbers.find(word, cell)
  expect(equals.mock.calls.length).toBeLessThanOrEqual(own.length * 8)
  equals.mockRestore()
})

/** The hash of a number as the key of a Map (ComputeUnseededHash of V8). */
const hashInMap = (key: number): number => {
  let hash = ~key + (key << 15)
  hash ^= hash >>> 12
  hash += hash << 2
  hash ^= hash >>> 4
  hash = Math.imul(hash, 2057)
  return (hash ^ (hash >>> 16)) & 0x3fffffff
}

/** Processor time (ms) for which cells with these words are numbered. */
const timeFor = (words: readonly number[]): number => {
  const cell = cellOf(1)
  const numbers = new CellNumbers([])
  const began = process.cpuUsage()
  for (const word of words) {
    numbers.find(word, cell)
    numbers.add(word, cell)
  }
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

it('cells whose hashes were crafted to be in one bucket of a Map are numbered as fast as others', () => {
  const crafted: number[] = []
  for (let word = 0; crafted.length < 8_000; word++) if ((hashInMap(word) & 0xfff) === 0) crafted.push(word)
  const others = crafted.map((_, i) => i)
  timeFor(others)
  // Measured: 2 ms, and 225 ms in one bucket.
  expect(timeFor(crafted)).toBeLessThan(20 * Math.max(2, timeFor(others)))
})
