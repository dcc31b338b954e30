import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { checkVmStack, storeVmStack, type VmStackValue } from '../../server/tlb/vm-stack/vm-stack.ts'

const INT: VmStackValue = { type: 'int', value: 1n }
const many = (count: number): VmStackValue[] => Array.from({ length: count }, () => INT)
const nested = (depth: number): VmStackValue =>
  Array.from({ length: depth }).reduce<VmStackValue>((item) => ({ type: 'tuple', items: [item] }), INT)
const over = (cell: Cell): Cell => beginCell().storeRef(cell).end()
const pruned = (depth: number): Cell => beginCell().storeUint(0x0101, 16).storeBytes(new Uint8Array(32)).storeUint(depth, 16).endExotic()
const chain = (depth: number): Cell => Array.from({ length: depth }).reduce<Cell>(over, EMPTY_CELL)
const text = (work: () => unknown): string => {
  try {
    work()
    return 'fits'
  } catch (error) {
    return String(error)
  }
}

describe('stacks that cells can hold', () => {
  it.each<[string, readonly VmStackValue[], boolean]>([
    ['nothing', [], true],
    ['one of each type', [INT, { type: 'null' }, { type: 'nan' }, { type: 'tuple', items: [] }, { type: 'cell', cell: EMPTY_CELL }], true],
    ['600 values', many(600), true],
    ['1,024 values', many(1024), true],
    ['1,025 values', many(1025), false],
    ['a tuple of 255', [{ type: 'tuple', items: many(255) }], true],
    ['a tuple of 256', [{ type: 'tuple', items: many(256) }], false],
    ['a tuple of 256 within others', [{ type: 'tuple', items: [INT, { type: 'tuple', items: many(256) }] }], false],
    ['tuples 400 deep', [nested(400)], true],
    ['tuples 1,000 deep', [nested(1000)], true],
    ['tuples 1,100 deep', [nested(1100)], false],
    ['tuples 100,000 deep', [nested(100_000)], false],
    ['a deep tuple under many values', [nested(500), ...many(600)], false],
    ['a cell 1,000 deep', [{ type: 'cell', cell: chain(1000) }], true],
    ['a cell 1,000 deep under many values', [{ type: 'cell', cell: chain(1000) }, ...many(30)], false],
    ['a pruned branch 1,000 deep', [{ type: 'cell', cell: pruned(1000) }], true],
    ['a pruned branch 1,024 deep', [{ type: 'cell', cell: pruned(1024) }], false],
    ['a pruned branch 1,000 deep in a builder under many values', [{ type: 'builder', cell: over(pruned(1000)) }, ...many(30)], false],
    ['a slice 1,000 deep under many values', [{ type: 'slice', cell: chain(1000) }, ...many(30)], false],
    ['a part of a cell 1,000 deep', [window(chain(1000)), ...many(30)], false],
    ['a builder 1,000 deep in a tuple', [{ type: 'tuple', items: [{ type: 'builder', cell: chain(1020) }, ...many(20)] }], false],
  ])('a stack of %s is checked as it would be stored', (_what, values, fits) => {
    const stored = text(() => storeVmStack(values))
    expect([text(() => checkVmStack(values)), stored === 'fits']).toEqual([stored, fits])
  })
})

/** An empty slice of a cell. */
function window(cell: Cell): VmStackValue {
  return { type: 'slice', cell: EMPTY_CELL, window: { cell, stBits: 0, endBits: 0, stRef: 0, endRef: 0 } }
}
