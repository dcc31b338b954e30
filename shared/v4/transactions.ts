import * as z from 'zod'
import { address } from '../fields/address.ts'
import { bytes } from '../fields/bytes.ts'
import { unreadable } from '../fields/field.ts'
import { hash } from '../fields/hash.ts'
import { int64, positive, rows } from '../fields/ints.ts'
import { method } from '../method.ts'
import { v4ParsedTransactions, v4Sent, v4Transactions } from '../models/v4.ts'
import { FRIENDLY, HASH, REFUSED } from '../samples.ts'

const read = { heading: 'Transactions', api: 'v4', effect: 'read', needs: 'chain', rest: 'GET', weight: 1, cache: 'final' } as const

const from = z.object({
  address: address('The account whose transactions are listed.', { missing: (name) => `${name} required`, refused: unreadable }),
  lt: int64('Logical time of the newest transaction of the answer.', positive),
  hash: hash('Hash of that transaction.'),
  count: rows('How many transactions the answer holds at most.', 100n).default(20),
})
const lost = { address: FRIENDLY, lt: '1', hash: HASH } as const

export const transactions = {
  'v4.getAccountTransactions': method({
    ...read,
    paths: ['/account/:address/tx/:lt/:hash'],
    summary: 'Transactions of an account from one of them on, newest first, as cells.',
    examples: [{ title: 'from one that never was', params: lost, fails: 'CHAIN' }],
    params: from,
    result: v4Transactions,
  }),
  'v4.getAccountTransactionsParsed': method({
    ...read,
    paths: ['/account/:address/tx/parsed/:lt/:hash'],
    summary: 'The same with their messages, and what they mean in short.',
    examples: [{ title: 'from one that never was', params: { ...lost, count: 5 }, fails: 'CHAIN' }],
    params: from,
    result: v4ParsedTransactions,
  }),
  'v4.sendMessage': method({
    ...read,
    heading: 'Send',
    effect: 'write',
    rest: 'POST',
    cache: 'never',
    paths: ['/send'],
    summary: 'Sends an external message.',
    examples: [{ title: 'a message that is not accepted', params: { boc: REFUSED }, fails: 'CHAIN' }],
    params: z.object({ boc: bytes('The external message, as a BoC.', { empty: 'empty boc' }) }),
    result: v4Sent,
  }),
}
