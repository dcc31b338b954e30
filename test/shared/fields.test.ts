import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { bool, jsonBool } from '../../shared/fields/bool.ts'
import { bytes } from '../../shared/fields/bytes.ts'
import { cellsById } from '../../shared/fields/cells-by-id.ts'
import { optionalAccountId } from '../../shared/fields/hash.ts'
import { coins, int32, int32Number, int64, ltOrZero, nonNegative, positive, rows, shard } from '../../shared/fields/ints.ts'
import { list } from '../../shared/fields/list.ts'
import { getMethod, methodId } from '../../shared/fields/method-id.ts'
import { text } from '../../shared/fields/text.ts'
import { fc } from '../kit/property.ts'

const NOTHING = Symbol('refused')
const read = (field: z.core.$ZodType, value: unknown): unknown => {
  const parsed = z.safeParse(field, value)
  return parsed.success ? parsed.data : NOTHING
}
const never = [{}, [], ['1'], true, 'x', '', ' 1', '1 ', '1.0', '1e3', '0x1', '--1', '１', Number.NaN, Number.POSITIVE_INFINITY, 1.5]

describe('integers', () => {
  it.each<[string, z.core.$ZodType, unknown, unknown]>([
    ['int32', int32('It.'), 5, 5],
    ['int32', int32('It.'), '5', 5],
    ['int32', int32('It.'), '+5', 5],
    ['int32', int32('It.'), '-5', -5],
    ['int32', int32('It.'), '007', 7],
    ['int32', int32('It.'), 2147483647, 2147483647],
    ['int32', int32('It.'), '-2147483648', -2147483648],
    ['int32', int32('It.'), '2147483648', NOTHING],
    ['int32', int32('It.'), -2147483649, NOTHING],
    ['int32 positive', int32('It.', positive), 0, NOTHING],
    ['int32 positive', int32('It.', positive), '1', 1],
    ['int32 non-negative', int32('It.', nonNegative), '-1', NOTHING],
    ['int32 non-negative', int32('It.', nonNegative), 0, 0],
    ['JSON int32', int32Number('It.'), 5, 5],
    ['JSON int32', int32Number('It.'), '5', NOTHING],
    ['int64', int64('It.'), '9223372036854775807', 2n ** 63n - 1n],
    ['int64', int64('It.'), '-9223372036854775808', -(2n ** 63n)],
    ['int64', int64('It.'), '9223372036854775808', NOTHING],
    ['int64', int64('It.'), '-9223372036854775809', NOTHING],
    ['int64', int64('It.'), 7n, 7n],
    ['int64', int64('It.'), 9007199254740991, 9007199254740991n],
    ['int64 (a number that lost its bits)', int64('It.'), 9007199254740992, NOTHING],
    ['shard', shard('It.'), '-9223372036854775808', -(2n ** 63n)],
    ['shard in hex', shard('It.'), '8000000000000000', 8000000000000000n],
    ['shard in hex', shard('It.'), '9223372036854775808', NOTHING],
    ['shard in hex', shard('It.'), 'a000000000000000', NOTHING],
    ['lt', ltOrZero('It.'), '0', undefined],
    ['lt', ltOrZero('It.'), 5, 5n],
    ['lt', ltOrZero('It.'), -1, NOTHING],
    ['rows', rows('It.', 1000n), '1000', 1000],
    ['rows', rows('It.', 1000n), 1001, NOTHING],
    ['rows', rows('It.', 1000n), 0, NOTHING],
    ['coins', coins('It.'), '1000000000', 1000000000n],
    ['coins', coins('It.'), 0, 0n],
    ['coins', coins('It.'), '-1', NOTHING],
    ['coins', coins('It.'), (2n ** 120n).toString(), NOTHING],
  ])('an integer field reads %s: %#', (_, field, value, expected) => {
    expect(read(field, value)).toEqual(expected)
  })

  it.each([...never.keys()])('integers no integer field takes %#', (i) => {
    for (const field of [int32('It.'), int64('It.'), shard('It.'), rows('It.', 10n), coins('It.'), ltOrZero('It.')])
      expect(read(field, never[i])).toBe(NOTHING)
  })

  it('int64 keeps every value, as text and as bigint', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => {
        expect(read(int64('It.'), n.toString())).toBe(n)
        expect(read(shard('It.'), n)).toBe(n)
      }),
    )
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 63n, max: 2n ** 200n }), fc.boolean(), (n, negative) => {
        expect(read(int64('It.'), (negative ? -n - 1n : n).toString())).toBe(NOTHING)
      }),
    )
  })
})

describe('booleans', () => {
  it.each(['y', 'yes', 't', 'true', 'on', '1', 'TRUE', 'Yes', true, 1, -1, 2])('the value %j is read as true', (value) =>
    expect(read(bool('It.'), value)).toBe(true))
  it.each(['n', 'no', 'f', 'false', 'off', '0', 'OFF', false, 0])('the value %j is read as false', (value) =>
    expect(read(bool('It.'), value)).toBe(false))
  it.each(['', 'maybe', '2', ' true', {}, []])('the value %j is refused as a boolean', (value) =>
    expect(read(bool('It.'), value)).toBe(NOTHING))
  it('ignore_chksig takes JSON booleans only', () => {
    expect(read(jsonBool('It.'), true)).toBe(true)
    for (const value of ['true', 1, 0, 'false', '']) expect(read(jsonBool('It.'), value)).toBe(NOTHING)
  })
})

describe('the rest', () => {
  it('bytes are read as standard padded base64', () => {
    expect(read(bytes('It.'), 'AQI=')).toEqual(Uint8Array.of(1, 2))
    expect(read(bytes('It.'), '')).toEqual(new Uint8Array(0))
    for (const value of ['AQI', 'AQ-_', 'AQ I=', 5, null, {}, ['AQI=']]) expect(read(bytes('It.'), value)).toBe(NOTHING)
    expect(read(bytes('It.', { empty: 'empty boc' }), '')).toBe(NOTHING)
  })
  it('a list takes one value or many, and refuses one bad item', () => {
    expect(read(list('They.', int32('It.'), 'int32'), ['1', 2])).toEqual([1, 2])
    expect(read(list('They.', int32('It.'), 'int32'), '1')).toEqual([1])
    expect(read(list('They.', int32('It.'), 'int32'), [])).toEqual([])
    expect(read(list('They.', int32('It.'), 'int32'), ['1', 'x'])).toBe(NOTHING)
    expect(read(list('They.', int32('It.'), 'int32'), [['1']])).toBe(NOTHING)
  })
  it('after_hash is the account id of any address or hash', () => {
    const id = new Uint8Array(32).fill(0x33)
    expect(read(optionalAccountId('It.'), `-1:${'33'.repeat(32)}`)).toEqual(id)
    expect(read(optionalAccountId('It.'), '33'.repeat(32))).toEqual(id)
    expect(read(optionalAccountId('It.'), Buffer.from(id).toString('base64'))).toEqual(id)
    expect(read(optionalAccountId('It.'), '')).toBeUndefined()
    expect(read(optionalAccountId('It.'), '-1:33')).toBe(NOTHING)
  })
  it('get-methods are named by name and by number', () => {
    expect(methodId('seqno')).toBe(85143)
    expect(methodId('get_wallet_data')).toBe(97026)
    expect(read(getMethod('It.'), 'seqno')).toBe(85143)
    for (const value of [85143, '85143', '0x14c97', '0x14C97']) expect(read(getMethod('It.'), value)).toBe(85143)
    expect(read(getMethod('It.'), -1)).toBe(-1)
    expect(read(getMethod('It.'), '-0x1')).toBe(-1)
    for (const value of ['', 1.5, '9999999999', 2 ** 31, {}, [], true, 'x'.repeat(256)]) expect(read(getMethod('It.'), value)).toBe(NOTHING)
  })
  it('texts are read up to their largest length', () => {
    expect(read(text('It.', 3, 'abc'), 'abc')).toBe('abc')
    for (const value of ['abcd', 5, {}, null]) expect(read(text('It.', 3, 'abc'), value)).toBe(NOTHING)
  })
  it('cells in a numbered list are read as BoCs or null', () => {
    expect(read(cellsById('It.'), { '-5': 'AQI=', 7: null })).toEqual(
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
    for (const value of bad) expect(read(cellsById('It.'), value)).toBe(NOTHING)
  })
})
