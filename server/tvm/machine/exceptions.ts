/*
 * What ends an instruction early. None of these is an Error: contracts throw by the thousand, and a stack trace costs more than the run.
 */
import type { Value } from './value.ts'

/** A TVM exception: c2 is called with the argument and the code (0..65535). */
export class VmException {
  readonly code: number
  readonly argument: Value
  constructor(code: number, argument: Value = 0) {
    this.code = code
    this.argument = argument
  }
}

/** Gas ran out. It cannot be caught by the contract; the run ends with exit code -14. */
export class OutOfGas {}

/** The run cannot go on at all and no c2 is called: exit code as given. */
export class VmFatal {
  readonly code: number
  constructor(code: number) {
    this.code = code
  }
}

/** The caller's `interrupt` asked for the run to be dropped. Nothing of the run is kept. */
export class VmInterrupted extends Error {
  override readonly name = 'VmInterrupted'
}

export const STACK_UNDERFLOW = new VmException(2)
export const STACK_OVERFLOW = new VmException(3)
export const INTEGER_OVERFLOW = new VmException(4)
export const RANGE_CHECK = new VmException(5)
export const INVALID_OPCODE = new VmException(6)
export const TYPE_CHECK = new VmException(7)
export const CELL_OVERFLOW = new VmException(8)
export const CELL_UNDERFLOW = new VmException(9)
export const DICT_ERROR = new VmException(10)
export const UNKNOWN_ERROR = new VmException(11)
export const FATAL_ERROR = new VmException(12)
export const NO_GAS = new OutOfGas()
