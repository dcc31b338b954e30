import { describe, expect, it } from 'vitest'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'
import { ownAnswer } from './oracle/transaction-answers.ts'
import { makeTransactionCase } from './oracle/transactions.ts'

/* Random transactions in which an oracle is wrong: what the node's source says. Lines are of crypto/block/transaction.cpp at ca7d6e45. */

const actionOf = (seed: number) => {
  const { transaction, detail } = ownAnswer(makeTransactionCase(seed))
  if (transaction === undefined) throw new Error(detail)
  const { description } = loadTransaction(transaction)
  if (description.type !== 'ordinary') throw new Error('no ordinary transaction')
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

  it('extra_flags are looked at before the source (lines 2776, 2787)', () => {
    expect(actionOf(31010193)).toMatchObject({ success: false, resultCode: 45, resultArg: 2 })
  })
})

it('refuses an external message deeper than parameter 43 allows, which the emulator of 0.41 lets pass (line 951)', () => {
  expect(ownAnswer(makeTransactionCase(51001271))).toMatchObject({
    outcome: 'impossible',
    detail: 'the external message is refused: it is 7 cells deep, and 6 are allowed',
  })
})
