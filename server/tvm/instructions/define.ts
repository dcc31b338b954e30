import type { Slice } from '../../cell/slice.ts'
import type { Machine } from '../machine/machine.ts'

/** What an instruction does. `arg` is what its operands were decoded to. */
export type Exec = (vm: Machine, arg: never) => void

/** Given by `operand` where the code ends too early or the operands are none: the instruction is an invalid opcode. */
export const INVALID: unique symbol = Symbol('invalid operands')

/** An entry of the instruction table. */
export interface Instruction {
  /** Mnemonic; '' for ranges of operands that are no instruction. */
  readonly name: string
  /** Opcodes padded to 24 bits: from..to-1. */
  readonly from: number
  readonly to: number
  /** Bits of opcode and fixed operands; the instruction costs 10 gas more than that. */
  readonly bits: number
  /** First global version that has it. */
  readonly since: number
  readonly exec: Exec
  /** Decodes operands: `args` is the opcode with fixed operands, `code` stands behind it. */
  readonly operand: (args: number, code: Slice, version: number) => unknown
  /** Operands in text, for the fixed ones and (`code` standing behind them) those that follow. */
  readonly text: (args: number, code: Slice) => string
}

const nothing = (): undefined => undefined
const noText = (): string => ''

/** Without operands. `arg` is handed to `exec`. */
export const simple = <A>(
  opcode: number,
  bits: number,
  name: string,
  exec: (vm: Machine, arg: A) => void,
  arg?: A,
  since = 0,
): Instruction => ({
  name,
  from: opcode * 2 ** (24 - bits),
  to: (opcode + 1) * 2 ** (24 - bits),
  bits,
  since,
  exec: exec as Exec,
  operand: arg === undefined ? nothing : () => arg,
  text: noText,
})

export interface Fixed<A> {
  /** Value of the fixed operands for `exec`; the operand bits as a number unless told. */
  readonly map?: (args: number) => A | typeof INVALID
  readonly text?: (args: number) => string
  readonly since?: number
}

/** With operands in the last `argBits` of `bits`; opcodes from `first` to `last` (both of `bits` bits). */
export const ranged = <A>(
  first: number,
  last: number,
  bits: number,
  argBits: number,
  name: string,
  exec: (vm: Machine, arg: A) => void,
  { map, text, since = 0 }: Fixed<A> = {},
): Instruction => {
  const mask = 2 ** argBits - 1
  return {
    name,
    from: first * 2 ** (24 - bits),
    to: (last + 1) * 2 ** (24 - bits),
    bits,
    since,
    exec: exec as Exec,
    operand: map === undefined ? (args) => args & mask : (args) => map(args & mask),
    text: text === undefined ? (args) => String(args & mask) : (args) => text(args & mask),
  }
}

/** With operands in `argBits` behind a prefix of `prefixBits`. */
export const fixed = <A>(
  prefix: number,
  prefixBits: number,
  argBits: number,
  name: string,
  exec: (vm: Machine, arg: A) => void,
  options: Fixed<A> = {},
): Instruction => ranged(prefix * 2 ** argBits, (prefix + 1) * 2 ** argBits - 1, prefixBits + argBits, argBits, name, exec, options)

export interface Extended<A> {
  readonly take: (args: number, code: Slice, version: number) => A | typeof INVALID
  readonly text: (args: number, code: Slice) => string
  readonly since?: number
}

/** With operands that follow the fixed ones in the code: inline data or references. */
export const extended = <A>(
  first: number,
  last: number,
  bits: number,
  argBits: number,
  name: string,
  exec: (vm: Machine, arg: A) => void,
  { take, text, since = 0 }: Extended<A>,
): Instruction => {
  const mask = 2 ** argBits - 1
  return {
    name,
    from: first * 2 ** (24 - bits),
    to: (last + 1) * 2 ** (24 - bits),
    bits,
    since,
    exec: exec as Exec,
    operand: (args, code, version) => take(args & mask, code, version),
    text: (args, code) => text(args & mask, code),
  }
}

/** Opcodes that match and cost gas but are no instruction. */
export const hole = (opcode: number, bits: number): Instruction => ({
  ...simple(opcode, bits, '', nothing),
  operand: () => INVALID,
})

/** "s3" */
export const register = (args: number): string => `s${args}`
