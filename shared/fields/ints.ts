import { type Field, FieldError, field, integerOrText, readWith, type Say, unreadable, type WireSchema } from './field.ts'

const DECIMAL = /^[+-]?\d{1,40}$/
/** Pattern of decimal texts in the documents. */
export const SIGNED = '^[+-]?[0-9]+$'

/** Reads an integer from a query string or a JSON value. parseJson returns integers beyond 2^53 as text. Undefined for other values. */
export const readInteger = (value: unknown): bigint | undefined => {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  return typeof value === 'string' && DECIMAL.test(value) ? BigInt(value.startsWith('+') ? value.slice(1) : value) : undefined
}

interface Range {
  readonly min: bigint
  readonly max: bigint
}
const INT32: Range = { min: -(2n ** 31n), max: 2n ** 31n - 1n }
const LT = '46896866000003'
const INT64: Range = { min: -(2n ** 63n), max: 2n ** 63n - 1n }

/** A range to which a method restricts an integer, with an error text for each bound. */
export interface Bounds {
  readonly min?: readonly [bigint, Say]
  readonly max?: readonly [bigint, Say]
}

export const positive: Bounds = { min: [1n, (name) => `${name} should be positive`] }
export const nonNegative: Bounds = { min: [0n, (name) => `${name} should be non-negative`] }
const atMost = (max: bigint): Pick<Bounds, 'max'> => ({ max: [max, (name) => `${name} should be less or equal ${max}`] })
export const upTo = (max: bigint): Bounds => ({ ...positive, ...atMost(max) })
export const upToOrZero = (max: bigint): Bounds => ({ ...nonNegative, ...atMost(max) })

const readIn = (value: unknown, width: Range, bounds: Bounds): bigint => {
  const n = readInteger(value)
  if (n === undefined || n < width.min || n > width.max) throw new FieldError(unreadable)
  if (bounds.min && n < bounds.min[0]) throw new FieldError(bounds.min[1], { stage: 'validate' })
  if (bounds.max && n > bounds.max[0]) throw new FieldError(bounds.max[1], { stage: 'validate' })
  return n
}

const describe = (bits: number, bounds: Bounds): string => {
  const min = bounds.min ? ` from ${bounds.min[0]}` : ''
  const max = bounds.max ? ` to ${bounds.max[0]}` : ''
  return `${bits}-bit integer, decimal${min}${max}`
}

const wire = (bits: number, { min, max }: Bounds): WireSchema =>
  integerOrText({ format: `int${bits}`, ...(min && { minimum: Number(min[0]) }), ...(max && { maximum: Number(max[0]) }) }, SIGNED)

/** int32 as a number or decimal text. The handler gets a number. */
export const int32 = (what: string, bounds: Bounds = {}, example = 1): Field<number, number | string> =>
  field({ what, example, expected: describe(32, bounds), wire: wire(32, bounds), read: (value) => Number(readIn(value, INT32, bounds)) })

/** int32 as a JSON number only (seqno of runGetMethodStd). */
export const int32Number = (what: string, bounds: Bounds = {}): Field<number, number> =>
  field({
    what,
    example: 1,
    expected: `${describe(32, bounds)}, as a JSON number`,
    wire: { type: 'integer', format: 'int32' },
    read: (value) => {
      if (typeof value !== 'number') throw new FieldError(unreadable)
      return Number(readIn(value, INT32, bounds))
    },
  })

/** int64 as a number or decimal text. The handler gets a bigint. */
export const int64 = (what: string, bounds: Bounds = {}): Field<bigint, number | string | bigint> =>
  field({ what, example: LT, expected: describe(64, bounds), wire: wire(64, bounds), read: (value) => readIn(value, INT64, bounds) })

/** A number of rows: int64 on the wire, a number for the handler. `max` must be a safe integer. */
export const rows = (what: string, max: bigint): Field<number, number | string | bigint> => {
  const bounds = upTo(max)
  return field({
    what,
    example: 10,
    expected: describe(64, bounds),
    wire: wire(64, bounds),
    read: (value) => Number(readIn(value, INT64, bounds)),
  })
}

/** A logical time. 0 means "absent", as in TON Center's getTransactions. */
export const ltOrZero = (what: string) =>
  field<bigint | undefined, number | string | bigint>({
    what,
    example: LT,
    expected: `${describe(64, nonNegative)}; 0 is the same as none`,
    wire: wire(64, nonNegative),
    read: (value) => readIn(value, INT64, nonNegative) || undefined,
  }).optional()

/** A shard prefix as TON writes it on the wire: a signed 64-bit decimal, not hex. The handler gets the signed value; shardFromWire makes it unsigned. */
export const shard = (what: string): Field<bigint, number | string | bigint> =>
  field({
    what,
    example: '-9223372036854775808',
    expected: 'shard prefix with its terminating bit, signed 64-bit decimal, e.g. -9223372036854775808',
    wire: wire(64, {}),
    read: (value) => readIn(value, INT64, {}),
  })

export const UNSIGNED: WireSchema = {
  oneOf: [
    { type: 'string', pattern: '^[0-9]+$' },
    { type: 'integer', minimum: 0 },
  ],
}

/** An unsigned integer: decimal text or a JSON integer. */
const unsigned = (what: string, bits: number, example: string, expected: string): Field<bigint, number | string | bigint> =>
  field({
    what,
    example,
    expected,
    wire: UNSIGNED,
    read: readWith((value) => {
      const n = typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : readInteger(value)
      return n === undefined || n < 0n || n >= 2n ** BigInt(bits) ? undefined : n
    }),
  })

/** An unsigned 256-bit integer (an NFT's index). */
export const uint256 = (what: string) => unsigned(what, 256, '7', 'decimal text, 0 to 2^256 - 1')

/** An amount with the range of TON's `VarUInteger 16` (120 bits) or `VarUInteger 32` (248 bits). */
const amount =
  (unit: string, bits = 120) =>
  (what: string) =>
    unsigned(what, bits, '1000000000', `${unit}, decimal text, 0 to 2^${bits} - 1`)

export const coins = amount('nanograms')
/** Smallest units of an extra currency. */
export const extraUnits = amount("the currency's smallest units", 248)
/** Smallest units of a jetton. Its `decimals` define how many make one whole unit. */
export const jettonUnits = amount("the jetton's smallest units")
