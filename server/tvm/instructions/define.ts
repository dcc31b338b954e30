import type { Slice } from '../../cell/slice.ts'
import { type Exec, INVALID, type Instruction } from '../machine/instruction.ts'
import type { Machine } from '../machine/machine.ts'

const nothing = (): undefined => undefined

export const simple = <A>(
  opcode: number,
  bits: number,
  name: string,
  exec: (vm: Machine, arg: A) => void,
  arg?: A,
  since = 0,
): Instruction => extended(opcode, opcode, bits, 0, name, exec, { take: () => arg as A, text: () => '', since })

/** The form of an instruction whose operand, at most `max`, is on top of the stack. It needs `need` entries. */
export const popped =
  (need: number, max: number, exec: (vm: Machine, operand: number) => void) =>
  (vm: Machine): void => {
    vm.need(need)
    exec(vm, vm.small(max))
  }

export const INFINITE_GAS = 2 ** 63

export const signedByte = (args: number): number => (args > 127 ? args - 256 : args)

export interface Fixed<A> {
  /** Value of the fixed operands for `exec`; by default the operand bits as a number. */
  readonly map?: (args: number) => A | typeof INVALID
  readonly text?: (args: number) => string
  readonly since?: number
}

export interface Extended<A> {
  readonly take: (args: number, code: Slice, version: number) => A | typeof INVALID
  readonly text: (args: number, code: Slice) => string
  readonly since?: number
}

/** An instruction with further operands in the code: inline data or references. */
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

/** An instruction with operands in the last `argBits` of `bits`. `first` and `last` are its first and last opcode, of `bits` bits each. */
export const ranged = <A>(
  first: number,
  last: number,
  bits: number,
  argBits: number,
  name: string,
  exec: (vm: Machine, arg: A) => void,
  { map = (args) => args as A, text = String, since = 0 }: Fixed<A> = {},
): Instruction => extended(first, last, bits, argBits, name, exec, { take: (args) => map(args), text: (args) => text(args), since })

/** An instruction with operands in `argBits` after a prefix of `prefixBits`. */
export const fixed = <A>(
  prefix: number,
  prefixBits: number,
  argBits: number,
  name: string,
  exec: (vm: Machine, arg: A) => void,
  options: Fixed<A> = {},
): Instruction => ranged(prefix * 2 ** argBits, (prefix + 1) * 2 ** argBits - 1, prefixBits + argBits, argBits, name, exec, options)

/** Makes the entry of opcodes that are not an instruction but cost gas. */
export const reservedOpcode = (opcode: number, bits: number): Instruction => ({
  ...simple(opcode, bits, '', nothing),
  operand: () => INVALID,
})

export const register = (args: number): string => `s${args}`
