import { describe, expect, it } from 'vitest'
import { JsonError, MAX_JSON_COMMAS, MAX_JSON_DEPTH, MAX_JSON_MEMBERS, parseJson } from '../../shared/json.ts'
import { fc } from '../kit/property.ts'

const reasonOf = (text: string, depth?: number): string => {
  try {
    parseJson(text, depth)
  } catch (error) {
    if (error instanceof JsonError) return error.reason
    throw error
  }
  return 'accepted'
}

describe('parseJson', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['[1,123456789012345678901234567890]', [1, '123456789012345678901234567890']],
    ['{"a":{"shard":-6917529027641081856 }}', { a: { shard: '-6917529027641081856' } }],
    ['{"12345678901234567":"12345678901234567"}', { '12345678901234567': '12345678901234567' }],
    ['"\\\\\\"12345678901234567 [["', '\\"12345678901234567 [['],
    ['1.2345678901234567890', 1.2345678901234567],
    ['12345678901234567e3', 12345678901234567e3],
    ['[1e400]', [Number.POSITIVE_INFINITY]],
    ['0000000000000000', undefined],
    ['00000000000000001', undefined],
    ['{12345678901234567:1}', undefined],
    ['{ 12345678901234567 \n : 1}', undefined],
    ['-', undefined],
    ['', undefined],
    ['nul', undefined],
    ['[1,]', undefined],
    ['"abc', undefined],
    ['"abc\\', undefined],
    ["{'a':1}", undefined],
    ['tru12345678901234567', undefined],
    ['1 12345678901234567', undefined],
  ])('parseJson reads or refuses %j', (text, expected) => {
    // Long texts go through the scanner, short ones past it: both must say the same.
    for (const [padding, depth] of [
      ['', undefined],
      ['', 100],
      [' '.repeat(5000), undefined],
    ] as const) {
      if (expected === undefined) expect(reasonOf(padding + text, depth)).toBe('syntax')
      else expect(parseJson(padding + text, depth)).toEqual(expected)
    }
  })

  it('parseJson keeps __proto__ as a member, and the last of repeated names', () => {
    const parsed = parseJson('{"__proto__":{"polluted":true},"constructor":1,"a":1,"a":2}') as Record<string, unknown>
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
    expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor', 'a'])
    expect(parsed['a']).toBe(2)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('parseJson refuses depth, not length', () => {
    const nested = (n: number, open: string, close: string) => open.repeat(n) + close.repeat(n)
    expect(reasonOf(nested(MAX_JSON_DEPTH, '[', ']'))).toBe('accepted')
    expect(reasonOf(nested(MAX_JSON_DEPTH + 1, '[', ']'))).toBe('depth')
    expect(reasonOf('['.repeat(100_000))).toBe('depth')
    expect(reasonOf('{"a":'.repeat(30_000))).toBe('depth')
    expect(reasonOf(']'.repeat(100_000))).toBe('syntax')
    expect(reasonOf(`[${'[],'.repeat(99_998)}[]]`)).toBe('accepted')
    expect(reasonOf(`"${'['.repeat(100_000)}"`)).toBe('accepted')
  })

  it('parseJson refuses more members than it may have', () => {
    const object = (names: number) => `{${Array.from({ length: names }, (_, i) => `"${i}" :1`)}}`
    expect(reasonOf(object(MAX_JSON_MEMBERS))).toBe('accepted')
    expect(reasonOf(object(MAX_JSON_MEMBERS + 1))).toBe('members')
  })

  it('a JSON text has at most 100,000 commas, because what reads its values takes longer than their bytes let expect', () => {
    expect(reasonOf(`[${'1,'.repeat(MAX_JSON_COMMAS)}1]`)).toBe('accepted')
    expect(reasonOf(`[${'1,'.repeat(MAX_JSON_COMMAS + 1)}1]`)).toBe('members')
    expect(reasonOf(`{"params":{"stack":[${'[],'.repeat(300_000)}1]}}`)).toBe('members')
  })

  it('a JSON text has at most 100,000 opening brackets, however few commas are between them', () => {
    const nested = (chains: number) => `[${Array.from({ length: chains }, () => '['.repeat(1_999) + ']'.repeat(1_999))}]`
    expect(reasonOf(nested(50))).toBe('accepted')
    expect(reasonOf(nested(51))).toBe('members')
    expect(reasonOf(`[${'{},'.repeat(99_999)}{}]`)).toBe('members')
  })

  it('parseJson takes linear time on quotes, backslashes and digits', () => {
    for (const text of [`"${'\\\\'.repeat(500_000)}"`, `"${'\\"'.repeat(500_000)}"`, `[${'12345678901234567,'.repeat(50_000)}0]`])
      expect(reasonOf(text)).toBe('accepted')
    for (const text of ['"\\'.repeat(500_000), '1'.repeat(1_000_000), '-'.repeat(1_000_000), '1e'.repeat(500_000)])
      expect(['syntax', 'accepted']).toContain(reasonOf(text))
  })
})

describe('parseJson: properties', () => {
  it('parseJson equals JSON.parse on what JSON.parse keeps exact', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const bigInteger = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'))
        fc.pre(!bigInteger)
        expect(parseJson(text, 1000)).toEqual(JSON.parse(text))
        expect(parseJson(text + ' '.repeat(1001), 1000)).toEqual(JSON.parse(text))
      }),
    )
  })
  it('parseJson keeps big integers exact wherever they are', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 300n }), fc.boolean(), fc.string(), (n, negative, name) => {
        const text = `${negative ? '-' : ''}${n}`
        expect(parseJson(`{${JSON.stringify(name)}: [ ${text} ,${text}], "last":${text}}`)).toEqual(
          JSON.parse(`{${JSON.stringify(name)}:["${text}","${text}"],"last":"${text}"}`),
        )
      }),
    )
  })
  it('parseJson accepts exactly what JSON.parse accepts', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      '1',
      '0',
      '-',
      '.',
      'e',
      '12345678901234567',
      '"a"',
      'null',
      ' ',
      '\n',
      'é',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        let plain = true
        try {
          JSON.parse(text)
        } catch {
          plain = false
        }
        expect(reasonOf(text, 30)).toBe(plain ? 'accepted' : 'syntax')
        expect(reasonOf(text + ' '.repeat(31), 30)).toBe(plain ? 'accepted' : 'syntax')
      }),
      { numRuns: 3000 },
    )
  })
  it('parseJson throws nothing but JsonError', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        expect(typeof reasonOf(text, 10)).toBe('string')
      }),
    )
  })
})
