import { expect, it } from 'vitest'
import { type ProgramFixtures, readFixtures, type TransactionFixtures } from './oracle/fixtures.ts'
import { lineOf, ownRun } from './oracle/program-answers.ts'
import { makeProgramCase } from './oracle/programs.ts'
import { ownAnswer } from './oracle/transaction-answers.ts'
import { makeTransactionCase } from './oracle/transactions.ts'

/* What the oracles answered (test/data/tvm/README.md), and what the project makes of the same cases. */

it('20,000 recorded programs end with the exit code, gas, steps, stack and registers that the oracle had', () => {
  const { opcodes, cases } = readFixtures<ProgramFixtures>('programs')
  const wrong = cases.flatMap(([seed, first, version, line]) => {
    const c = makeProgramCase(opcodes, seed, first < 0 ? undefined : first, version < 0 ? undefined : version)
    const own = lineOf(ownRun(c))
    return own === line ? [] : [`${seed} ${first} at ${c.version} ${c.names.join(' ')}: ${own}, recorded ${line}`]
  })
  expect(wrong).toEqual([])
  expect(cases.length).toBe(20_000)
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
