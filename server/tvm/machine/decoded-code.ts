import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { INVALID_OPCODE } from './exceptions.ts'
import { type Exec, INVALID, type Instruction, lookup } from './instruction.ts'

const invalid: Exec = () => {
  throw INVALID_OPCODE
}

/**
 * Estimated memory of all code that was decoded since the caches were emptied, in instructions of about 70 bytes. Code that is garbage already counts too.
 */
export const decoded = { size: 0 }
/** A block without instructions takes as much as so many of them. */
const EMPTY_BLOCK = 8

/** Gas of an instruction in addition to its bits. */
const BASE_GAS = 10

/**
 * The instructions of one code slice at one version. Only the part that runs have reached is decoded. Blocks are shared between runs, so decoded instructions
 * must not change.
 */
export class Block {
  readonly code: Slice
  readonly version: number
  /** Parallel arrays with the function, argument and gas of each instruction, and the position after it (bits, references). */
  readonly ops: Exec[] = []
  readonly args: unknown[] = []
  readonly gas: number[] = []
  readonly ends: number[] = []
  readonly refEnds: number[] = []
  readonly instructions: (Instruction | undefined)[] = []
  /** The block where the code continues after its last bit; set when a run first gets there. */
  tail: Block | undefined
  /** True if all code is decoded and ends with an implicit RET. */
  returns = false
  private readonly unread: Slice
  private done = false

  constructor(code: Slice, version: number) {
    this.code = code
    this.version = version
    this.unread = code.clone()
    decoded.size += EMPTY_BLOCK
  }

  decode(): boolean {
    const rest = this.unread
    if (this.done || rest.remainingBits === 0) {
      this.returns = rest.remainingRefs === 0
      return false
    }
    decoded.size++
    const available = Math.min(24, rest.remainingBits)
    const opcode = rest.preloadUint(available) << (24 - available)
    const instruction = lookup(opcode)
    let op: Exec = invalid
    let arg: unknown
    let gas = BASE_GAS
    if (instruction !== undefined && instruction.since <= this.version) {
      gas += instruction.bits
      if (available >= instruction.bits) {
        const args = instruction.bits === 24 ? opcode : opcode >>> (24 - instruction.bits)
        rest.skip(instruction.bits)
        arg = instruction.operand(args, rest, this.version)
        if (arg !== INVALID) op = instruction.exec
      }
    }
    // Code after an invalid instruction never runs.
    if (op === invalid) this.done = true
    this.ops.push(op)
    this.args.push(arg)
    this.gas.push(gas)
    this.ends.push(this.code.remainingBits - rest.remainingBits)
    this.refEnds.push(this.code.remainingRefs - rest.remainingRefs)
    this.instructions.push(op === invalid ? undefined : instruction)
    return true
  }

  textAt(n: number): string {
    const instruction = this.instructions[n]
    if (instruction === undefined) return 'invalid opcode'
    const code = this.from(n)
    const args = code.loadUint(instruction.bits)
    const text = instruction.text(args, code)
    return text === '' ? instruction.name : `${instruction.name} ${text}`
  }

  from(n: number): Slice {
    if (n === 0) return this.code.clone()
    return this.code
      .clone()
      .skip(this.ends[n - 1]!)
      .skipRefs(this.refEnds[n - 1]!)
  }

  /** Reference for an implicit JMPREF after `n` instructions; undefined if no reference is left, so that the code ends with an implicit RET. */
  tailRef(n: number): Cell | undefined {
    const used = n === 0 ? 0 : this.refEnds[n - 1]!
    return used < this.code.remainingRefs ? this.code.preloadRef(used) : undefined
  }
}
