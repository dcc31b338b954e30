import { crc16 } from './crc16.ts'
import { type Field, FieldError, field, unreadable } from './field.ts'
import { readInteger } from './ints.ts'

/** Id of a get-method: CRC16 of its name with bit 16 set. */
export const methodId = (name: string): number => crc16(ENCODER.encode(name)) | 0x10000
const ENCODER = new TextEncoder()

const readId = (value: unknown): bigint | undefined => {
  if (typeof value === 'string' && /^-?0x[0-9a-fA-F]{1,8}$/.test(value))
    return value.startsWith('-') ? -BigInt(value.slice(1)) : BigInt(value)
  return readInteger(value)
}

/** A get-method's name, or its id (also as decimal or 0x text). The handler gets the id. */
export const getMethod = (what: string): Field<number, string | number> =>
  field({
    what,
    example: 'seqno',
    expected: 'name of a get-method, or its number as int32',
    wire: {
      oneOf: [
        { type: 'string', minLength: 1, maxLength: 255 },
        { type: 'integer', format: 'int32' },
      ],
    },
    read: (value) => {
      const id = readId(value)
      if (id !== undefined && id >= -(2n ** 31n) && id < 2n ** 31n) return Number(id)
      if (id !== undefined || typeof value !== 'string' || value === '' || value.length > 255) throw new FieldError(unreadable)
      return methodId(value)
    },
  })
