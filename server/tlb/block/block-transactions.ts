import type { Cell } from '../../cell/cell.ts'
import { expectTag } from '../common.ts'
import { skipCurrency } from '../currency.ts'
import { loadTransaction, type Transaction } from '../transaction/transaction.ts'
import { visitLeaves, visitNode } from '../visit-leaves.ts'
import { loadBlock, loadBlockExtra } from './block.ts'

/* Reads a whole block in one walk over ShardAccountBlocks and the transactions of each AccountBlock. The walk skips keys and extras. */

/** Maximum number of cells on all paths of a block (`validate_ref` of Collator::create_block in collator.cpp). */
export const MAX_BLOCK_CELLS = 10_000_000

/** @internal Visits the cell of each transaction of a block, ordered by account, then lt. */
export const visitTransactionCells = (blockRoot: Cell, visit: (transaction: Cell) => void): void => {
  const accountBlocks = loadBlockExtra(loadBlock(blockRoot).extra).accountBlocks.slice()
  const budget = { cells: MAX_BLOCK_CELLS }
  visitLeaves(accountBlocks.loadMaybeRef(), 256, budget, (accountBlock) => {
    skipCurrency(accountBlock)
    expectTag(accountBlock, 4, 5, 'AccountBlock')
    visitNode(accountBlock.skip(256), 64, budget, (leaf) => {
      skipCurrency(leaf)
      visit(leaf.loadRef())
    })
  })
}

export const loadBlockTransactions = (blockRoot: Cell): Transaction[] => {
  const transactions: Transaction[] = []
  visitTransactionCells(blockRoot, (cell) => transactions.push(loadTransaction(cell)))
  return transactions
}
