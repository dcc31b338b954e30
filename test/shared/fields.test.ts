import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { bool, jsonBool } from '../../shared/fields/bool.ts'
import { bytes } from '../../shared/fields/bytes.ts'
import { cellsById } from '../../shared/fields/cells.ts'
import { optionalAccountId } from '../../shared/fields/hash.ts'
import { coins, int32, int32Number, int64, ltOrZero, nonNegative, positive, rows, shard } from '../../shared/fields/ints.ts'
import { list } from '../../shared/fields/list.ts'
import { getMethod, methodId } from '../../shared/fields/method-id.ts'
import { text } from '../../shared/fields/text.ts'

const NOTHING = Symbol('refused')
const read = (field: z.core.$ZodType, value: unknown): unknown => {
  const parsed = z.safeParse(field, value)
  return parsed.success ? parsed.data : NOTHING
}
const never = [{}, [], ['1'], true, 'x', '', ' 1', '1 ', '1.0', '1e3', '0x1', '--1', '１', Number.NaN, Number.POSITIVE_INFINITY, 1.5]

describe('integers', () => {
  it.each<[string, z.core.$ZodType, unknown, unknown]>([
    ['int32', int32(), 5, 5],
    ['int32', int32(), '5', 5],
    ['int32', int32(), '+5', 5],
    ['int32', int32(), '-5', -5],
    ['int32', int32(), '007', 7],
    ['int32', int32(), 2147483647, 2147483647],
    ['int32', int32(), '-2147483648', -2147483648],
    ['int32', int32(), '2147483648', NOTHING],
    ['int32', int32(), -2147483649, NOTHING],
    ['int32 positive', int32(positive), 0, NOTHING],
    ['int32 positive', int32(positive), '1', 1],
    ['int32 non-negative', int32(nonNegative), '-1', NOTHING],
    ['int32 non-negative', int32(nonNegative), 0, 0],
    ['JSON int32', int32Number(), 5, 5],
    ['JSON int32', int32Number(), '5', NOTHING],
    ['int64', int64(), '9223372036854775807', 2n ** 63n - 1n],
    ['int64', int64(), '-9223372036854775808', -(2n ** 63n)],
    ['int64', int64(), '9223372036854775808', NOTHING],
    ['int64', int64(), '-9223372036854775809', NOTHING],
    ['int64', int64(), 7n, 7n],
    ['int64', int64(), 9007199254740991, 9007199254740991n],
    ['int64 (a number that lost its bits)', int64(), 9007199254740992, NOTHING],
    ['shard', shard(), '-9223372036854775808', -(2n ** 63n)],
    ['shard in hex', shard(), '8000000000000000', 8000000000000000n],
    ['shard in hex', shard(), '9223372036854775808', NOTHING],
    ['shard in hex', shard(), 'a000000000000000', NOTHING],
    ['lt', ltOrZero(), '0', undefined],
    ['lt', ltOrZero(), 5, 5n],
    ['lt', ltOrZero(), -1, NOTHING],
    ['rows', rows(1000n), '1000', 1000],
    ['rows', rows(1000n), 1001, NOTHING],
    ['rows', rows(1000n), 0, NOTHING],
    ['coins', coins(), '1000000000', 1000000000n],
    ['coins', coins(), 0, 0n],
    ['coins', coins(), '-1', NOTHING],
    ['coins', coins(), (2n ** 120n).toString(), NOTHING],
  ])('%s: %#', (_, field, value, expected) => {
    expect(read(field, value)).toEqual(expected)
  })

  it.each([...never.keys()])('no integer field takes %#', (i) => {
    for (const field of [int32(), int64(), shard(), rows(10n), coins(), ltOrZero()]) expect(read(field, never[i])).toBe(NOTHING)
  })

  it('int64 keeps every value, as text and as bigint', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => {
        expect(read(int64(), n.toString())).toBe(n)
        expect(read(shard(), n)).toBe(n)
      }),
    )
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 63n, max: 2n ** 200n }), fc.boolean(), (n, negative) => {
        expect(read(int64(), (negative ? -n - 1n : n).toString())).toBe(NOTHING)
      }),
    )
  })
})

describe('booleans', () => {
  it.each(['y', 'yes', 't', 'true', 'on', '1', 'TRUE', 'Yes', true, 1, -1, 2])('%j is true', (value) =>
    expect(read(bool(), value)).toBe(true))
  it.each(['n', 'no', 'f', 'false', 'off', '0', 'OFF', false, 0])('%j is false', (value) => expect(read(bool(), value)).toBe(false))
  it.each(['', 'maybe', '2', ' true', {}, []])('%j is neither', (value) => expect(read(bool(), value)).toBe(NOTHING))
  it('ignore_chksig takes JSON booleans only', () => {
    expect(read(jsonBool(), true)).toBe(true)
    for (const value of ['true', 1, 0, 'false', '']) expect(read(jsonBool(), value)).toBe(NOTHING)
  })
})

describe('the rest', () => {
  it('bytes: standard padded base64', () => {
    expect(read(bytes(), 'AQI=')).toEqual(Uint8Array.of(1, 2))
    expect(read(bytes(), '')).toEqual(new Uint8Array(0))
    for (const value of ['AQI', 'AQ-_', 'AQ I=', 5, null, {}, ['AQI=']]) expect(read(bytes(), value)).toBe(NOTHING)
    expect(read(bytes({ empty: 'empty boc' }), '')).toBe(NOTHING)
  })
  it('a list takes one or many, and says no to one bad item', () => {
    expect(read(list(int32(), 'int32'), ['1', 2])).toEqual([1, 2])
    expect(read(list(int32(), 'int32'), '1')).toEqual([1])
    expect(read(list(int32(), 'int32'), [])).toEqual([])
    expect(read(list(int32(), 'int32'), ['1', 'x'])).toBe(NOTHING)
    expect(read(list(int32(), 'int32'), [['1']])).toBe(NOTHING)
  })
  it('after_hash: the account id of any address or hash', () => {
    const id = new Uint8Array(32).fill(0x33)
    expect(read(optionalAccountId(), `-1:${'33'.repeat(32)}`)).toEqual(id)
    expect(read(optionalAccountId(), '33'.repeat(32))).toEqual(id)
    expect(read(optionalAccountId(), Buffer.from(id).toString('base64'))).toEqual(id)
    expect(read(optionalAccountId(), '')).toBeUndefined()
    expect(read(optionalAccountId(), '-1:33')).toBe(NOTHING)
  })
  it('get-methods by name and by number', () => {
    expect(methodId('seqno')).toBe(85143)
    expect(methodId('get_wallet_data')).toBe(97026)
    expect(read(getMethod(), 'seqno')).toBe(85143)
    for (const value of [85143, '85143', '0x14c97', '0x14C97']) expect(read(getMethod(), value)).toBe(85143)
    expect(read(getMethod(), -1)).toBe(-1)
    expect(read(getMethod(), '-0x1')).toBe(-1)
    for (const value of ['', 1.5, '9999999999', 2 ** 31, {}, [], true, 'x'.repeat(256)]) expect(read(getMethod(), value)).toBe(NOTHING)
  })
  it('text', () => {
    expect(read(text(3), 'abc')).toBe('abc')
    for (const value of ['abcd', 5, {}, null]) expect(read(text(3), value)).toBe(NOTHING)
  })
  it('cells by number', () => {
    expect(read(cellsById(), { '-5': 'AQI=', 7: null })).toEqual(
      new Map([
        [7, undefined],
        [-5, Uint8Array.of(1, 2)],
      ]),
    )
    const bad: unknown[] = [
      {},
      [],
      null,
      'x',
      { x: null },
      { 1: 5 },
      { 1: '' },
      { 1: 'A' },
      { 2147483648: null },
      JSON.parse('{"__proto__":null}'),
    ]
    for (const value of bad) expect(read(cellsById(), value)).toBe(NOTHING)
  })
})
