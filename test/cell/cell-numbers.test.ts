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
