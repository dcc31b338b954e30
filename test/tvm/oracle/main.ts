import { compareInstructions, comparePrograms, compareTransactions } from './compare.ts'
import { GoOracle } from './go-oracle.ts'
import { currentOpcodes } from './opcodes.ts'
import { recordPrograms, recordTransactions } from './record.ts'
import type { Run } from './tally.ts'
import { WasmOracle } from './wasm-oracle.ts'

/*
 * `npm run oracle -- programs | instructions | transactions | record-programs | record-transactions [count] [seed]`, or `node dist/test/oracle.js ...`: random cases against the
 * oracles, or the recording of the fixtures of test/data/tvm. The Go program is named by TONWAY_TVM_ORACLE (see go/README.md). The exit code is 1
 * if anything differed. TONWAY_TVM_ORACLE_MINUTES ends a comparison after so many minutes; what was run by then is told. TONWAY_TVM_ORACLE_PROGRESS names
 * a file that keeps how far the comparison is: the same command goes on from there, so that several parts add up to one long run.
 */
const [task = '', ...numbers] = process.argv.slice(2)
const [count, seed = 20261121] = numbers.map(Number)
const path = process.env['TONWAY_TVM_ORACLE']
if (path === undefined) throw new Error('TONWAY_TVM_ORACLE names the program built from test/tvm/oracle/go')

const end = Date.now() + Number(process.env['TONWAY_TVM_ORACLE_MINUTES'] ?? Number.POSITIVE_INFINITY) * 60_000
const isOver = (): boolean => Date.now() > end

const runOf = (fallback: number): Run => ({
  what: task,
  seed,
  count: count ?? fallback,
  isOver,
  file: process.env['TONWAY_TVM_ORACLE_PROGRESS'],
})

const go = new GoOracle(path)
const opcodes = currentOpcodes()
const tasks: Readonly<Record<string, () => Promise<number>>> = {
  programs: () => comparePrograms(go, opcodes, runOf(10_000)),
  instructions: () => compareInstructions(go, opcodes, count ?? 20, seed),
  transactions: async () => compareTransactions(go, await WasmOracle.create(), runOf(1000)),
  'record-programs': () => recordPrograms(go, opcodes, seed),
  'record-transactions': async () => recordTransactions(go, await WasmOracle.create(), seed),
}
const run = tasks[task]
if (run === undefined) throw new Error(`unknown: ${task}; known: ${Object.keys(tasks).join(', ')}`)
process.exitCode = (await run()) === 0 ? 0 : 1
go.close()
