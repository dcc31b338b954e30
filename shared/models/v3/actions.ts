import * as z from 'zod'
import { RAW } from '../../samples.ts'
import { flag, hash44, int, lt, many, model, rawUpper, text, utime, words } from '../value-formats.ts'
import { metadataOfPage } from './book.ts'
import { v3Transaction } from './transactions.ts'

const TRANSFER = { source: RAW, destination: RAW, value: '1000000000', value_extra_currencies: {}, comment: 'hi', encrypted: false }

export const v3Action = model('V3Action', {
  trace_id: hash44('Id of its trace; null if that is not known.').nullable(),
  action_id: hash44('Id of the action: made of the message that began it and of its type.'),
  start_lt: lt('Least logical time of the messages and transactions that it covers.'),
  end_lt: lt('Greatest logical time of the messages and transactions that it covers.'),
  start_utime: utime('When the first of them was made.'),
  end_utime: utime('When the last of them was made.'),
  trace_end_lt: lt('Logical time of the last transaction of its trace.'),
  trace_end_utime: utime('When the last transaction of its trace was made.'),
  trace_mc_seqno_end: int('Number of the masterchain block with the last transaction of its trace.', 1000),
  transactions: many('Hashes of the transactions that it covers, and of the one that began it.', hash44('Hash of a transaction.')),
  success: flag('Whether the action succeeded.').nullable(),
  type: text('What it is.', 'ton_transfer'),
  details: z.record(z.string(), z.unknown()).meta({ description: 'Its details: the fields of its type.', examples: [TRANSFER] }),
  raw_action: z
    .record(z.string(), z.unknown())
    .meta({ description: 'All stored fields of an action whose type has no details of its own.', examples: [{ source: RAW }] })
    .optional(),
  trace_external_hash: hash44('Hash of the message that began its trace.').optional(),
  trace_external_hash_norm: hash44('Normalized hash of that message, if it differs from its hash.').optional(),
  accounts: many('Accounts that the action is listed under, where `include_accounts` asked for them.', rawUpper('An account.')).optional(),
  transactions_full: many('The transactions that it covers, where `include_transactions` asked for them.', v3Transaction).optional(),
  finality: words('How sure it is.', ['pending', 'confirmed', 'finalized']),
})

export const v3Actions = model('V3Actions', { actions: many('The actions that were found.', v3Action), ...metadataOfPage })
