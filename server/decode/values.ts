import type { Cell } from '../cell/cell.ts'
import type { ExternAddress, MsgAddressInt } from '../tlb/address.ts'

/** A bit string, left-aligned, the last byte padded with zero bits. */
export interface Bits {
  readonly bits: number
  readonly data: Uint8Array
}

/** A value of (Either X Y). `second` is true for Y. */
export interface Choice {
  readonly second: boolean
  readonly value: Value
}

/** A dictionary, in ascending order of its unsigned keys. */
export interface Entries {
  readonly entries: readonly (readonly [bigint, Value])[]
}

/**
 * The value of a field of a decoded body. Numbers and amounts of any width are bigint. An absent Maybe and addr_none are null. A payload without a
 * described type is a Cell; an inline one is the rest of its slice as a separate cell. A dictionary is the list of its entries. (Either Cell ^Cell) is
 * the Cell; any other Either is a Choice.
 */
export type Value =
  | bigint
  | boolean
  | string
  | null
  | Cell
  | Bits
  | MsgAddressInt
  | ExternAddress
  | Choice
  | Decoded
  | readonly Value[]
  | Entries

/** A constructor with its fields: a body, or a record inside a body. */
export interface Decoded {
  /** `@type` in answers; '' if the type has a single constructor without a name. */
  readonly name: string
  /** The 32-bit tag of a body, unsigned; null for records inside bodies and for bodies that begin with a signature. */
  readonly opcode: number | null
  /** Fields by their names in answers, in the order of the schema. A field without a name has the name ''. */
  readonly fields: Readonly<Record<string, Value>>
}
