import { INSTRUCTIONS } from '../../../server/tvm/instructions/table.ts'

/** An instruction as programs are made of it: name, first opcode padded to 24 bits, how many opcodes it has, bits of opcode and fixed operands. */
export type Opcode = readonly [name: string, from: number, count: number, bits: number]

/** The project's own table. Fixtures keep the table they were recorded with, so that a new instruction does not change old cases. */
export const currentOpcodes = (): Opcode[] => INSTRUCTIONS.map(({ name, from, to, bits }) => [name, from, to - from, bits])
