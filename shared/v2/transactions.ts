import * as z from 'zod'
import { address } from '../fields/address.ts'
import { bool } from '../fields/bool.ts'
import { rule } from '../fields/field.ts'
import { optionalAccountId, optionalHash } from '../fields/hash.ts'
import { int64, ltOrZero, nonNegative, rows } from '../fields/ints.ts'
import { method } from '../method.ts'
import { blockTransactions } from '../models/block.ts'
import { blockTransactionsExt, rawTransactions, transaction } from '../models/transaction.ts'
import { shortBlockId } from './blocks.ts'

const read = { effect: 'read', needs: 'chain', rest: 'GET, POST', weight: 1 } as const

const together = (left: string, right: string) => rule(`${left} and ${right} should be used together`)

const inBlock = z
  .object({
    ...shortBlockId,
    root_hash: optionalHash(),
    file_hash: optionalHash(),
    after_lt: int64(nonNegative).optional(),
    after_hash: optionalAccountId(),
    count: rows(10_000n).default(40),
  })
  .refine((p) => (p.after_lt === undefined) === (p.after_hash === undefined), together('after_lt', 'after_hash'))

const ofAccount = {
  address: address({ refused: 'failed to parse address' }),
  limit: rows(1000n).default(10),
  hash: optionalHash(),
  to_lt: int64().default(0n),
  archival: bool().optional(),
}

const located = z.object({
  source: address({ missing: 'empty source address' }),
  destination: address({ missing: 'empty destination address' }),
  created_lt: int64(nonNegative),
})

/** Transactions of a block, of an account, and of a message. */
export const transactions = {
  getBlockTransactions: method({
    ...read,
    cache: 'final',
    page: { rows: 'transactions', max: 10_000 },
    summary: 'Ids of the transactions of a block, by account and logical time.',
    params: inBlock,
    result: blockTransactions,
  }),
  getBlockTransactionsExt: method({
    ...read,
    cache: 'final',
    page: { rows: 'transactions', max: 10_000 },
    summary: 'Transactions of a block with their messages, by account and logical time.',
    params: inBlock,
    result: blockTransactionsExt,
  }),
  getTransactions: method({
    ...read,
    cache: 'head',
    summary: 'Transactions of an account, newest first, from `lt` and `hash` (included) down to `to_lt` (excluded).',
    params: z
      .object({ ...ofAccount, lt: ltOrZero() })
      .refine((p) => (p.lt === undefined) === (p.hash === undefined), together('lt', 'hash')),
    result: z.array(transaction),
  }),
  getTransactionsStd: method({
    ...read,
    cache: 'head',
    page: { rows: 'transactions', max: 1000 },
    summary: 'Transactions of an account, newest first, with the cursor of the next page.',
    params: z
      .object({ ...ofAccount, lt: int64(nonNegative).optional() })
      .refine((p) => (p.lt === undefined) === (p.hash === undefined), together('lt', 'hash')),
    result: rawTransactions,
  }),
  tryLocateTx: method({
    ...read,
    cache: 'head',
    summary: 'The transaction that received a message, by the message’s source, destination and creation time.',
    params: located,
    result: transaction,
    errors: ['NOT_FOUND'],
  }),
  tryLocateResultTx: method({
    ...read,
    cache: 'head',
    summary: 'The same as tryLocateTx.',
    params: located,
    result: transaction,
    errors: ['NOT_FOUND'],
  }),
  tryLocateSourceTx: method({
    ...read,
    cache: 'head',
    summary: 'The transaction that sent a message, by the message’s source, destination and creation time.',
    params: located,
    result: transaction,
    errors: ['NOT_FOUND'],
  }),
}
