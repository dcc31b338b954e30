import { describe, expect, it } from 'vitest'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'
import { currentOpcodes } from './oracle/opcodes.ts'
import { ownRun } from './oracle/program-answers.ts'
import { makeProgramCase } from './oracle/programs.ts'
import { ownAnswer } from './oracle/transaction-answers.ts'
import { makeTransactionCase } from './oracle/transactions.ts'

/* Random cases in which an oracle is wrong: what the node's source says. Lines are of crypto/block/transaction.cpp at ca7d6e45, or of the file named. */

const actionOf = (seed: number) => {
  const { transaction, detail } = ownAnswer(makeTransactionCase(seed))
  if (transaction === undefined) throw new Error(detail)
  const { description } = loadTransaction(transaction)
  if (description.type !== 'ordinary' && description.type !== 'tick-tock') throw new Error('an unusual transaction')
  return { ...description.action, destroyed: description.destroyed }
}

describe('where tonutils-go differs, the node decides', () => {
  it.each([
    31001496, 31010563,
  ])('a failed phase keeps no fees of the messages before the failure, only fines (line 2245; seed %i)', (seed) => {
    expect(actionOf(seed)).toMatchObject({ success: false, resultCode: 34, resultArg: 2, msgsCreated: 1, totalActionFees: undefined })
  })

  it.each([31003790, 31011667])('a reservation whose amount has a leading zero ends with 34 (line 3172; seed %i)', (seed) => {
    expect(actionOf(seed)).toMatchObject({ success: false, valid: true, resultCode: 34, resultArg: 1, specActions: 0 })
  })

  it('mode +2 skips a message for the libraries of its StateInit before an external message is refused for its modes (lines 2698, 2745)', () => {
    expect(actionOf(31004658)).toMatchObject({ success: true, skippedActions: 1, msgsCreated: 1, specActions: 2 })
  })

  it('a phase that fails after a message with modes 128 and 32 deletes nothing (line 2290)', () => {
    expect(actionOf(31007542)).toMatchObject({ success: false, resultCode: 46, resultArg: 1, msgsCreated: 1, destroyed: false })
  })

  it.each([
    61032857, 61036032,
  ])('an external message with the modes of internal ones ends with 34 before its source is looked at (lines 2745, 2787; seed %i)', (seed) => {
    expect(actionOf(seed)).toMatchObject({ success: false, valid: true, resultCode: 34, resultArg: 1, skippedActions: 1 })
  })

  it('the libraries in the StateInit of an external message are checked too (line 2698)', () => {
    expect(actionOf(61022333)).toMatchObject({ success: false, valid: true, resultCode: 34, resultArg: 1, msgsCreated: 0 })
  })

  it('mode +2 skips a message for the libraries of its StateInit before its value is looked at (lines 2698, 2757)', () => {
    expect(actionOf(61039899)).toMatchObject({ success: true, skippedActions: 1, msgsCreated: 0 })
  })

  it('a list stays valid when one of its actions is refused while it is done (line 2191)', () => {
    expect(actionOf(61094998)).toMatchObject({ success: false, valid: true, resultCode: 34, resultArg: 3 })
  })

  it('malformed messages with mode +2 are counted before the first action (line 2175)', () => {
    expect(actionOf(61049461)).toMatchObject({ success: false, resultCode: 46, resultArg: 2, skippedActions: 1 })
  })

  it.each([31010193, 61054638])('extra_flags are looked at before the addresses (lines 2776, 2787, 2795; seed %i)', (seed) => {
    expect(actionOf(seed)).toMatchObject({ success: false, resultCode: 45, resultArg: 2 })
  })
})

it('an external message deeper than parameter 43 allows is refused, which the emulator of 0.41 lets pass (line 951)', () => {
  expect(ownAnswer(makeTransactionCase(51001271))).toMatchObject({
    outcome: 'impossible',
    detail: 'the external message is refused: it is 7 cells deep, and 6 are allowed',
  })
})

describe('programs in which tonutils-go differs', () => {
  const run = (seed: number, version?: number) => ownRun(makeProgramCase(currentOpcodes(), seed, undefined, version))

  it.each([
    [71031124, 176],
    [71469594, 176],
    [71694854, 210],
  ])('a label of a prefix dictionary that is cut off ends with 9 (dict.cpp:335; seed %i)', (seed, gas) => {
    expect(run(seed)).toMatchObject({ exit: 9, gas })
  })

  it.each([
    [71088040, 2494],
    [71134364, 302],
    [71215613, 704],
    [71283147, 94],
    [71379978, 112],
    [71391795, 212],
    [71458329, 128],
  ])('PUSHREFCONT that zeros complete costs 18 gas (cellops.cpp:242; seed %i)', (seed, gas) => {
    expect(run(seed)).toMatchObject({ exit: 6, gas })
  })

  it('a malformed edge beside a deleted key is loaded before it ends the run (dict.cpp:1177)', () => {
    expect(run(71743728)).toMatchObject({ exit: 9, gas: 801 })
  })

  it('a malformed edge beside the largest key is loaded before it ends the run (dict.cpp:1177)', () => {
    expect(run(91536150)).toMatchObject({ exit: 9, gas: 676 })
  })

  it.each([91693767, 91879039])('SENDMSG of an exotic cell ends with 9 (CellSlice.cpp, load_cell_slice_impl; seed %i)', (seed) => {
    expect(run(seed)).toMatchObject({ exit: 9, gas: 176 })
  })

  it('a label of a prefix dictionary that is cut off ends with 9 for PFXDICTGETJMP too', () => {
    expect(run(84086293, 14)).toMatchObject({ exit: 9, gas: 176 })
  })

  it('a child of RUNVM that calls its c3 ends with 11, and no exception is charged (vm.cpp:69)', () => {
    expect(run(84052688, 14)).toMatchObject({ exit: 7, gas: 168, steps: 4 })
  })

  it('PUSHINT that zeros complete costs 26 gas, which may be the last (arithops.cpp:153)', () => {
    expect(run(71145851)).toMatchObject({ exit: -14, gas: 253 })
  })
})
