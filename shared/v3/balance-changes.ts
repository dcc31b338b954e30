import * as z from 'zod'
import { rule } from '../fields/field.ts'
import { v3Hash } from '../fields/v3/addresses-and-hashes.ts'
import { patience } from '../fields/v3/request-settings.ts'
import { method } from '../method.ts'
import { balanceChanges } from '../models/v3/balance-changes.ts'
import { HASH } from '../samples.ts'
import { reads } from './common.ts'

const read = reads('Actions and traces')

export const balances = {
  'v3.balanceChanges': method({
    ...read,
    summary:
      'What accounts gain and lose, in coins and jettons, by a trace, an action, a transaction, or the transaction that received a message.',
    examples: [{ title: 'of a trace', params: { trace_id: HASH }, fails: 'NOT_FOUND' }],
    params: z
      .object({
        trace_id: v3Hash('A trace: all that its accounts gain and lose.').optional(),
        action_id: v3Hash(
          'An action: what its transactions change, without the first one unless that received an external message, and what their messages cost the senders.',
        ).optional(),
        tx_hash: v3Hash('A transaction: what its account gains or loses by it.').optional(),
        msg_hash: v3Hash(
          'A message: what its receiver gains or loses by the transaction that received it; of an external one the normalized hash is accepted too.',
        ).optional(),
        ...patience,
      })
      .refine(
        (p) => [p.trace_id ?? p.action_id, p.tx_hash, p.msg_hash].filter((by) => by !== undefined).length === 1,
        rule('one of trace_id, action_id, tx_hash, msg_hash is required'),
      ),
    result: balanceChanges,
    errors: ['NOT_FOUND'],
  }),
}
