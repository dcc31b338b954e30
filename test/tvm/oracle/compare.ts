import { loadTransaction } from '../../../server/tlb/transaction/transaction.ts'
import type { GoOracle } from './go-oracle.ts'
import type { Opcode } from './opcodes.ts'
import { goRun, isEndless, lineOf, ownRun, type ProgramAnswer } from './program-answers.ts'
import { makeProgramCase, type ProgramCase } from './programs.ts'
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

/** The differences that the README of server/tvm lists, as they look from outside; undefined for any other. */
const knownDifference = (own: ProgramAnswer, theirs: ProgramAnswer): string | undefined => {
  if (own.exit === 10) return 'a malformed dictionary'
  if (own.exit !== theirs.exit) return undefined
  if (own.exit === -14) return 'gas out within a dictionary'
  const more = own.gas - theirs.gas
  return own.steps === theirs.steps && more >= 3 && more <= 16 ? 'bits that zeros complete' : undefined
}

interface Tally {
  same: number
  different: number
  /** Cases that the oracle could not run. */
  unanswered: number
  readonly byName: Map<string, number>
  /** Differences of the listed kinds, which are not counted as `different`. */
  readonly known: Map<string, number>
}
const newTally = (): Tally => ({ same: 0, different: 0, unanswered: 0, byName: new Map(), known: new Map() })

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
  const known = typeof own === 'string' ? undefined : knownDifference(own, theirs)
  if (known !== undefined) {
    tally.known.set(known, (tally.known.get(known) ?? 0) + 1)
    return
  }
  tally.different++
  tally.byName.set(c.names[0]!, (tally.byName.get(c.names[0]!) ?? 0) + 1)
  if (tally.different <= MAX_SHOWN) showProgram(c, own, theirs)
}

const report = (what: string, { same, different, unanswered, byName, known }: Tally): number => {
  if (known.size > 0) console.log(`differences of the kinds that are listed: ${[...known].map((entry) => entry.join(' ')).join(', ')}`)
  const names = [...byName].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`)
  if (names.length > 0) console.log(`differences by first instruction: ${names.slice(0, 60).join(', ')}`)
  console.log(`${what}: ${same} passed, ${different} failed, ${unanswered} that the oracle cannot run`)
  return different
}

/** Cases between two lines about how far a long run is. */
const PROGRESS = 10_000
const runOf = ({ same, different, unanswered, known }: Tally): number =>
  same + different + unanswered + [...known.values()].reduce((sum, count) => sum + count, 0)
const tellProgress = (tally: Tally): void => {
  if (runOf(tally) % PROGRESS !== 0) return
  console.log(
    `${new Date().toISOString()}: ${tally.same} passed, ${tally.different} failed, ${tally.unanswered} that the oracle cannot run`,
  )
}

/** Random programs until there were `count` or the time is over. Resolves with how many differ. */
export const comparePrograms = async (
  go: GoOracle,
  opcodes: readonly Opcode[],
  count: number,
  seed: number,
  isOver: () => boolean = () => false,
): Promise<number> => {
  const tally = newTally()
  for (let i = 0; i < count && !isOver(); i++) {
    await runProgram(go, makeProgramCase(opcodes, seed + i), tally)
    tellProgress(tally)
  }
  return report(`${runOf(tally)} random programs from seed ${seed}`, tally)
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

/** Random transactions until there were `count` or the time is over. Resolves with how many differ. */
export const compareTransactions = async (
  go: GoOracle,
  wasm: WasmOracle,
  count: number,
  seed: number,
  isOver: () => boolean = () => false,
): Promise<number> => {
  const tally = newTally()
  for (let i = 0; i < count && !isOver(); i++) {
    tellProgress(tally)
    const c = makeTransactionCase(seed + i)
    const verdict = await verdictOf(go, wasm, c)
    if (verdict === undefined) {
      tally.unanswered++
      continue
    }
    const own = ownAnswer(c)
    if (agree(own, verdict.answer)) {
      tally.same++
      continue
    }
    tally.different++
    if (tally.different > MAX_SHOWN) continue
    showTransaction(c, own, verdict.by, verdict.answer)
  }
  return report(`${runOf(tally)} random transactions from seed ${seed}`, tally)
}
