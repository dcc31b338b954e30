import { expect } from 'vitest'
import { loadBlockTransactions } from '../../server/tlb/block/block-transactions.ts'
import { coreBlockTransactions } from '../bench/tlb.bench.ts'
import { coreTransaction, ownTransaction } from './compare.ts'
import type { NamedBlock } from './data.ts'

const place = (tx: { account: string; lt: string }): string => tx.account + tx.lt.padStart(20, '0')

/** Every transaction of a block equals that of @ton/core field by field. */
export const expectAsCore = ({ name, boc, root }: NamedBlock): void => {
  const transactions = [...loadBlockTransactions(root)]
  if (transactions.length === 0) return
  const expected = coreBlockTransactions(boc).map(coreTransaction) as { account: string; lt: string }[]
  expected.sort((a, b) => (place(a) < place(b) ? -1 : 1))
  expect(transactions.map(ownTransaction), name).toEqual(expected)
}
