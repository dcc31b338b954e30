import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { projectFolder } from '../../kit/project.ts'
import type { Opcode } from './opcodes.ts'

/* Recorded answers: seeds and what an oracle made of their cases. Small, since a case is made from its seed. */

export interface ProgramFixtures {
  /** The table that the programs were made of. */
  readonly opcodes: readonly Opcode[]
  /** Of a case: seed, first instruction (-1: any), version (-1: any), `exit gas steps digest`. */
  readonly cases: readonly (readonly [seed: number, first: number, version: number, line: string])[]
}
export interface TransactionFixtures {
  /** Of a case: seed, and 16 hex digits of the hash of its transaction, or '-' where there is none. */
  readonly cases: readonly (readonly [seed: number, hash: string])[]
}

const pathOf = (name: string): string => join(projectFolder, 'test/data/tvm', `${name}.json.br`)

export const readFixtures = <T>(name: string): T => JSON.parse(brotliDecompressSync(readFileSync(pathOf(name))).toString('utf8')) as T
export const writeFixtures = (name: string, value: unknown): void => writeFileSync(pathOf(name), brotliCompressSync(JSON.stringify(value)))
