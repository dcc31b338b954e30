import { expect, test } from 'vitest'
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

/** The JSON of what a shape makes of a source. */
const written = <S>(shape: Shape<S, unknown>, source: S): string => JSON.stringify(shape.of(source))

const bytesOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, i) => (i * 83 + length) % 256))

test('bytes of every length are base64', () => {
  const shape = base64((bytes: Buffer) => bytes)
  for (let length = 0; length < 70; length++)
    expect(written(shape, bytesOf(length))).toBe(JSON.stringify(bytesOf(length).toString('base64')))
  expect(written(shape, bytesOf(300_000))).toBe(JSON.stringify(bytesOf(300_000).toString('base64')))
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

test('a shape makes each member of its source, and null where there is nothing', () => {
  const full: Source = {
    hash: bytesOf(32),
    digits: '123456789012345678901234567890',
    count: 12,
    isSet: true,
    any: { a: 'é' },
    inner: { name: 'x' },
    names: ['a', 'b'],
  }
  const none: Source = { hash: null, digits: null, count: null, isSet: null, any: null, inner: null, names: [] }
  expect(JSON.parse(written(shape, full))).toEqual({
    first: full.digits,
    hash: full.hash!.toString('base64'),
    count: 12,
    left: 12,
    isSet: true,
    maybe: true,
    any: { a: 'é' },
    inner: { name: 'x' },
    names: ['a', 'b'],
    long: full.digits,
    which: 'yes',
    extra: { a: 'é' },
  })
  expect(JSON.parse(written(shape, { ...full, isSet: false, count: 0 }))).toMatchObject({ left: 0, maybe: false, long: null, which: null })
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
  expect(written(shape, { name: 'x' })).toBe('{"either":"x","other":"x","when":"x","part":"x","optional":"x"}')
})
