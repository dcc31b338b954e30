/*
 * Objects that are thrown to end an instruction early. The exceptions of the machine are not Errors, because they are frequent and a stack trace costs more
 * than a run.
 */
import type { Value } from './value.ts'

/** A TVM exception: c2 runs with the argument and the code (0 to 65535). */
export class VmException {
  readonly code: number
  readonly argument: Value
  constructor(code: number, argument: Value = 0) {
    this.code = code
    this.argument = argument
  }
}

/** Thrown if gas ran out. The contract cannot catch it, and the run ends with exit code -14. */
export class OutOfGas {}

/** The run ends at once with this exit code, without c2. */
export class VmFatal {
  readonly code: number
  constructor(code: number) {
    this.code = code
  }
}

/** Thrown if the caller's `interrupt` returned true. The run has no result. */
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
export const NO_GAS = new OutOfGas()
