import type { Cell } from '../cell/cell.ts'
import type { Slice } from '../cell/slice.ts'
import { loadBlock, loadBlockExtra } from './block.ts'
import { expectTag } from './common.ts'
import { visitLeaves, visitNode } from './leaves.ts'
import { loadTransaction, type Transaction } from './transaction.ts'

/* The way to read a whole block: no keys, no sums, one walk over ShardAccountBlocks and the transactions in each AccountBlock. */

const skipCurrency = (s: Slice): void => {
  s.skip(s.loadUint(4) * 8)
  if (s.loadBit()) s.skipRefs(1)
}

/** Visits the cell of each transaction of a block, ordered by account, then lt. */
export const visitTransactionCells = (blockRoot: Cell, visit: (transaction: Cell) => void): void => {
  const accountBlocks = loadBlockExtra(loadBlock(blockRoot).extra).accountBlocks.slice()
  visitLeaves(accountBlocks.loadMaybeRef(), 256, (accountBlock) => {
    skipCurrency(accountBlock)
    expectTag(accountBlock, 4, 5, 'AccountBlock')
    visitNode(accountBlock.skip(256), 64, (leaf) => {
      skipCurrency(leaf)
      visit(leaf.loadRef())
    })
  })
}

/** All transactions of a block with their messages and phases, ordered by account, then lt. */
export const loadBlockTransactions = (blockRoot: Cell): Transaction[] => {
  const transactions: Transaction[] = []
  visitTransactionCells(blockRoot, (cell) => transactions.push(loadTransaction(cell)))
  return transactions
}
