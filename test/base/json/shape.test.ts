import { expect, test } from 'vitest'
import { JsonBytes } from '../../../server/base/json/bytes.ts'
import {
  base64,
  either,
  flag,
  json,
  list,
  maybeBase64,
  nothing,
  number,
  object,
  optional,
  part,
  type Shape,
  when,
  word,
} from '../../../server/base/json/shape.ts'
import { rawOfKey } from '../../../server/store/row-keys.ts'
import { addressAt, extraAt, maybeAddressAt } from '../../../server/v3/shapes/values.ts'

/** What a shape writes of a source. */
const written = <S>(shape: Shape<S, unknown>, source: S): string => {
  const out = new JsonBytes()
  shape.write(out, source)
  return String(out.take())
}

const bytesOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, i) => (i * 83 + length) % 256))

test('bytes of every length are base64', () => {
  const shape = base64((bytes: Buffer) => bytes)
  for (let length = 0; length < 70; length++)
    expect(written(shape, bytesOf(length))).toBe(JSON.stringify(bytesOf(length).toString('base64')))
  expect(written(shape, bytesOf(300_000))).toBe(JSON.stringify(bytesOf(300_000).toString('base64')))
})

test('numbers are written as JSON.stringify writes them', () => {
  const shape = number((value: number) => value)
  const values = [
    0,
    -0,
    7,
    -7,
    10,
    99,
    100,
    1_700_000_000,
    999_999_999,
    -999_999_999,
    1e9,
    -1e9,
    2 ** 31,
    -(2 ** 31),
    2 ** 53,
    1.5,
    1e21,
    -0.25,
  ]
  for (const value of values) expect(written(shape, value)).toBe(JSON.stringify(value))
})

test('addresses have their workchain and upper-case hex', () => {
  for (const workchain of [0, -1, 5, -2147483648]) {
    const key = Buffer.alloc(36)
    key.writeInt32BE(workchain, 0)
    bytesOf(32).copy(key, 4)
    expect(
      written(
        addressAt((of: Buffer) => of),
        key,
      ),
    ).toBe(JSON.stringify(rawOfKey(key)))
  }
  expect(
    written(
      maybeAddressAt((of: Buffer | null) => of),
      null,
    ),
  ).toBe('null')
})

interface Source {
  readonly hash: Buffer | null
  readonly digits: string | null
  readonly count: number | null
  readonly isSet: boolean | null
  readonly any: unknown
  readonly inner: { readonly name: string } | null
  readonly names: readonly string[]
}

const inner: Shape<{ readonly name: string }, { name: string }> = object({ name: word(({ name }) => name) })

const shape = object<Source, Record<string, unknown>>({
  first: optional(word((of) => of.digits)),
  hash: maybeBase64((of) => of.hash),
  count: number((of) => of.count),
  left: optional(number((of) => of.count)),
  isSet: flag((of) => of.isSet),
  maybe: optional(flag((of) => of.isSet)),
  any: json((of) => of.any),
  inner: part((of) => of.inner, inner),
  names: list(
    (of) => of.names,
    word((name: string) => name),
  ),
  long: when(
    (of) => of.count !== null && of.count > 3,
    word((of) => of.digits),
  ),
  which: either<Source, string | null, string | null>(
    (of) => of.isSet === true,
    word(() => 'yes'),
    nothing(),
  ),
  extra: extraAt((of) => of.any as Record<string, string> | null),
})

test('a shape writes the JSON of what it makes', () => {
  const full: Source = {
    hash: bytesOf(32),
    digits: '123456789012345678901234567890',
    count: 12,
    isSet: true,
    any: { a: 'é"\n😀' },
    inner: { name: 'x' },
    names: ['a', 'b'],
  }
  const none: Source = { hash: null, digits: null, count: null, isSet: null, any: null, inner: null, names: [] }
  for (const source of [full, none, { ...full, isSet: false, count: 0 }]) {
    const text = written(shape, source)
    expect(text).toBe(JSON.stringify(shape.of(source)))
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(shape.of(source))))
  }
  expect(JSON.parse(written(shape, none))).toEqual({
    hash: null,
    count: null,
    isSet: null,
    any: null,
    inner: null,
    names: [],
    long: null,
    which: null,
    extra: {},
  })
})

test('an optional member is left out wherever its null comes from', () => {
  const name = word((of: { readonly name: string | null }) => of.name)
  const shape = object<{ readonly name: string | null }, Record<string, unknown>>({
    either: optional(either(() => true, name, nothing())),
    other: optional(either(() => false, nothing(), name)),
    when: optional(when(() => true, name)),
    part: optional(part((of) => of, name)),
    optional: optional(name),
  })
  expect(written(shape, { name: null })).toBe('{}')
  expect(JSON.stringify(shape.of({ name: null }))).toBe('{}')
  expect(written(shape, { name: 'x' })).toBe('{"either":"x","other":"x","when":"x","part":"x","optional":"x"}')
})

test('an object without members is {}', () => {
  expect(written(object<Source, Record<string, unknown>>({ a: optional(word((of) => of.digits)) }), { digits: null } as Source)).toBe('{}')
})

test('halves of surrogate pairs and control characters are written as JSON.stringify writes them', () => {
  const shape = json((value: unknown) => value)
  for (const value of ['\ud800', '\udf1f\ud83c', 'a\u0000\u001f\u007f\u2028', { '\ud83c"': '\\' }]) {
    expect(written(shape, value)).toBe(JSON.stringify(value))
    expect(JSON.parse(written(shape, value))).toEqual(value)
  }
})
