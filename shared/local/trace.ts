import * as z from 'zod'
import { address } from '../fields/address.ts'
import { rule } from '../fields/field.ts'
import { hash } from '../fields/hash.ts'
import { int32, int64, nonNegative, positive } from '../fields/ints.ts'
import { method } from '../method.ts'
import { transactionId } from '../models/block.ts'
import { base64, flag, friendly, int, many, model, nanotons, rawLower, text, utime, words } from '../models/value-formats.ts'
import { debugTexts } from '../models/vm.ts'
import { RAW } from '../samples.ts'
import { control } from './chain.ts'

const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const

const localTransaction = model('LocalTransaction', {
  transaction_id: transactionId.describe('Its logical time and hash.'),
  account: rawLower('The account.'),
  parent: int('Place in this list of the transaction that sent its message; null if none of them did.', 0).nullable(),
  from: rawLower('The sender of its message; null for an external message.').nullable(),
  value: nanotons('The coins of its message; null for an external message.').nullable(),
  op: int('The first 32 bits of the body of its message; null if the body is shorter.', 0x0f8a7ea5).nullable(),
  body: base64('The body of its message, as a BoC.'),
  bounce: flag('Whether the message asks to be bounced.'),
  bounced: flag('Whether the message was bounced.'),
  success: flag('Whether the TVM ran, and it and the actions succeeded.'),
  aborted: flag('Whether nothing of it was done. A transfer to an address without a contract is aborted too, and keeps the coins.'),
  destroyed: flag('Whether it deleted the account.'),
  old_status: words('Status of the account before.', STATUSES),
  end_status: words('Status of the account after.', STATUSES),
  exit_code: int('Exit code of the TVM; null if it did not run.', 0).nullable(),
  exit: text('What the exit code means, or why the TVM did not run, in words; empty where only the contract knows.', 'success'),
  result_code: int('Result code of the action phase; null if there was none.', 0).nullable(),
  result: text('What the result code means, in words; empty if there was no action phase or nobody knows.', 'success'),
  gas_used: int('Gas that it used; null if the TVM did not run.', 3308).nullable(),
  total_fees: nanotons('Fees of the account.'),
  out_messages: int('How many messages it sent.', 1),
  now: utime('Time of its block.'),
  debug: debugTexts('What its debug instructions printed, if it was made since the service started'),
  last_steps: many(
    'If the TVM failed: its last 12 steps at most, the newest last, each with the stack before it. Only the first 3 such transactions of an answer have them.',
    z.string(),
  ),
})

const addressBook = z
  .record(
    z.string(),
    z.strictObject({ user_friendly: friendly('Not bounceable, unless the account has a contract that is not a wallet.') }),
  )
  .meta({
    description: 'Friendly addresses of the accounts that the transactions name, by their raw addresses; of 200 accounts at most.',
    examples: [{}],
  })

export const localTrace = {
  'local.trace': method({
    ...control,
    effect: 'read',
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    deadline: 60_000,
    summary:
      'The transactions that a transaction led to, the trace that a hash belongs to, or all transactions after a block, with exit codes in words and the last steps of those that failed. Needs no index; waits until the chain has delivered all messages, or has more than an answer holds, but not once it has delivered messages for eight seconds without a break.',
    examples: [
      { title: 'since the beginning', params: { after: 0 } },
      { title: 'of a transaction that never was', params: { address: RAW, lt: '1' }, fails: 'NOT_FOUND' },
    ],
    params: z
      .object({
        address: address('The account of the first transaction.').optional(),
        lt: int64('Logical time of the first transaction.', positive).optional(),
        hash: hash('Hash of any transaction or message of the trace; it is looked for in the newest 1,000 blocks.').optional(),
        after: int32('A masterchain seqno: all transactions of later blocks, at most 1,000 blocks.', nonNegative, 0).optional(),
      })
      .refine(
        ({ address: id, lt, hash: any, after }) =>
          (id === undefined) === (lt === undefined) && [id, any, after].filter((given) => given !== undefined).length === 1,
        rule('exactly one of address with lt, hash, and after should be specified'),
      ),
    result: model('LocalTrace', {
      complete: flag(
        'Whether all messages were delivered: those of these transactions, and, with `after`, those of the whole chain. While automine is off, messages wait for `local.mine`. A contract that sends messages to itself without an end never has all delivered.',
      ),
      truncated: flag('Whether there are more than the 1,000 transactions of this answer.'),
      transactions: many('The transactions, in the order of their logical times.', localTransaction),
      address_book: addressBook,
    }),
  }),
}
