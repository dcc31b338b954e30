import { parseTuple, serializeTuple, type TupleItem } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { endSteps } from '../../server/base/yield.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import { loadVmStackValue } from '../../server/tlb/vm-stack/load.ts'
import { MAX_TUPLE, type VmStackValue } from '../../server/tlb/vm-stack/value.ts'
import { loadVmStack, loadVmStackSteps, storeVmStack, storeVmStackSteps, storeVmStackValue } from '../../server/tlb/vm-stack/vm-stack.ts'
import { packResult, unpackResult } from '../../server/tvm/pack-requests.ts'
import { type Arbitrary, fc } from '../kit/property.ts'
import { cell } from './arbitrary.ts'
import { base64, cellOf, json, plain, toCore } from './data.ts'

const int257 = fc.oneof(
  fc.bigInt({ min: -(1n << 256n), max: (1n << 256n) - 1n }),
  fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
  fc.constantFrom(0n, -1n, (1n << 63n) - 1n, 1n << 63n, -(1n << 63n), -(1n << 63n) - 1n, (1n << 256n) - 1n, -(1n << 256n)),
)
const value: Arbitrary<VmStackValue> = fc.letrec<{ value: VmStackValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant({ type: 'null' as const }),
    int257.map((n) => ({ type: 'int' as const, value: n })),
    fc.constant({ type: 'nan' as const }),
    cell(200).map((c) => ({ type: 'cell' as const, cell: c })),
    cell(200).map((c) => ({ type: 'slice' as const, cell: c })),
    cell(200).map((c) => ({ type: 'builder' as const, cell: c })),
    fc.array(tie('value'), { maxLength: 5 }).map((items) => ({ type: 'tuple' as const, items })),
  ),
})).value

/** Ours as @ton/core's: an empty tuple is a tuple in both, a whole-cell slice is a slice. */
const toItem = (v: VmStackValue): TupleItem => {
  switch (v.type) {
    case 'null':
    case 'nan':
      return { type: v.type }
    case 'int':
      return { type: 'int', value: v.value }
    case 'cell':
    case 'slice':
    case 'builder':
      return { type: v.type, cell: toCore(v.cell) }
    case 'tuple':
      return { type: 'tuple', items: v.items.map(toItem) }
    case 'cont':
      throw new Error('@ton/core has no continuations')
  }
}

const withoutWindows = (v: VmStackValue): VmStackValue => {
  if (v.type === 'tuple') return { type: 'tuple', items: v.items.map(withoutWindows) }
  return v.type === 'slice' ? { type: 'slice', cell: v.cell } : v
}

describe('VmStack', () => {
  it('a VmStack is written as @ton/core writes it, and read back', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), (values) => {
        const stack = storeVmStack(values)
        expect(stack.hashHex()).toBe(serializeTuple(values.map(toItem)).hash().toString('hex'))
        expect(plain(loadVmStack(stack))).toEqual(plain(values))
      }),
      { numRuns: 300 },
    )
  })

  it('a VmStack keeps integers in the width they came in', () => {
    const wide = beginCell().storeUint(0x0100, 15).storeInt(7, 257).end()
    const read = loadVmStackValue(wide.slice())
    expect(read).toEqual({ type: 'int', value: 7n, wide: true })
    expect(storeVmStackValue(beginCell(), read).end().equals(wide)).toBe(true)
    expect(() => loadVmStackValue(beginCell().storeUint(0x0204, 16).storeUint(0, 256).end().slice())).toThrow(
      /VmStackValue: no constructor/,
    )
  })

  it('a slice in a VmStack shows its part of a cell, and keeps its position', () => {
    const base = beginCell().storeUint(0xabcd, 16).storeRef(beginCell().storeUint(1, 8).end()).storeRef(EMPTY_CELL).end()
    const stored = beginCell().storeUint(4, 8).storeRef(base).storeUint(4, 10).storeUint(12, 10).storeUint(1, 3).storeUint(2, 3).end()
    const read = loadVmStackValue(stored.slice())
    if (read.type !== 'slice') throw new Error('not a slice')
    expect(read.cell.equals(beginCell().storeUint(0xbc, 8).storeRef(EMPTY_CELL).end())).toBe(true)
    expect(storeVmStackValue(beginCell(), read).end().equals(stored)).toBe(true)
    const past = beginCell().storeUint(4, 8).storeRef(base).storeUint(4, 10).storeUint(17, 10).storeUint(0, 3).storeUint(2, 3).end()
    expect(() => loadVmStackValue(past.slice())).toThrow(/VmCellSlice: bits 4..17/)
    const backwards = beginCell().storeUint(4, 8).storeRef(base).storeUint(9, 10).storeUint(8, 10).storeUint(0, 3).storeUint(2, 3).end()
    expect(() => loadVmStackValue(backwards.slice())).toThrow(/VmCellSlice/)
  })

  it.each([
    ['00', 'std'],
    ['01', 'envelope'],
    ['1000', 'quit'],
    ['1001', 'quit-exc'],
    ['10100', 'repeat'],
    ['110000', 'until'],
    ['110001', 'again'],
    ['110010', 'while-cond'],
    ['110011', 'while-body'],
    ['1111', 'pushint'],
  ] as const)('a continuation is recognised by its tag %s: %s', (tag, kind) => {
    const cont = beginCell().storeUint(Number.parseInt(tag, 2), tag.length).storeUint(0x1234, 40).storeRef(EMPTY_CELL).end()
    const stack = storeVmStack([
      { type: 'int', value: 1n },
      { type: 'cont', kind, cell: cont },
    ])
    const [, read] = loadVmStack(stack)
    expect(plain(read)).toEqual({ type: 'cont', kind, cell: cont.hashHex() })
    expect(storeVmStack(loadVmStack(stack)).equals(stack)).toBe(true)
  })

  it('an unknown continuation is refused', () => {
    expect(() => loadVmStackValue(beginCell().storeUint(6, 8).storeUint(0b1011, 4).end().slice())).toThrow(/VmCont: no constructor/)
  })
})

describe('VmStack under bad input', () => {
  it('a stack of 1,000 values and tuples nested 1,000 deep is read and written again', () => {
    const many: VmStackValue[] = Array.from({ length: 1000 }, (_, i) => ({ type: 'int', value: BigInt(i) }))
    expect(loadVmStack(storeVmStack(many))).toEqual(many)
    let deep: VmStackValue = { type: 'null' }
    for (let i = 0; i < 1000; i++) deep = { type: 'tuple', items: [{ type: 'int', value: BigInt(i) }, deep] }
    const stack = storeVmStack([deep])
    expect(storeVmStack(loadVmStack(stack)).equals(stack)).toBe(true)
  })

  it('more depth, length or width than TON has is refused', () => {
    const null1: VmStackValue = { type: 'null' }
    expect(() => storeVmStack(new Array<VmStackValue>(1025).fill(null1))).toThrow(/a stack of 1025 values/)
    expect(() => storeVmStack([{ type: 'tuple', items: new Array<VmStackValue>(MAX_TUPLE + 1).fill(null1) }])).toThrow(
      /a tuple of 256 items/,
    )
    expect(() => loadVmStack(beginCell().storeUint(0xffffff, 24).end())).toThrow(/a stack of 16777215 values/)
    expect(() => loadVmStack(beginCell().storeUint(5, 24).end())).toThrow(/reference 0/)
    expect(() => loadVmStackValue(beginCell().storeUint(7, 8).storeUint(300, 16).end().slice())).toThrow(/a tuple of 300 items/)
    let deep: VmStackValue = null1
    for (let i = 0; i < 1100; i++) deep = { type: 'tuple', items: [deep] }
    expect(() => storeVmStack([deep])).toThrow(/nested more than 1024 levels deep/)
  })

  it('2^40 values from forty shared cells are not unfolded', () => {
    let shared: Cell = beginCell().storeUint(0, 8).end()
    for (let i = 0; i < 40; i++) shared = beginCell().storeUint(7, 8).storeUint(2, 16).storeRef(shared).storeRef(shared).end()
    expect(() => loadVmStackValue(shared.slice())).toThrow(/more than 100000 values/)
  })
})

const tupleOf = (items: readonly VmStackValue[]): VmStackValue => ({ type: 'tuple', items })
const stepsOf = <R>(steps: Generator<void, R>): { readonly steps: number; readonly value: R } => {
  for (let count = 0; ; count++) {
    const step = steps.next()
    if (step.done) return { steps: count, value: step.value }
  }
}

describe('VmStack of many values in a few cells', () => {
  const base = beginCell().storeUint(5, 32).storeRef(EMPTY_CELL).end()
  const window = { cell: base, stBits: 1, endBits: 32, stRef: 0, endRef: 1 }
  const slice: VmStackValue = { type: 'slice', cell: base.sliceExotic().skip(1).asCell(), window }
  const many = (value: VmStackValue): VmStackValue => tupleOf(new Array<VmStackValue>(200).fill(value))

  it('a stack is written and read in steps, and a part of a cell is cut once for all its places', () => {
    const values = [
      tupleOf(Array.from({ length: 200 }, (_, i) => tupleOf([...new Array(199).fill(slice), { type: 'int', value: BigInt(i) }]))),
    ]
    const stored = stepsOf(storeVmStackSteps(values))
    expect(stored.steps).toBeGreaterThan(100)
    expect(stored.value.equals(storeVmStack(values))).toBe(true)
    const unpacked = stepsOf(unpackResult(endSteps(packResult({ exitCode: 0, gasUsed: 1n, stack: values }))))
    expect(unpacked.steps).toBeGreaterThan(100)
    const { stack } = unpacked.value
    expect(plain(stack)).toEqual(plain(values))
    const cells = new Set<Cell>()
    const walk = (value: VmStackValue): void => {
      if (value.type === 'tuple') value.items.forEach(walk)
      else if (value.type === 'slice') cells.add(value.cell)
    }
    stack.forEach(walk)
    expect(cells.size).toBe(1)
  })

  it('a tuple is written once and read once for all its places', () => {
    const [inner, outer] = [many(slice), many(many(slice))]
    // 40,000 values each.
    for (const values of [[outer], new Array<VmStackValue>(200).fill(inner)]) {
      const stored = stepsOf(storeVmStackSteps(values))
      const read = stepsOf(loadVmStackSteps(stored.value))
      expect(stored.steps).toBeLessThan(10)
      expect(read.steps).toBeLessThan(10)
      expect(plain(read.value)).toEqual(plain(values))
    }
  })

  it('the values of a tuple are counted at each of its places', () => {
    const pair = tupleOf([{ type: 'null' }, tupleOf([]), slice])
    const values = [pair, tupleOf([pair, pair, tupleOf([pair])]), pair]
    // A pair has 3 values, and counts itself.
    const count = 4 + (1 + 4 + 4 + 1 + 4) + 4
    const stack = storeVmStack(values)
    expect(plain(loadVmStack(stack, count))).toEqual(plain(values))
    expect(() => loadVmStack(stack, count - 1)).toThrow(`more than ${count - 1} values`)
  })
})

describe('stacks of real data', () => {
  it('previous blocks and unpacked configuration are read as a node passes them', () => {
    const { config } = json<{ config: Record<string, string> }>('replay/transaction_replay_regression.json')
    for (const member of ['prev_blocks_stack_boc_base64', 'unpacked_config_stack_boc_base64']) {
      const root = base64(config[member]!)
      const read = loadVmStackValue(root.slice())
      expect(storeVmStackValue(beginCell(), read).end().hashHex(), member).toBe(root.hashHex())
      expect(read.type).toBe('tuple')
      // @ton/core forgets that a slice was a part of a larger cell.
      const stack = storeVmStack([withoutWindows(read)])
      const theirs = serializeTuple(parseTuple(toCore(stack)))
      expect(cellOf(theirs.toBoc()).hashHex(), member).toBe(stack.hashHex())
    }
  })
})
