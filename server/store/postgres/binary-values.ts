/*
 * Values of columns in PostgreSQL's binary form. The driver reads text: bytes as hex, numbers as digits, and each value first becomes a string. For our rows,
 * which are mostly hashes and amounts, reading the binary form takes half the time, and the server need not write text.
 */

/** Reads the value of `length` bytes at `at`. */
export type ReadValue = (bytes: Buffer, at: number, length: number) => unknown

const BASE = 10_000
const NEGATIVE = 0x4000
const NOT_A_NUMBER = 0xc000
/** Bytes before the digits of a number: their count, the weight of the first, the sign, digits after the point. */
const NUMERIC_HEAD = 8

const fourDigits = (digit: number): string => String(digit).padStart(4, '0')

/** The fraction of a number, of `scale` decimal digits. `digit`: its digits of base 10,000, from the first after the point. */
const fractionOf = (scale: number, digit: (place: number) => number): string => {
  if (scale === 0) return ''
  let text = ''
  for (let place = 0; text.length < scale; place++) text += fourDigits(digit(place))
  return `.${text.slice(0, scale)}`
}

/** A decimal number as text, with as many digits after the point as it has. */
const numeric: ReadValue = (bytes, at) => {
  const count = bytes.readUInt16BE(at)
  const weight = bytes.readInt16BE(at + 2)
  const sign = bytes.readUInt16BE(at + 4)
  const scale = bytes.readUInt16BE(at + 6)
  if (sign >= NOT_A_NUMBER) throw new RangeError('a number of the database is not finite')
  const digit = (i: number): number => (i < 0 || i >= count ? 0 : bytes.readUInt16BE(at + NUMERIC_HEAD + 2 * i))
  let text = sign === NEGATIVE ? '-' : ''
  // Amounts mostly fit into a double, which holds 16 digits up to 9007199254740992.
  if (weight < 3 || (weight === 3 && digit(0) < 9_007)) {
    let whole = 0
    for (let i = 0; i <= weight; i++) whole = whole * BASE + digit(i)
    text += String(whole)
  } else {
    text += String(digit(0))
    for (let i = 1; i <= weight; i++) text += fourDigits(digit(i))
  }
  return text + fractionOf(scale, (place) => digit(weight + 1 + place))
}

const int2: ReadValue = (bytes, at) => bytes.readInt16BE(at)
const int4: ReadValue = (bytes, at) => bytes.readInt32BE(at)
const oid: ReadValue = (bytes, at) => bytes.readUInt32BE(at)
const float8: ReadValue = (bytes, at) => bytes.readDoubleBE(at)

const WORD = 2 ** 32
/** The high words of numbers that a double holds exactly. */
const SAFE = 2 ** 21

/** A 64-bit number as decimal text. */
const int8: ReadValue = (bytes, at) => {
  const high = bytes.readInt32BE(at)
  return high >= -SAFE && high < SAFE ? String(high * WORD + bytes.readUInt32BE(at + 4)) : String(bytes.readBigInt64BE(at))
}

const bool: ReadValue = (bytes, at) => bytes[at] === 1
const text: ReadValue = (bytes, at, length) => bytes.toString('utf8', at, at + length)
const json: ReadValue = (bytes, at, length) => JSON.parse(bytes.toString('utf8', at, at + length))
/** The first byte is the version of the form. */
const jsonb: ReadValue = (bytes, at, length) => json(bytes, at + 1, length - 1)

/** A copy, so that a value that is kept does not keep all that came with it. */
const bytea: ReadValue = (bytes, at, length) => {
  const copy = Buffer.allocUnsafe(length)
  bytes.copy(copy, 0, at, at + length)
  return copy
}

/** Bytes before the elements of a list: dimensions, flags, type; and of each dimension its length and lower bound. */
const LIST_HEAD = 12
const DIMENSION = 8

/** A list of one dimension. An empty one has none. */
const listOf =
  (element: ReadValue): ReadValue =>
  (bytes, at) => {
    const dimensions = bytes.readInt32BE(at)
    if (dimensions === 0) return []
    if (dimensions !== 1) throw new RangeError(`a list of the database has ${dimensions} dimensions`)
    const values: unknown[] = []
    let next = at + LIST_HEAD + DIMENSION
    for (let left = bytes.readInt32BE(at + LIST_HEAD); left > 0; left--) {
      const length = bytes.readInt32BE(next)
      next += 4
      if (length < 0) values.push(null)
      else {
        values.push(element(bytes, next, length))
        next += length
      }
    }
    return values
  }

const nothing: ReadValue = () => null

/** By the number of the type in the server's catalogue, which never changes. */
const READERS: ReadonlyMap<number, ReadValue> = new Map([
  [16, bool],
  [17, bytea],
  [19, text],
  [20, int8],
  [21, int2],
  [23, int4],
  [25, text],
  [26, oid],
  [114, json],
  [701, float8],
  [1001, listOf(bytea)],
  [1005, listOf(int2)],
  [1007, listOf(int4)],
  [1009, listOf(text)],
  [1016, listOf(int8)],
  [1043, text],
  [1231, listOf(numeric)],
  [1700, numeric],
  [2278, nothing],
  [3802, jsonb],
])

/** The reader of a type. Throws for a type that no statement of ours has. */
export const valueReader = (type: number, column: string): ReadValue => {
  const read = READERS.get(type)
  if (read === undefined) throw new Error(`column ${column} is of type ${type}, which reads do not know: cast it in the statement`)
  return read
}
