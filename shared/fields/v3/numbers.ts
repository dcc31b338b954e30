import { type Field, FieldError, field, integerOrText } from '../field.ts'
import { readInteger, SIGNED } from '../ints.ts'
import { unconvertible } from './convert-errors.ts'

const within = (value: unknown, min: bigint, max: bigint): bigint => {
  const n = readInteger(value)
  if (n === undefined || n < min || n > max) throw new FieldError(unconvertible)
  return n
}

const INT32 = [-(2n ** 31n), 2n ** 31n - 1n] as const
const UINT32 = 2n ** 32n - 1n
const UINT64 = 2n ** 64n - 1n
/** Maximum lt. Database columns of lt are signed, so no row has a larger value. */
const INT64 = 2n ** 63n - 1n

/** int32: a workchain or a seqno. */
export const v3Int = (what: string): Field<number, number | string> =>
  field({
    what,
    example: 1,
    expected: '32-bit integer, decimal',
    wire: integerOrText({ format: 'int32' }, SIGNED),
    read: (value) => Number(within(value, ...INT32)),
  })

/** Unix seconds as uint32. A fraction is truncated. */
export const utime = (what: string): Field<number, number | string> =>
  field({
    what,
    example: 1_735_689_600,
    expected: 'unix seconds, 32-bit unsigned',
    wire: {
      oneOf: [
        { type: 'number', minimum: 0 },
        { type: 'string', pattern: '^[+]?[0-9]+([.][0-9]*)?$' },
      ],
    },
    read: (value) => {
      const whole =
        typeof value === 'number' ? Math.trunc(value) : typeof value === 'string' ? value.replace(/^(\+?\d+)\.\d*$/, '$1') : value
      return Number(within(whole, 0n, UINT32))
    },
  })

/** Logical time as uint64. The handler gets at most 2^63 - 1, because no row has a larger value. */
export const v3Lt = (what: string): Field<bigint, number | string | bigint> =>
  field({
    what,
    example: '46896866000003',
    expected: 'logical time, 64-bit unsigned, decimal',
    wire: integerOrText({ format: 'int64' }, SIGNED),
    read: (value) => {
      const lt = within(value, 0n, UINT64)
      return lt > INT64 ? INT64 : lt
    },
  })

const HEX_SHARD = /^(?:0[xX])?[0-9a-fA-F]{1,16}$/

/** Shard prefix: parsed as hex, otherwise as signed decimal. The handler gets the signed value, which is the form in the database. */
export const v3Shard = (what: string): Field<bigint, number | string | bigint> =>
  field({
    what,
    example: '8000000000000000',
    expected: 'shard prefix with its terminating bit as up to 16 hex digits (8000000000000000), or signed decimal',
    wire: {
      oneOf: [
        { type: 'string', maxLength: 20 },
        { type: 'integer', format: 'int64' },
      ],
    },
    read: (value) => {
      if (typeof value === 'string' && HEX_SHARD.test(value)) return BigInt.asIntN(64, BigInt(`0x${value.replace(/^0[xX]/, '')}`))
      return within(value, -(2n ** 63n), INT64)
    },
  })

const HEX_OPCODE = /^(?:0[xX])?[0-9a-fA-F]{1,8}$/

/**
 * Opcode. A text is parsed as hex (`10` is 0x10), otherwise as decimal; a JSON number is used as it is. The handler gets an int32, which is the form in the
 * database.
 */
export const opcode = (what: string): Field<number, number | string> =>
  field({
    what,
    example: '0x0f8a7ea5',
    expected: 'opcode as up to 8 hex digits (0x before them or not), or signed decimal',
    wire: { oneOf: [{ type: 'string', maxLength: 11 }, { type: 'integer' }] },
    read: (value) => {
      if (typeof value === 'string' && HEX_OPCODE.test(value)) return Number.parseInt(value.replace(/^0[xX]/, ''), 16) | 0
      return Number(BigInt.asIntN(32, within(value, INT32[0], UINT32)))
    },
  })
