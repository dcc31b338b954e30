import { VERSIONS, verdictOf } from './compare.ts'
import { type ProgramFixtures, type TransactionFixtures, writeFixtures } from './fixtures.ts'
import type { GoOracle } from './go-oracle.ts'
import type { Opcode } from './opcodes.ts'
import { goRun, lineOf } from './program-answers.ts'
import { makeProgramCase } from './programs.ts'
import { makeTransactionCase } from './transactions.ts'
import type { WasmOracle } from './wasm-oracle.ts'

const PROGRAMS = 20_000
const TRANSACTIONS = 2000
/** Of the programs, those that begin with each instruction in turn; the rest are random. */
const STACKS = 2

const programFixtures = async (go: GoOracle, opcodes: readonly Opcode[], seed: number): Promise<ProgramFixtures> => {
  const cases: ProgramFixtures['cases'][number][] = []
  const ask = async (at: number, first: number, version: number): Promise<void> => {
    const c = makeProgramCase(opcodes, at, first < 0 ? undefined : first, version < 0 ? undefined : version)
    const answer = await goRun(go, c)
    if (typeof answer !== 'string') cases.push([at, first, version, lineOf(answer)])
  }
  for (const [first] of opcodes.entries()) {
    for (const version of VERSIONS) for (let i = 0; i < STACKS; i++) await ask(seed + first * STACKS + i, first, version)
  }
  for (let at = seed + 1_000_000; cases.length < PROGRAMS; at++) await ask(at, -1, -1)
  return { opcodes, cases }
}

const transactionFixtures = async (go: GoOracle, wasm: WasmOracle, seed: number): Promise<TransactionFixtures> => {
  const cases: TransactionFixtures['cases'][number][] = []
  for (let at = seed; cases.length < TRANSACTIONS; at++) {
    const verdict = await verdictOf(go, wasm, makeTransactionCase(at))
    if (verdict !== undefined) cases.push([at, verdict.answer.transaction?.hashHex().slice(0, 16) ?? '-'])
  }
  return { cases }
}

/*
 * Records the fixtures of test/data/tvm anew. Only oracles are asked: what the project makes of the cases has no part in it.
 */

export const recordPrograms = async (go: GoOracle, opcodes: readonly Opcode[], seed: number): Promise<number> => {
  const fixtures = await programFixtures(go, opcodes, seed)
  writeFixtures('programs', fixtures)
  console.log(`${fixtures.cases.length} programs recorded, seed ${seed}`)
  return 0
}

export const recordTransactions = async (go: GoOracle, wasm: WasmOracle, seed: number): Promise<number> => {
  const fixtures = await transactionFixtures(go, wasm, seed)
  writeFixtures('transactions', fixtures)
  console.log(`${fixtures.cases.length} transactions recorded, seed ${seed}`)
  return 0
}
