import { createTestTvm } from '../../kit/chain/tvm.ts'
import { createComparedTvm } from '../../kit/tvm/emulator/compared.ts'
import { compareInstructions, comparePrograms, compareTransactions } from './compare.ts'
import { compareWithEmulator } from './emulator.ts'
import { GoOracle } from './go-oracle.ts'
import { currentOpcodes } from './opcodes.ts'
import { recordPrograms, recordTransactions } from './record.ts'
import { runShadow } from './shadow.ts'
import type { Run } from './tally.ts'
import { WasmOracle } from './wasm-oracle.ts'

/*
 * `npm run oracle -- programs | instructions | emulator | transactions | shadow | record-programs | record-transactions [count] [seed] [--record]`, or
 * `node dist/test/oracle.js ...`: random cases against the oracles, get-methods of recorded codes by both engines (`shadow`), or the recording of the
 * fixtures of test/data/tvm. TONWAY_TVM_ORACLE names the program that is compared (README.md says what it must be). The exit code is 1 if anything differed.
 * A third number after `programs` is the version of all of them. TONWAY_TVM_ORACLE_MINUTES ends a comparison after so many minutes; what was run by then is told. TONWAY_TVM_ORACLE_PROGRESS names a file that keeps
 * how far the comparison is: the same command goes on from there, so that several parts add up to one long run.
 */
const [task = '', ...numbers] = process.argv.slice(2).filter((word) => word !== '--record')
const [count, seed = 20261121, version] = numbers.map(Number)

const end = Date.now() + Number(process.env['TONWAY_TVM_ORACLE_MINUTES'] ?? Number.POSITIVE_INFINITY) * 60_000
const isOver = (): boolean => Date.now() > end

const runOf = (fallback: number): Run => ({
  what: task,
  seed,
  count: count ?? fallback,
  isOver,
  file: process.env['TONWAY_TVM_ORACLE_PROGRESS'],
})

/** Runs with the Go program. */
const withGo = (run: (go: GoOracle) => Promise<number>) => async (): Promise<number> => {
  const path = process.env['TONWAY_TVM_ORACLE']
  if (path === undefined) throw new Error('set TONWAY_TVM_ORACLE to a program with the protocol of test/tvm/oracle/README.md')
  const go = new GoOracle(path)
  try {
    return await run(go)
  } finally {
    go.close()
  }
}

/** Shadow mode: up to `count` get-methods of each recorded code by the machine and by the emulator. Resolves with how many differ. */
const shadow = async (): Promise<number> => {
  const own = createTestTvm({ workers: 1 })
  const compared = await createComparedTvm(own)
  const codes = await runShadow(compared, count ?? 1000, new AbortController().signal)
  await own.close()
  const differences = compared.differences()
  for (const difference of differences.slice(0, 20)) console.log(`  own      ${difference.own}\n  emulator ${difference.emulator}`)
  console.log(`${compared.compared()} get-methods of ${codes} codes by both engines: ${differences.length} differ`)
  return differences.length
}

const opcodes = currentOpcodes()
const tasks: Readonly<Record<string, () => Promise<number>>> = {
  programs: withGo((go) => comparePrograms(go, opcodes, runOf(10_000), version)),
  instructions: withGo((go) => compareInstructions(go, opcodes, count ?? 20, seed)),
  transactions: withGo(async (go) => compareTransactions(go, await WasmOracle.create(), runOf(1000))),
  emulator: () => compareWithEmulator(opcodes, count ?? 20, seed),
  shadow,
  'record-programs': withGo((go) => recordPrograms(go, opcodes, seed)),
  'record-transactions': withGo(async (go) => recordTransactions(go, await WasmOracle.create(), seed)),
}
const run = tasks[task]
if (run === undefined) throw new Error(`unknown: ${task}; known: ${Object.keys(tasks).join(', ')}`)
process.exitCode = (await run()) === 0 ? 0 : 1
