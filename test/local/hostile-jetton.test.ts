import { describe, expect, it } from 'vitest'
import { runSteps } from '../../server/base/yield.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { replaceAmount } from '../../server/local/amount-in-data.ts'
import { stateInitSteps } from '../../server/local/jetton-balance.ts'
import { timeTurns } from '../kit/turns.ts'

/* Contracts that make local.setJettonBalance search for long. */

const MAX_TURN = 1_000

/** 64 cells in a chain. Each is full and holds four zero bits, the amount 0, at nearly every position. */
const zeros = (): Cell => {
  let cell: Cell | undefined
  for (let i = 0; i < 64; i++) {
    const bits = beginCell().storeUint(1n, 255)
    for (let part = 0; part < 3; part++) bits.storeUint(1n, 256)
    cell = (cell === undefined ? bits : bits.storeRef(cell)).end()
  }
  return cell!
}

describe('local.setJettonBalance leaves turns to other calls', () => {
  it('where the amount is at 60,000 positions, and the new one has no room', async () => {
    const refuse = async (): Promise<boolean> => false
    const { longest } = await timeTurns(() => replaceAmount(zeros(), 0n, 5n, refuse))
    expect(longest).toBeLessThan(MAX_TURN)
  })

  it('where get_wallet_address hashes 200,000 cells', async () => {
    const hashed = Array<Cell>(200_000).fill(beginCell().storeUint(7n, 5).end())
    const { longest } = await timeTurns(() => runSteps(stateInitSteps(new Uint8Array(32), hashed, [])))
    expect(longest).toBeLessThan(MAX_TURN)
  })
})
