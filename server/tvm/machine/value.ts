import { Cell } from '../../cell/cell.ts'
import { Slice } from '../../cell/slice.ts'
import { VmBuilder } from './builder.ts'
import { Continuation } from './continuation.ts'

/**
 * An integer from -2^256 to 2^256 - 1. A safe integer is always a number and never -0; any other is a bigint. NaN is the machine's "not a number",
 * which only quiet instructions make.
 */
export type Integer = number | bigint

/** Up to 255 values. A tuple must not be changed in place. */
export type Tuple = readonly Value[]

/** One entry of a stack. Before an instruction moves a slice, it must clone the slice. */
export type Value = null | Integer | Cell | Slice | VmBuilder | Continuation | Tuple

export const isTuple = (value: Value): value is Tuple => Array.isArray(value)

/** The type's name in TON's documentation. */
export const typeName = (value: Value): string => {
  if (value === null) return 'null'
  if (typeof value === 'number' || typeof value === 'bigint') return 'integer'
  if (value instanceof Cell) return 'cell'
  if (value instanceof Slice) return 'slice'
  if (value instanceof VmBuilder) return 'builder'
  if (value instanceof Continuation) return 'continuation'
  return 'tuple'
}

export const MAX_TUPLE = 255
