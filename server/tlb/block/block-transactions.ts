import { spendCell } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import { expectTag } from '../common.ts'
import { skipCurrency } from '../currency.ts'
import { loadTransaction, type Transaction } from '../transaction/transaction.ts'
import { visitLeaves, visitNode } from '../visit-leaves.ts'
import { loadBlock, loadBlockExtra } from './block.ts'

/* Reads a whole block in one walk over ShardAccountBlocks and the transactions of each AccountBlock. The walk skips keys and extras. */

/** Bytes that an edge of these dictionaries, and a transaction or a message has at least in a block, because each is a cell of its own. */
const [EDGE_BYTES, OWN_BYTES] = [64, 32]
/** Bytes of the longest answer with a block. */
const LONGEST = 16 << 20

/** @internal Visits the cell of each transaction of a block of `size` bytes, ordered by account, then lt. */
export const visitTransactionCells = (blockRoot: Cell, visit: (transaction: Cell) => void, size = LONGEST): void => {
  const accountBlocks = loadBlockExtra(loadBlock(blockRoot).extra).accountBlocks.slice()
  const budget = { cells: size / EDGE_BYTES }
  visitLeaves(accountBlocks.loadMaybeRef(), 256, budget, (accountBlock) => {
    skipCurrency(accountBlock)
    expectTag(accountBlock, 4, 5, 'AccountBlock')
    visitNode(accountBlock.skip(256), 64, budget, (leaf) => {
      skipCurrency(leaf)
      visit(leaf.loadRef())
    })
  })
}

/** Yields the transactions of a block. Throws CellError `budget` if it repeats cells, because it could have billions of transactions and messages. */
export function* loadBlockTransactions(blockRoot: Cell, size = LONGEST): Generator<Transaction> {
  const cells: Cell[] = []
  visitTransactionCells(blockRoot, (cell) => cells.push(cell), size)
  const budget = { cells: size / OWN_BYTES }
  for (const cell of cells) {
    const transaction = loadTransaction(cell)
    spendCell(budget, 1 + transaction.outMsgs.length)
    yield transaction
  }
}
