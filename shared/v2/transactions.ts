import * as z from 'zod'
import { address } from '../fields/address.ts'
import { bool } from '../fields/bool.ts'
import { rule } from '../fields/field.ts'
import { optionalAccountId, optionalHash } from '../fields/hash.ts'
import { int64, ltOrZero, nonNegative, rows } from '../fields/ints.ts'
import { method } from '../method.ts'
import { blockTransactions } from '../models/block.ts'
import { blockTransactionsExt, rawTransactions, transaction } from '../models/transaction.ts'
import { ELECTOR, FIRST_BLOCK, FRIENDLY } from '../samples.ts'
import { blockHashes, shortBlockId } from './blocks.ts'

const read = { heading: 'Transactions', effect: 'read', needs: 'chain', rest: 'GET, POST', weight: 1, cache: 'head' } as const

const together = (left: string, right: string) => rule(`${left} and ${right} should be used together`)

const inBlock = z
  .object({
    ...shortBlockId,
    ...blockHashes,
    after_lt: int64('Logical time of the transaction after which the page begins; together with `after_hash`.', nonNegative).optional(),
    after_hash: optionalAccountId('Account of the transaction after which the page begins; together with `after_lt`.'),
    count: rows('How many transactions the answer holds at most.', 10_000n).default(40),
  })
  .refine((p) => (p.after_lt === undefined) === (p.after_hash === undefined), together('after_lt', 'after_hash'))

const ofAccount = {
  address: address('The account whose transactions are listed.', { refused: 'failed to parse address' }),
  limit: rows('How many transactions the answer holds at most.', 1000n).default(10),
  hash: optionalHash('Hash of the newest transaction of the page; together with `lt`. By default the newest of the account.'),
  to_lt: int64('Logical time at which the list ends; the transaction of that time is left out.').default(0n),
  archival: bool('Asks a lite-server that keeps the whole history; for transactions that other lite-servers no longer have.').optional(),
}

const NEWEST = 'Logical time of the newest transaction of the page; together with `hash`.'

const located = z.object({
  source: address('The account that sent the message.', { missing: 'empty source address' }),
  destination: address('The account that the message was sent to.', { missing: 'empty destination address' }),
  created_lt: int64('Logical time at which the message was created.', nonNegative),
})

/** Methods that find a transaction by a message. */
const locate = (summary: string) =>
  method({
    ...read,
    summary,
    examples: [
      { title: 'a message that never was', params: { source: FRIENDLY, destination: ELECTOR, created_lt: '1' }, fails: 'NOT_FOUND' },
    ],
    params: located,
    result: transaction,
    errors: ['NOT_FOUND'],
  })

export const transactions = {
  getBlockTransactions: method({
    ...read,
    cache: 'final',
    page: { rows: 'transactions', max: 10_000 },
    summary: 'Ids of the transactions of a block, by account and logical time.',
    examples: [
      { title: 'of block 1', params: FIRST_BLOCK },
      { title: 'at most two, after an account', params: { ...FIRST_BLOCK, count: 2, after_lt: '1', after_hash: FRIENDLY } },
    ],
    params: inBlock,
    result: blockTransactions,
  }),
  getBlockTransactionsExt: method({
    ...read,
    cache: 'final',
    page: { rows: 'transactions', max: 10_000 },
    summary: 'Transactions of a block with their messages, by account and logical time.',
    examples: [{ title: 'of block 1', params: FIRST_BLOCK }],
    params: inBlock,
    result: blockTransactionsExt,
  }),
  getTransactions: method({
    ...read,
    summary: 'Transactions of an account, newest first, from `lt` and `hash` (included) down to `to_lt` (excluded).',
    examples: [
      { title: 'the newest ten', params: { address: FRIENDLY } },
      { title: 'down to a logical time', params: { address: FRIENDLY, limit: 5, to_lt: '1', archival: true } },
    ],
    params: z
      .object({ ...ofAccount, lt: ltOrZero(NEWEST) })
      .refine((p) => (p.lt === undefined) === (p.hash === undefined), together('lt', 'hash')),
    result: z.array(transaction),
  }),
  getTransactionsStd: method({
    ...read,
    page: { rows: 'transactions', max: 1000 },
    summary: 'Transactions of an account, newest first, with the cursor of the next page.',
    examples: [{ title: 'the newest five', params: { address: FRIENDLY, limit: 5 } }],
    params: z
      .object({ ...ofAccount, lt: int64(NEWEST, nonNegative).optional() })
      .refine((p) => (p.lt === undefined) === (p.hash === undefined), together('lt', 'hash')),
    result: rawTransactions,
  }),
  tryLocateTx: locate('The transaction that received a message, by the message’s source, destination and creation time.'),
  tryLocateResultTx: locate('The same as tryLocateTx.'),
  tryLocateSourceTx: locate('The transaction that sent a message, by the message’s source, destination and creation time.'),
}
