import type { Cell } from '../cell/cell.ts'
import type { ExternAddress, MsgAddressInt } from '../tlb/address.ts'
import type { Fields } from './fields.ts'

/** A bit string, left-aligned, the last byte padded with zero bits. */
export interface Bits {
  readonly bits: number
  readonly data: Uint8Array
}

/** A dictionary, in ascending order of its unsigned keys. */
export interface Entries {
  readonly entries: readonly (readonly [bigint, Value])[]
}

/**
 * The value of a field:
 * - A number of up to 53 bits is a number. Wider numbers and amounts are bigint.
 * - An address that is read for code is its raw text, or null for addr_none and for an external address.
 * - An absent Maybe is null. A field whose condition is false is undefined.
 * - A payload without a described type is a Cell. If it is inline, this is a new cell with the rest of the slice.
 * - A dictionary is the list of its entries.
 * - An Either is the one value that is present.
 */
export type Value =
  | number
  | bigint
  | boolean
  | string
  | null
  | undefined
  | Cell
  | Bits
  | MsgAddressInt
  | ExternAddress
  | Decoded
  | Fields
  | readonly Value[]
  | Entries

export interface Decoded {
  /** `@type` in answers; '' if the type has a single constructor without a name. */
  readonly name: string
  /** The 32-bit tag of a body, unsigned; null for records inside bodies and for bodies that begin with a signature. */
  readonly opcode: number | null
  /** Fields by their names in answers, in the order of the schema. A field without a name has the name ''. */
  readonly fields: Readonly<Record<string, Value>>
}
