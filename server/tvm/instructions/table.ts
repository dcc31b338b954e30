import { type Instruction, setTable } from '../machine/instruction.ts'
import { ADDRESSES } from './addresses.ts'
import { ARITHMETIC } from './arithmetic.ts'
import { CELLS_BUILD } from './cells/build.ts'
import { DATA_SIZE } from './cells/data-size.ts'
import { CELLS_PARSE } from './cells/parse.ts'
import { SLICES } from './cells/slices.ts'
import { COMPARE } from './compare.ts'
import { CONDITIONS } from './conditions-and-loops.ts'
import { CONSTANTS } from './constants.ts'
import { CONTEXT } from './context.ts'
import { BLS } from './crypto/bls.ts'
import { HASH_INSTRUCTIONS } from './crypto/hashes.ts'
import { RISTRETTO } from './crypto/ristretto.ts'
import { SIGNATURES } from './crypto/signatures.ts'
import { DEBUG } from './debug.ts'
import { DICTIONARY_JUMPS } from './dictionaries/code-dictionaries.ts'
import { DICTIONARIES } from './dictionaries/fixed-length-keys.ts'
import { DIVISION } from './division.ts'
import { EXCEPTIONS } from './exceptions.ts'
import { FEES } from './fees.ts'
import { JUMPS } from './jumps.ts'
import { MESSAGES } from './output-actions.ts'
import { REGISTERS } from './registers.ts'
import { RUNVM } from './runvm.ts'
import { STACK } from './stack.ts'
import { STACK_BLOCKS } from './stack-blocks.ts'
import { TUPLES } from './tuples.ts'

/** All instructions of code page 0 in all versions, in order of opcodes. */
export const INSTRUCTIONS: readonly Instruction[] = [
  ...[STACK, STACK_BLOCKS, TUPLES, CONSTANTS, ARITHMETIC, DIVISION, COMPARE],
  ...[CELLS_BUILD, CELLS_PARSE, SLICES, JUMPS, CONDITIONS, REGISTERS, EXCEPTIONS, RUNVM],
  ...[DICTIONARIES, DICTIONARY_JUMPS, CONTEXT, FEES, HASH_INSTRUCTIONS, SIGNATURES, RISTRETTO, BLS],
  ...[DATA_SIZE, ADDRESSES, MESSAGES, DEBUG],
]
  .flat()
  .sort((a, b) => a.from - b.from)

/** Entry for 16 bits that do not determine the instruction. The last 8 bits of the opcode then decide. */
const SEVERAL = 0xffff
let byPrefix: Uint16Array | undefined

/**
 * Makes the table of instructions by the first 16 bits of an opcode: index of the instruction + 1, 0 for none, or SEVERAL. It is made at the first look-up,
 * because a process that runs no code does not need it.
 */
const build = (): Uint16Array => {
  const index = new Uint16Array(65536)
  INSTRUCTIONS.forEach(({ from, to }, i) => {
    for (let prefix = from >>> 8; prefix << 8 < to; prefix++) {
      index[prefix] = from <= prefix << 8 && (prefix + 1) << 8 <= to ? i + 1 : SEVERAL
    }
  })
  byPrefix = index
  return index
}

/** The instruction of 24 bits of code, padded with zeros; undefined if there is none. */
export const lookup = (opcode: number): Instruction | undefined => {
  const found = (byPrefix ?? build())[opcode >>> 8]!
  if (found === 0) return undefined
  return found === SEVERAL ? search(opcode) : INSTRUCTIONS[found - 1]
}

const search = (opcode: number): Instruction | undefined => {
  let low = 0
  let high = INSTRUCTIONS.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const instruction = INSTRUCTIONS[middle]!
    if (opcode < instruction.from) high = middle - 1
    else if (opcode >= instruction.to) low = middle + 1
    else return instruction
  }
  return undefined
}

setTable(lookup)
