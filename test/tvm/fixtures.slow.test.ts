import { expect, it } from 'vitest'
import { type ProgramFixtures, readFixtures, type TransactionFixtures } from './oracle/fixtures.ts'
import { lineOf, ownRun } from './oracle/program-answers.ts'
import { makeProgramCase } from './oracle/programs.ts'
import { ownAnswer } from './oracle/transaction-answers.ts'
import { makeTransactionCase } from './oracle/transactions.ts'

/* What the oracles answered (test/data/tvm/README.md), and what the project makes of the same cases. */

const parse = (line: string) => {
  const [exit, gas, steps] = line.split(' ').map(Number)
  return { exit: exit!, gas: gas!, steps: steps! }
}

/** Why a difference from the oracle stands; undefined if it is none that does. */
const excuse = (name: string, own: ReturnType<typeof parse>, oracle: ReturnType<typeof parse>): string | undefined => {
  // A fork with anything beside its two references is a dictionary error at once (crypto/vm/dict.cpp, 344 to 355); the oracle goes on with it.
  if (name.startsWith('DICT') && own.exit === 10) return 'malformed fork'
  // An opcode that the code is too short for costs its whole length (crypto/vm/opctable.cpp, 176 and 255); the oracle counts what is there.
  if (own.exit === 6 && oracle.exit === 6 && own.steps === oracle.steps && own.gas > oracle.gas) return 'short opcode'
  // Gas runs out at the load that passes the limit (crypto/vm/vm.cpp, 678); the oracle counts it otherwise.
  if (/^DICT\w*(MIN|MAX)REF$/.test(name) && own.exit === -14 && oracle.exit === -14) return 'out of gas'
  return undefined
}

it('20,000 recorded programs end with the exit code, gas, steps, stack and registers that the oracle had', () => {
  const { opcodes, cases } = readFixtures<ProgramFixtures>('programs')
  const excused: string[] = []
  const wrong = cases.flatMap(([seed, first, version, line]) => {
    const c = makeProgramCase(opcodes, seed, first < 0 ? undefined : first, version < 0 ? undefined : version)
    const own = lineOf(ownRun(c))
    if (own === line) return []
    const reason = excuse(c.names[0]!, parse(own), parse(line))
    if (reason === undefined) return [`${seed} ${first} at ${c.version} ${c.names.join(' ')}: ${own}, recorded ${line}`]
    excused.push(reason)
    return []
  })
  expect(wrong).toEqual([])
  expect(cases.length).toBe(20_000)
  // Of them 40 are malformed forks, 13 short opcodes.
  expect(excused.length).toBeLessThanOrEqual(62)
})

it('2,000 recorded transactions come out with the hash that the oracle had', () => {
  const { cases } = readFixtures<TransactionFixtures>('transactions')
  const wrong = cases.flatMap(([seed, hash]) => {
    const own = ownAnswer(makeTransactionCase(seed)).transaction?.hashHex().slice(0, 16) ?? '-'
    return own === hash ? [] : [`${seed}: ${own}, recorded ${hash}`]
  })
  expect(wrong).toEqual([])
  expect(cases.length).toBe(2000)
})
