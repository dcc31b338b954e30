import type { Cell } from '../cell/cell.ts'
import type { ExternAddress, MsgAddressInt } from '../tlb/address.ts'

/** A bit string, left-aligned, the last byte padded with zero bits. */
export interface Bits {
  readonly bits: number
  readonly data: Uint8Array
}

/** A value of (Either X Y): `second` tells which side it is. */
export interface Choice {
  readonly second: boolean
  readonly value: Value
}

/**
 * What a field of a decoded body holds. Numbers and amounts are bigint, whatever their width; an absent Maybe and addr_none are null; a
 * payload that its type does not describe is a Cell, also where it stands inline (the rest of its slice as a cell of its own); a dictionary
 * is a map by unsigned key; (Either Cell ^Cell) is the Cell, any other Either a Choice.
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
  | ReadonlyMap<bigint, Value>

/** A constructor with its fields: a body, or a record inside one. */
export interface Decoded {
  /** The wire's `@type`; '' where the type has a single constructor without a name. */
  readonly name: string
  /** The 32-bit tag of a body, unsigned; null for records inside bodies and for bodies that begin with a signature. */
  readonly opcode: number | null
  /** By the wire's names, in the order of the schema. A field without a name is ''. */
  readonly fields: Readonly<Record<string, Value>>
}
