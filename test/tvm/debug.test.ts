import { Address, beginCell, Cell, type TupleItem } from '@ton/core'
import { defaultConfig, Executor } from '@ton/sandbox'
import { beforeAll, describe, expect, it } from 'vitest'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import { fromStackValue } from '../../server/tvm/machine/vm-stack-value.ts'
import { runVm, type VmResult } from '../../server/tvm/run-vm.ts'
import { fc } from '../kit/property.ts'
import { ownCell, stackOf } from '../kit/tvm/cells.ts'

/* What debug instructions print, compared with TON's own code in @ton/sandbox. */

/** Bytes of code. Of the sandbox's runs the number of the method is dropped first. */
const codeOf = (hex: string): Cell => beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell()

const run = (hex: string, stack: TupleItem[] = [], gas = 1_000_000): VmResult =>
  runVm({
    code: ownCell(codeOf(hex)),
    stack: stackOf(stack).map(fromStackValue),
    c7: [[]],
    gas: { limit: gas },
    version: 12,
  })

let executor: Executor
beforeAll(async () => {
  executor = await Executor.create()
})

const theirs = async (hex: string, stack: TupleItem[]) => {
  const { output, debugLogs } = await executor.runGetMethod({
    // DROP
    code: codeOf(`30${hex}`),
    data: Cell.EMPTY,
    methodId: 0,
    stack,
    config: defaultConfig,
    verbosity: 'short',
    address: Address.parseRaw(`0:${'11'.repeat(32)}`),
    unixTime: 1_760_000_000,
    balance: 0n,
    randomSeed: Buffer.alloc(32),
    gasLimit: 1_000_000n,
    debugEnabled: true,
  })
  if (!output.success) throw new Error(output.error)
  const lines = debugLogs === '' ? [] : debugLogs.split('\n').map((line) => line.replace(/^#DEBUG#: /, '').trimEnd())
  // DROP costs 18.
  return { lines, exitCode: output.vm_exit_code, gasUsed: Number(output.gas_used) - 18 }
}

const text = (bytes: string): TupleItem => ({ type: 'slice', cell: beginCell().storeBuffer(Buffer.from(bytes)).endCell() })
const ints: TupleItem[] = [
  { type: 'int', value: 5n },
  { type: 'int', value: -7n },
]
const cells = fc
  .tuple(fc.uint8Array({ maxLength: 20 }), fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 4 }))
  .map(([bytes, odd, refs]) => {
    const cell = beginCell().storeBuffer(Buffer.from(bytes)).storeUint(0, odd)
    for (let i = 0; i < refs; i++) cell.storeRef(beginCell().storeUint(i, 8).endCell())
    return cell.endCell()
  })
const { item } = fc.letrec<{ item: TupleItem; items: TupleItem[] }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4 },
    fc.constant<TupleItem>({ type: 'null' }),
    fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n }).map<TupleItem>((value) => ({ type: 'int', value })),
    cells.map<TupleItem>((cell) => ({ type: 'cell', cell })),
    cells.map<TupleItem>((cell) => ({ type: 'slice', cell })),
    cells.map<TupleItem>((cell) => ({ type: 'builder', cell })),
    tie('items').map<TupleItem>((items) => ({ type: 'tuple', items })),
    // A list.
    tie('items').map((items) => items.reduceRight<TupleItem>((rest, first) => ({ type: 'tuple', items: [first, rest] }), { type: 'null' })),
  ),
  items: fc.array(tie('item'), { maxLength: 3 }),
}))

describe('what debug instructions print', () => {
  it.each<[string, string, TupleItem[]]>([
    ['DUMPSTK', 'fe00', ints],
    ['DUMPSTK of an empty stack', 'fe00', []],
    ['DUMPSTK of many values', 'fe00', Array.from({ length: 300 }, (_, i) => ({ type: 'int', value: BigInt(i) }))],
    ['DUMP s0 to s15', 'fe20fe21fe22fe2f', ints],
    ['DUMP of continuations', 'ed40fe20ed41fe20ed42fe20ed43fe209120fe20', []],
    ['DUMP of a part of a slice', 'd307fe2030fe20', [text('parts')]],
    ['DUMP of NaN', 'fe20', [{ type: 'nan' }]],
    ['STRDUMP', 'fe14', [text('hello')]],
    ['STRDUMP of no text', 'fe14', [text('')]],
    ['STRDUMP of a number, and of nothing', 'fe1430fe1430fe14', ints],
    ['STRDUMP of half a byte', 'fe14', [{ type: 'slice', cell: beginCell().storeUint(5, 3).endCell() }]],
    ['STRDUMP of a long text', 'fe14', [text('A'.repeat(127))]],
    ['other numbers and DEBUGSTR', 'fe01fe0ffe13fe1ffe30fe7ffef468656c6c6f', ints],
  ])('%s prints what TON prints, for the same gas', async (_, hex, stack) => {
    const { lines, exitCode, gasUsed } = await theirs(hex, stack)
    const ours = run(hex, stack)
    expect(ours.debug?.map((line) => line.trimEnd()) ?? []).toEqual(lines)
    expect([ours.exitCode, ours.gasUsed]).toEqual([exitCode, gasUsed])
  })

  it('any value is printed as TON prints it', async () => {
    await fc.assert(
      fc.asyncProperty(item, async (value) => {
        const { lines, gasUsed } = await theirs('fe20fe00', [value])
        const ours = run('fe20fe00', [value])
        expect(ours.debug).toEqual(lines.map((line) => line.trimEnd()))
        expect(ours.gasUsed).toBe(gasUsed)
      }),
      { numRuns: 200 },
    )
  })

  it('code that prints nothing has no texts', () => {
    expect(run('').debug).toBeUndefined()
    expect(runVm({ code: EMPTY_CELL, stack: [], c7: [[]], gas: { limit: 1000 }, version: 12 }).debug).toBeUndefined()
  })

  it('characters that would change the terminal are printed as escapes', () => {
    expect(run('fe14', [text('a\nb\u001b[31m\u0000\u202eé')]).debug).toEqual(['a\\nb\\u{1b}[31m\\u{0}\\u{202e}é'])
  })

  it('a child of RUNVM prints with its parent, also one that fails', () => {
    // The child: DUMP s0, THROW 5. The parent: RUNVM 0, DUMP s2.
    const child: TupleItem = { type: 'slice', cell: codeOf('fe20f205') }
    const { debug } = run('db4000fe22', [text('parent'), { type: 'int', value: 9n }, { type: 'int', value: 1n }, child])
    expect(debug).toEqual(['s0 = 9', `s2 = CS{Cell{000c${Buffer.from('parent').toString('hex')}} bits: 0..48; refs: 0..0}`])
  })

  it('code that prints without an end is bounded in lines and in characters', () => {
    // AGAINEND DUMPSTK
    const endless = run(
      'ebfe00',
      Array.from({ length: 200 }, () => text('x'.repeat(100))),
      1_000_000,
    )
    expect(endless.exitCode).toBe(-14)
    const characters = endless.debug!.join('').length
    expect(characters).toBeLessThan(20_000)
    expect(endless.debug!.at(-1)).toBe('... what was printed after this is left out')
    const many = run('ebfe20', ints, 1_000_000)
    expect(many.debug).toHaveLength(101)
    // A tuple within a tuple, 15,000 deep: PUSHNULL, PUSHINT 15000, PUSHCONT { TUPLE 1 }, REPEAT, DUMP s0.
    const deep = run('6d813a98926f01e4fe20', [], 3_000_000)
    expect(deep.exitCode).toBe(0)
    expect(deep.debug!.join('').length).toBeLessThan(20_000)
  })
})
