import { loadTransaction } from '../../../server/tlb/transaction/transaction.ts'
import type { GoOracle } from './go-oracle.ts'
import { knownFromEmulator, knownFromGo, knownProgram } from './known.ts'
import type { Opcode } from './opcodes.ts'
import { goRun, isEndless, lineOf, ownRun, type ProgramAnswer } from './program-answers.ts'
import { makeProgramCase, type ProgramCase } from './programs.ts'
import { countOne, newTally, overSeeds, type Run, report, runOf, type Tally } from './tally.ts'
import { agree, goAnswer, ownAnswer, type TransactionAnswer } from './transaction-answers.ts'
import { makeTransactionCase, type TransactionCase } from './transactions.ts'
import { WASM_VERSION, type WasmOracle } from './wasm-oracle.ts'

/* Any number of random cases against the oracles; differences are printed and counted. */

const MAX_SHOWN = 20

const crashed = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error))

const showProgram = (c: ProgramCase, own: ProgramAnswer | string, go: ProgramAnswer): void => {
  console.log(`seed ${c.seed} version ${c.version} gas ${c.gas}: ${c.names.join(' ')}`)
  console.log(`  code ${Buffer.from(c.code.data()).toString('hex')} and ${c.code.refCount} references`)
  const line = (a: ProgramAnswer): string => `exit ${a.exit} gas ${a.gas} steps ${a.steps} stack ${a.stack.slice(-300)}`
  console.log(`  own    ${typeof own === 'string' ? own : line(own)}`)
  console.log(`  oracle ${line(go)}`)
}

const runProgram = async (go: GoOracle, c: ProgramCase, tally: Tally): Promise<void> => {
  let own: ProgramAnswer | string
  try {
    own = ownRun(c)
  } catch (error) {
    own = crashed(error)
  }
  if (typeof own !== 'string' && isEndless(own)) {
    tally.unanswered++
    return
  }
  const theirs = await goRun(go, c)
  if (typeof theirs === 'string') {
    tally.unanswered++
    return
  }
  if (typeof own !== 'string' && lineOf(own) === lineOf(theirs)) {
    tally.same++
    return
  }
  const known = typeof own === 'string' ? undefined : knownProgram(own, theirs, c.names)
  if (known !== undefined) {
    countOne(tally.known, known)
    return
  }
  tally.different++
  countOne(tally.byName, c.names[0]!)
  if (tally.different <= MAX_SHOWN) showProgram(c, own, theirs)
}

/** Random programs, of all versions or of one, until there were `count` or the time is over. Resolves with how many differ. */
export const comparePrograms = async (go: GoOracle, opcodes: readonly Opcode[], run: Run, version?: number): Promise<number> => {
  const tally = await overSeeds(run, (seed, given) => runProgram(go, makeProgramCase(opcodes, seed, undefined, version), given))
  return report(`${runOf(tally)} random programs${version === undefined ? '' : ` of version ${version}`} from seed ${run.seed}`, tally)
}

/** Versions at which something changed. */
export const VERSIONS = [4, 9, 12, 13, 14, 15]

/** Each instruction at each of VERSIONS with so many stacks. */
export const compareInstructions = async (go: GoOracle, opcodes: readonly Opcode[], stacks: number, seed: number): Promise<number> => {
  const tally = newTally()
  for (const [first] of opcodes.entries()) {
    for (const version of VERSIONS) {
      for (let i = 0; i < stacks; i++) await runProgram(go, makeProgramCase(opcodes, seed + first * stacks + i, first, version), tally)
    }
  }
  return report(`${opcodes.length} instructions with ${stacks} stacks at versions ${VERSIONS.join(', ')}`, tally)
}

const plain = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value

/** A transaction by its parts, in text. */
const parts = (answer: TransactionAnswer): ReadonlyMap<string, string> => {
  if (answer.transaction === undefined) return new Map([['outcome', `${answer.outcome} ${answer.detail}`]])
  const { description, outMsgs, totalFees, endStatus, stateUpdate } = loadTransaction(answer.transaction)
  const rest = { messages: outMsgs.map(({ root }) => root.hashHex()), fees: totalFees.grams, status: endStatus, state: stateUpdate.newHash }
  return new Map(Object.entries({ ...description, ...rest }).map(([name, value]) => [name, JSON.stringify(value, plain) ?? '-']))
}

const showTransaction = (c: TransactionCase, own: TransactionAnswer, by: string, theirs: TransactionAnswer): void => {
  console.log(`seed ${c.seed} version ${c.version} ${c.flavour} ${c.kind} in workchain ${c.workchain}`)
  const [mine, other] = [parts(own), parts(theirs)]
  for (const name of new Set([...mine.keys(), ...other.keys()])) {
    if (mine.get(name) === other.get(name)) continue
    for (const [who, value] of [
      ['own', mine.get(name)],
      [by, other.get(name)],
    ])
      console.log(`  ${name} ${who} ${value?.slice(0, 400)}`)
  }
}

/** What is right for a case as far as the oracles can tell. */
export type Verdict = { readonly by: 'emulator' | 'oracle'; readonly answer: TransactionAnswer } | undefined

/**
 * The emulator is TON's own code and has the last word up to its version. Beyond it the Go program is asked, where it agrees with the emulator about
 * the same case at version 12: its transactions deviate from the node's in an eighth of the cases for reasons that have nothing to do with versions.
 */
export const verdictOf = async (go: GoOracle, wasm: WasmOracle, c: TransactionCase): Promise<Verdict> => {
  const earlier = { ...c, version: Math.min(c.version, WASM_VERSION) }
  const emulated = await wasm.transaction(earlier)
  if (emulated === undefined) return undefined
  if (c.version <= WASM_VERSION) return { by: 'emulator', answer: emulated }
  if (!agree(await goAnswer(go, earlier), emulated)) return undefined
  return { by: 'oracle', answer: await goAnswer(go, c) }
}

const runTransaction = async (go: GoOracle, wasm: WasmOracle, c: TransactionCase, tally: Tally): Promise<void> => {
  const verdict = await verdictOf(go, wasm, c)
  if (verdict === undefined) {
    tally.unanswered++
    return
  }
  const own = ownAnswer(c)
  if (agree(own, verdict.answer)) {
    tally.same++
    return
  }
  const known = verdict.by === 'oracle' ? knownFromGo(c, own, verdict.answer) : knownFromEmulator(own)
  if (known !== undefined) {
    countOne(tally.known, known)
    return
  }
  tally.different++
  if (tally.different <= MAX_SHOWN) showTransaction(c, own, verdict.by, verdict.answer)
}

/** Random transactions until there were `count` or the time is over. Resolves with how many differ. */
export const compareTransactions = async (go: GoOracle, wasm: WasmOracle, run: Run): Promise<number> => {
  const tally = await overSeeds(run, (seed, given) => runTransaction(go, wasm, makeTransactionCase(seed), given))
  return report(`${runOf(tally)} random transactions from seed ${run.seed}`, tally)
}
