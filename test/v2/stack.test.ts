import { beginCell, Cell, parseTuple, serializeTuple, type TupleItem } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { endSteps } from '../../server/base/yield.ts'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { beginCell as ownCell } from '../../server/cell/builder.ts'
import { loadVmStack, storeVmStack, type VmStackValue } from '../../server/tlb/vm-stack/vm-stack.ts'
import { createBudget } from '../../server/v2/stack/budget.ts'
import { argumentStack } from '../../server/v2/stack/input.ts'
import { toLegacy } from '../../server/v2/stack/legacy.ts'
import { toStd } from '../../server/v2/stack/std.ts'
import type { TonError } from '../../shared/errors.ts'
import { registry } from '../../shared/registry.ts'
import { wideTree } from '../kit/bombs.ts'
import { fc } from '../kit/property.ts'

const ours = (items: TupleItem[]) => loadVmStack(parseBocRoot(serializeTuple(items).toBoc()))
const legacy = (items: TupleItem[], depth = 100) => endSteps(toLegacy(ours(items), createBudget(), depth))
const std = (items: TupleItem[], depth = 256) => endSteps(toStd(ours(items), createBudget(), depth))
const kindOf = (run: () => unknown): string => {
  try {
    run()
    return 'nothing'
  } catch (error) {
    return `${(error as TonError).kind}: ${(error as TonError).message}`
  }
}

const leaf = beginCell().storeUint(0xabc, 12).storeRef(beginCell().storeUint(1, 8)).endCell()
const bytes = leaf.toBoc({ idx: false, crc32: true }).toString('base64')
const number = (text: string) => ({ '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: text } })
const pair = (head: TupleItem, tail: TupleItem): TupleItem => ({ type: 'tuple', items: [head, tail] })
const one: TupleItem = { type: 'int', value: 1n }

describe('result stacks', () => {
  it('result stacks write numbers in hex, with the sign before 0x', () => {
    const values = [0n, 7n, -1n, 255n, -(2n ** 256n), 2n ** 256n - 1n, 2n ** 63n, -(2n ** 63n)]
    expect(legacy(values.map((value) => ({ type: 'int', value })))).toEqual(
      values.map((value) => ['num', value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`]),
    )
    expect(std([{ type: 'int', value: -5n }])).toEqual([number('-5')])
  })

  it('result stacks write cells and slices alike in the legacy form, differently in the typed one', () => {
    const object = {
      data: { b64: 'q8g=', len: 12 },
      refs: [{ data: { b64: 'AQ==', len: 8 }, refs: [], special: false }],
      special: false,
    }
    expect(
      legacy([
        { type: 'cell', cell: leaf },
        { type: 'slice', cell: leaf },
      ]),
    ).toEqual([
      ['cell', { bytes, object }],
      ['cell', { bytes, object }],
    ])
    expect(
      std([
        { type: 'cell', cell: leaf },
        { type: 'slice', cell: leaf },
      ]),
    ).toEqual([
      { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes } },
      { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes } },
    ])
  })

  it('result stacks cut a slice out of its cell', () => {
    const whole = beginCell().storeUint(0xff00ff, 24).storeRef(beginCell().storeUint(1, 8)).storeRef(beginCell().storeUint(2, 8)).endCell()
    // vm_stk_slice over bits 4..20 and the second reference
    const stack = beginCell()
      .storeUint(1, 24)
      .storeRef(Cell.EMPTY)
      .storeUint(4, 8)
      .storeRef(whole)
      .storeUint(4, 10)
      .storeUint(20, 10)
      .storeUint(1, 3)
      .storeUint(2, 3)
      .endCell()
    const values = loadVmStack(parseBocRoot(stack.toBoc()))
    const expected = beginCell().storeUint(0xf00f, 16).storeRef(beginCell().storeUint(2, 8)).endCell()
    expect(values.map((value) => value.type === 'slice' && value.cell.hashHex())).toEqual([expected.hash().toString('hex')])
  })

  it('result stacks distinguish null, lists, pairs and tuples', () => {
    const nothing: TupleItem = { type: 'null' }
    const list = pair(one, pair({ type: 'int', value: 2n }, nothing))
    expect(legacy([nothing, list, pair(one, one), { type: 'tuple', items: [] }])).toEqual([
      ['list', { '@type': 'tvm.list', elements: [] }],
      ['list', { '@type': 'tvm.list', elements: [number('1'), number('2')] }],
      ['tuple', { '@type': 'tvm.tuple', elements: [number('1'), number('1')] }],
      ['tuple', { '@type': 'tvm.tuple', elements: [] }],
    ])
    // A pair whose tail is no list is a tuple all the way down.
    expect(std([pair(one, pair(one, one))])).toEqual([
      {
        '@type': 'tvm.stackEntryTuple',
        tuple: {
          '@type': 'tvm.tuple',
          elements: [
            number('1'),
            { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: [number('1'), number('1')] } },
          ],
        },
      },
    ])
  })

  it('builders, NaN and continuations in a result are unsupported', () => {
    const items: TupleItem[] = [{ type: 'builder', cell: leaf }, { type: 'nan' }]
    expect(legacy(items)).toEqual([
      ['unsupported', ''],
      ['unsupported', ''],
    ])
    expect(std(items)).toEqual([{ '@type': 'tvm.stackEntryUnsupported' }, { '@type': 'tvm.stackEntryUnsupported' }])
  })

  it.each([0, 1, 2, 3, 4, 17, 254, 255])('result stacks have tuples of %i items in order', (length) => {
    const items = Array.from({ length }, (_, i): TupleItem => ({ type: 'int', value: BigInt(i) }))
    const [entry] = std([{ type: 'tuple', items }])
    expect(entry).toEqual({
      '@type': 'tvm.stackEntryTuple',
      tuple: { '@type': 'tvm.tuple', elements: items.map((_, i) => number(String(i))) },
    })
  })

  it('result stacks refuse nesting from the limit on, with an entry of the stack at depth 1', () => {
    const nested = (depth: number): TupleItem => {
      let value: TupleItem = one
      for (let i = 1; i < depth; i++) value = { type: 'tuple', items: [value] }
      return value
    }
    expect(kindOf(() => legacy([nested(99)]))).toBe('nothing')
    expect(kindOf(() => legacy([nested(100)]))).toBe('STACK_TOO_DEEP: Result stack depth >= 100')
    expect(kindOf(() => std([nested(255)]))).toBe('nothing')
    expect(kindOf(() => std([nested(256)]))).toBe('STACK_TOO_DEEP: Result stack depth >= 256')
    expect(kindOf(() => std([nested(1000)]))).toBe('STACK_TOO_DEEP: Result stack depth >= 256')
  })

  it('result stacks can have a long list, which is not deep', () => {
    let list: TupleItem = { type: 'null' }
    for (let i = 0; i < 900; i++) list = pair({ type: 'int', value: BigInt(i) }, list)
    const [entry] = legacy([list])
    expect((entry![1] as { elements: unknown[] }).elements).toHaveLength(900)
  })

  it('tuples that unfold without end are stopped', () => {
    // 255^levels entries: each tuple is 255 times the one below it.
    for (const levels of [2, 4]) {
      let value: VmStackValue = { type: 'int', value: 5n }
      for (let level = 0; level < levels; level++) value = { type: 'tuple', items: new Array<VmStackValue>(255).fill(value) }
      expect(kindOf(() => endSteps(toStd([value], createBudget(), 256)))).toBe('CHAIN: TVM stack size exceeds limit')
      expect(kindOf(() => endSteps(toLegacy([value], createBudget(), 100)))).toBe('CHAIN: TVM stack size exceeds limit')
    }
  })

  it('a cell of shared references is shown by its BoC alone', () => {
    let wide = beginCell().storeUint(1, 8).endCell()
    for (let i = 0; i < 200; i++) wide = beginCell().storeRef(wide).storeRef(wide).endCell()
    const [entry] = legacy([{ type: 'cell', cell: wide }])
    expect(entry).toEqual(['cell', { bytes: wide.toBoc({ idx: false, crc32: true }).toString('base64') }])
  })

  it('an answer of many large cells is stopped', () => {
    let large = Cell.EMPTY
    for (let i = 0; i < 500; i++) large = beginCell().storeUint(i, 1000).storeRef(large).endCell()
    const items = Array.from({ length: 400 }, (): TupleItem => ({ type: 'cell', cell: large }))
    expect(kindOf(() => std(items))).toBe('CHAIN: TVM stack size exceeds limit')
  })

  it('an answer of large cells that differ in their roots alone is stopped: each of them is written whole', () => {
    const below = wideTree(60_000)
    const item = (n: number): VmStackValue => ({ type: 'cell', cell: ownCell().storeUint(n, 8).storeRef(below).end() })
    expect(endSteps(toStd([item(1)], createBudget(), 256))).toHaveLength(1)
    expect(kindOf(() => endSteps(toStd([item(1), item(2), item(3)], createBudget(), 256)))).toBe('CHAIN: TVM stack size exceeds limit')
  })

  it('a cell as large as an account is written in many short steps', () => {
    for (const stack of [toStd, toLegacy]) {
      const steps = [...stack([{ type: 'cell', cell: wideTree(60_000) }], createBudget(), 100)]
      expect(steps.length).toBeGreaterThan(100)
    }
  })

  it('a result stack with too many values is refused with the reason', () => {
    const items = Array.from({ length: 90 }, (): TupleItem => ({ type: 'tuple', items: Array.from({ length: 100 }, () => one) }))
    expect(kindOf(() => std(items))).toBe('CHAIN: TVM stack size exceeds limit')
    expect(kindOf(() => legacy(items))).toBe('CHAIN: TVM stack size exceeds limit')
  })

  it('result stacks follow the schemas of the registry', () => {
    const items: TupleItem[] = [
      one,
      { type: 'cell', cell: leaf },
      { type: 'null' },
      pair(one, one),
      { type: 'builder', cell: leaf },
      { type: 'nan' },
    ]
    for (const entry of legacy(items)) expect(registry.runGetMethod.result.shape.stack.element.safeParse(entry).error).toBeUndefined()
    for (const entry of std(items)) expect(registry.runGetMethodStd.result.shape.stack.element.safeParse(entry).error).toBeUndefined()
  })
})

describe('argument stacks', () => {
  const item: fc.Memo<TupleItem> = fc.memo((n) =>
    n <= 1
      ? fc.oneof(
          fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n }).map((value): TupleItem => ({ type: 'int', value })),
          fc
            .uint8Array({ maxLength: 100 })
            .map((data): TupleItem => ({ type: 'cell', cell: beginCell().storeBuffer(Buffer.from(data)).endCell() })),
          fc
            .uint8Array({ maxLength: 100 })
            .map((data): TupleItem => ({ type: 'slice', cell: beginCell().storeBuffer(Buffer.from(data)).endCell() })),
        )
      : fc.oneof(
          item(1),
          fc.array(item(n - 1), { maxLength: 5 }).map((items): TupleItem => ({ type: 'tuple', items })),
        ),
  )
  type Argument = Parameters<typeof argumentStack>[0][number]
  const argument = (value: TupleItem): Argument => {
    if (value.type === 'int') return { type: 'num', value: value.value }
    if (value.type === 'cell' || value.type === 'slice') return { type: value.type, boc: value.cell.toBoc() }
    return { type: 'tuple', items: (value as { items: TupleItem[] }).items.map(argument) }
  }

  it('argument stacks are the cells that @ton/core makes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(item(3), { maxLength: 6 }), async (items) => {
        expect(storeVmStack(await argumentStack(items.map(argument))).hashHex()).toBe(serializeTuple(items).hash().toString('hex'))
      }),
      { numRuns: 200 },
    )
  })

  it('argument stacks write a list as nested pairs', async () => {
    const list: Argument = { type: 'list', items: [1n, 2n, 3n].map((value) => ({ type: 'num', value })) }
    const [parsed] = parseTuple(Cell.fromBoc(Buffer.from(serializeBoc(storeVmStack(await argumentStack([list])))))[0]!)
    const three: TupleItem = { type: 'int', value: 3n }
    expect(parsed).toEqual(pair(one, pair({ type: 'int', value: 2n }, pair(three, { type: 'null' }))))
  })

  it('argument stacks refuse values that no stack can hold', async () => {
    const kindOfArguments = (stack: readonly Argument[]): Promise<string> =>
      argumentStack(stack).then(
        () => 'nothing',
        (error: TonError) => `${error.kind}: ${error.message}`,
      )
    const nested = (depth: number): Argument => (depth === 0 ? { type: 'num', value: 1n } : { type: 'tuple', items: [nested(depth - 1)] })
    expect(await kindOfArguments([nested(1025)])).toMatch(/^CHAIN: TVM stack input exceeds limit/)
    expect(await kindOfArguments(Array.from({ length: 8000 }, () => ({ type: 'num', value: 1n })))).toMatch(
      /^CHAIN: TVM stack input exceeds limit/,
    )
    expect(await kindOfArguments([{ type: 'tuple', items: Array.from({ length: 256 }, () => ({ type: 'num', value: 1n })) }])).toMatch(
      /^CHAIN: /,
    )
    // A list is one level of JSON and thousands of nested pairs.
    expect(await kindOfArguments([{ type: 'list', items: Array.from({ length: 8000 }, () => ({ type: 'num', value: 1n })) }])).toBe(
      'CHAIN: TVM stack input exceeds limit: tuples are nested more than 1024 levels deep',
    )
    expect(await kindOfArguments([{ type: 'cell', boc: new Uint8Array([1, 2, 3]) }])).toMatch(/^CHAIN: INVALID_BAG_OF_CELLS/)
    const large: Argument = { type: 'cell', boc: serializeBoc(wideTree(40_000)) }
    expect(await argumentStack([large])).toHaveLength(1)
    expect(await kindOfArguments([large, large])).toMatch(/^CHAIN: INVALID_BAG_OF_CELLS.*over the limit/)
  })
})
