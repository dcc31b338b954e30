import { describe, expect, it } from 'vitest'
import { TonError } from '../../shared/errors.ts'
import { legacyStack, parseInt257, type StackArgument, stdStack } from '../../shared/fields/stack.ts'
import { parseJson } from '../../shared/json.ts'
import { parseParams } from '../../shared/params.ts'
import { resolve } from '../../shared/registry.ts'
import { EMPTY_CELL, FRIENDLY } from '../../shared/samples.ts'
import { fc } from '../kit/property.ts'

const boc = new Uint8Array(Buffer.from(EMPTY_CELL, 'base64'))
const num = (number: unknown) => ({ '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number } })
const tuple = (elements: unknown) => ({ '@type': 'tvm.tuple', elements })

const refusal = (method: string, stack: unknown): string => {
  try {
    parseParams(resolve(method)!.def, { address: FRIENDLY, method: 'x', stack }, 'body')
    return 'accepted'
  } catch (error) {
    if (!(error instanceof TonError)) throw error
    return `${error.kind}: ${error.message.replace(/ \(expected .*\)$/, '').replace('failed to parse post request: ', '')}`
  }
}

describe('257-bit numbers', () => {
  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['0x1f', 31n],
    ['0X1F', 31n],
    ['-0x1', -1n],
    ['115792089237316195423570985008687907853269984665640564039457584007913129639935', 2n ** 256n - 1n],
    [(-(2n ** 256n)).toString(), -(2n ** 256n)],
    [(2n ** 256n).toString(), undefined],
    [`0x1${'0'.repeat(64)}`, undefined],
    ['', undefined],
    ['0x', undefined],
    ['-', undefined],
    ['+1', undefined],
    ['1e3', undefined],
    ['1_0', undefined],
    ['0b1', undefined],
    ['f', undefined],
    [' 1', undefined],
    ['0'.repeat(256), undefined],
  ])('a 257-bit number is read in the notation %s', (text, value) => expect(parseInt257(text)).toBe(value))

  it('every 257-bit value is read in either notation', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n }), (n) => {
        expect(parseInt257(n.toString())).toBe(n)
        expect(parseInt257(n < 0n ? `-0x${(-n).toString(16)}` : `0x${n.toString(16)}`)).toBe(n)
      }),
    )
  })
})

describe('legacy entries', () => {
  it.each<[unknown, StackArgument]>([
    [['num', 5], { type: 'num', value: 5n }],
    [['number', '-0x5'], { type: 'num', value: -5n }],
    [['int', '5'], { type: 'num', value: 5n }],
    [['integer', parseJson('123456789012345678901')], { type: 'num', value: 123456789012345678901n }],
    [['tvm.Cell', EMPTY_CELL], { type: 'cell', boc }],
    [['tvm.Slice', EMPTY_CELL], { type: 'slice', boc }],
    [['cell', { bytes: EMPTY_CELL, object: { anything: 1 } }], { type: 'cell', boc }],
    [['slice', { bytes: EMPTY_CELL }], { type: 'slice', boc }],
    [['tuple', tuple([num('1')])], { type: 'tuple', items: [{ type: 'num', value: 1n }] }],
    [['tvm.Tuple', tuple([])], { type: 'tuple', items: [] }],
    [['list', { '@type': 'tvm.list', elements: [] }], { type: 'list', items: [] }],
    [
      [
        'tvm.List',
        { '@type': 'tvm.list', elements: [{ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: EMPTY_CELL } }] },
      ],
      { type: 'list', items: [{ type: 'cell', boc }] },
    ],
  ])('the legacy entry %# is read and written', (entry, argument) => expect(legacyStack('They.').parse([entry])).toEqual([argument]))

  it.each([
    ['x', 'Stack should be array'],
    [{}, 'Stack should be array'],
    [undefined, 'Stack should be array'],
    [['num'], 'Invalid stack entry format: array of exact 2 elements expected'],
    [[{ 0: 'num', 1: 1, length: 2 }], 'Invalid stack entry format: array of exact 2 elements expected'],
    [[[]], 'Expected 2 elements in stack entry, got: 0'],
    [[['num', 1, 2]], 'Expected 2 elements in stack entry, got: 3'],
    [[[1, 'num']], 'Expected string as first element in stack entry'],
    [[['num', 'five']], 'Invalid number: five'],
    [[['num', '']], 'Invalid number: '],
    [[['num', true]], 'Wrong type of number in stack entry'],
    [[['num', 1.5]], 'Wrong type of number in stack entry'],
    [[['num', null]], 'Wrong type of number in stack entry'],
    [[['tvm.Cell', '']], 'Empty tvm.Cell'],
    [[['tvm.Slice', '']], 'Empty tvm.Slice'],
    [[['tvm.Cell', 5]], 'Invalid tvm.Cell, base64 string expected'],
    [[['tvm.Slice', '!!']], 'Invalid tvm.Slice, base64 string expected'],
    [[['cell', EMPTY_CELL]], 'Invalid cell, object with field bytes expected'],
    [[['cell', { bytes: '' }]], 'Empty cell'],
    [[['slice', {}]], 'Invalid slice, object with field bytes expected'],
    [[['slice', { bytes: '' }]], 'Empty slice'],
    [[['tuple', []]], 'Invalid tuple, object of type tvm.tuple with array elements expected'],
    [[['tuple', { '@type': 'tvm.list', elements: [] }]], 'Invalid tuple, object of type tvm.tuple with array elements expected'],
    [[['list', { '@type': 'tvm.list', elements: 5 }]], 'Invalid list, object of type tvm.list with array elements expected'],
    [[['tuple', tuple([['num', 1]])]], 'Invalid stack entry, object with @type tvm.stackEntry* expected'],
  ])('the legacy entry %# is refused', (stack, text) => expect(refusal('runGetMethod', stack)).toBe(`INVALID_PARAMS: ${text}`))

  it.each(['tvm.Builder', 'builder', 'null', '__proto__', 'toString', ''])('%j is not a type that can be given', (type) => {
    expect(refusal('runGetMethod', [[type, 'x']])).toBe(`UNSUPPORTED_STACK: Unsupported stack entry type: ${type}`)
  })
})

describe('typed entries', () => {
  it.each<[unknown, StackArgument]>([
    [num('-7'), { type: 'num', value: -7n }],
    [
      { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: EMPTY_CELL } },
      { type: 'cell', boc },
    ],
    [
      { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: EMPTY_CELL } },
      { type: 'slice', boc },
    ],
    [
      { '@type': 'tvm.stackEntryTuple', tuple: tuple([num('1')]) },
      { type: 'tuple', items: [{ type: 'num', value: 1n }] },
    ],
    [
      { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } },
      { type: 'list', items: [] },
    ],
  ])('the typed entry %# is read and written', (entry, argument) => expect(stdStack('They.').parse([entry])).toEqual([argument]))

  it.each([
    [num(5)],
    [num('five')],
    [{ '@type': 'tvm.stackEntryNumber', number: { number: '5' } }],
    [{ '@type': 'tvm.stackEntryNumber' }],
    [{ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: '' } }],
    [{ '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.slice', bytes: EMPTY_CELL } }],
    [{ '@type': 'tvm.stackEntryTuple', tuple: { elements: [] } }],
    [{ '@type': 'tvm.tuple', elements: [] }],
    [{ '@type': '__proto__' }],
    [['num', 1]],
    [null],
    [5],
    [parseJson('{"__proto__":{"@type":"tvm.stackEntryList","list":{"@type":"tvm.list","elements":[]}}}')],
  ])('the typed entry %# is refused', (entry) => expect(refusal('runGetMethodStd', [entry])).toMatch(/^INVALID_PARAMS: /))

  it('an unsupported entry is an error of the engine', () => {
    expect(refusal('runGetMethodStd', [{ '@type': 'tvm.stackEntryUnsupported' }])).toMatch(/^CHAIN: /)
  })
})

describe('bounds', () => {
  const nested = (depth: number): unknown => {
    let entry: unknown = num('1')
    for (let i = 0; i < depth; i++) entry = { '@type': 'tvm.stackEntryTuple', tuple: tuple([entry]) }
    return entry
  }
  it('a stack has at most 1024 levels and 8000 entries', () => {
    expect(refusal('runGetMethodStd', [nested(1024)])).toBe('accepted')
    expect(refusal('runGetMethodStd', [nested(1025)])).toBe('INVALID_PARAMS: Stack is nested deeper than 1024')
    expect(refusal('runGetMethodStd', [nested(50_000)])).toBe('INVALID_PARAMS: Stack is nested deeper than 1024')
    expect(
      refusal(
        'runGetMethod',
        Array.from({ length: 8000 }, () => ['num', 1]),
      ),
    ).toBe('accepted')
    expect(
      refusal(
        'runGetMethod',
        Array.from({ length: 8001 }, () => ['num', 1]),
      ),
    ).toBe('INVALID_PARAMS: Stack holds more than 8000 entries')
    expect(refusal('runGetMethod', [['tuple', tuple(Array.from({ length: 8000 }, () => num('1')))]])).toMatch(/8000 entries/)
  })
  it('any JSON is read or refused as a stack', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(typeof refusal('runGetMethod', [['tuple', value]])).toBe('string')
        expect(typeof refusal('runGetMethod', value)).toBe('string')
        expect(typeof refusal('runGetMethodStd', [value])).toBe('string')
      }),
    )
  })
})
