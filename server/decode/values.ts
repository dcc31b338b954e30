import type { Cell } from '../cell/cell.ts'
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
 * - An address is its raw text, or null for addr_none and for an external address.
 * - An absent Maybe is null. A field whose condition is false is undefined.
 * - A payload without a described type is a Cell. If it is inline, this is a new cell with the rest of the slice.
 * - A dictionary is the list of its entries.
 * - An Either is the one value that is present.
 */
export type Value = number | bigint | boolean | string | null | undefined | Cell | Bits | Fields | readonly Value[] | Entries
