import { CellCount } from './cell-count.ts'
import { ExecutorError } from './error.ts'
import { forwardFee } from './fees.ts'
import type { TransactionRun } from './transaction-run.ts'

/** Maximum number of Merkle cells on a path from the root of a message, a library or an account's state. */
export const MAX_MERKLE_DEPTH = 2

const refused = (why: string): never => {
  throw new ExecutorError('message', `the external message is refused: ${why}`)
}

/** Checks an external message and collects its import fee from the balance (`unpack_input_msg`). Throws ExecutorError `message` for a refused message. */
export const importExternal = (run: TransactionRun): void => {
  const { account, config } = run
  const { cell, dest } = run.message!
  const { limits, rules } = config
  if (rules.noAnycast && dest.type !== 'std') refused('its destination is not a plain standard address')
  const depth = cell.depth()
  if (depth > limits.maxExtMsgDepth) refused(`it is ${depth} cells deep, and ${limits.maxExtMsgDepth} are allowed`)
  const size = new CellCount(limits.maxMsgCells, run.interrupt)
  for (let i = 0; i < cell.refCount; i++) size.add(cell.ref(i))
  if (size.bits > limits.maxMsgBits || size.cells > limits.maxMsgCells) refused(`it is too large (${size.cells} cells, ${size.bits} bits)`)
  if (size.merkleDepth > MAX_MERKLE_DEPTH) refused('it has Merkle cells too deep in each other')
  const fee = account.special ? 0n : forwardFee(run.forwardPrices(false), size.cells, size.bits)
  if (run.balance.grams < fee) refused(`its import costs ${fee} nanograms and the account has ${run.balance.grams}`)
  run.addGrams(-fee)
  run.totalFees += fee
}
