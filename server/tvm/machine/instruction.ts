import type { Slice } from '../../cell/slice.ts'
import type { Machine } from './machine.ts'

/*
 * The interface between the machine and its instructions. The instructions in `instructions/` import the machine, because RUNVM and the jumps run code. So the
 * machine cannot import the table of instructions. The table registers itself here when it is loaded.
 */

export type Exec = (vm: Machine, arg: never) => void

/** Returned by `operand` if the code ends too early or the operands are invalid. The instruction is then an invalid opcode. */
export const INVALID: unique symbol = Symbol('invalid operands')

export interface Instruction {
  /** Mnemonic; '' for opcodes that are not an instruction. */
  readonly name: string
  /** Range of opcodes padded to 24 bits: from..to-1. */
  readonly from: number
  readonly to: number
  /** Bits of the opcode and fixed operands. The instruction costs this number plus 10 gas. */
  readonly bits: number
  /** First global version that has the instruction. */
  readonly since: number
  readonly exec: Exec
  /** Decodes operands. `args` is the opcode with fixed operands, `code` is the code after it. */
  readonly operand: (args: number, code: Slice, version: number) => unknown
  readonly text: (args: number, code: Slice) => string
}

export type Lookup = (opcode: number) => Instruction | undefined

let table: Lookup = () => {
  throw new Error('the table of instructions is not loaded (instructions/table.ts)')
}

export const setTable = (lookup: Lookup): void => {
  table = lookup
}

export const lookup: Lookup = (opcode) => table(opcode)
