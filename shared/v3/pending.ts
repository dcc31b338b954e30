import * as z from 'zod'
import { anyOf } from '../fields/field.ts'
import { addresses, hashes, v3Address } from '../fields/v3/addresses-and-hashes.ts'
import { actionsVersion, overrides } from '../fields/v3/request-settings.ts'
import { supportedActionTypes, v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3Actions } from '../models/v3/actions.ts'
import { v3Traces } from '../models/v3/traces.ts'
import { v3PendingTransactions } from '../models/v3/transactions.ts'
import { FRIENDLY, HASH } from '../samples.ts'
import { reads } from './common.ts'

const read = { ...reads('Actions and traces'), cache: 'never' } as const

const ofTrace = {
  account: v3Address('Only what touches this account.').optional(),
  ext_msg_hash: hashes('Only traces of these external messages; normalized hashes are accepted too.').optional(),
  supported_action_types: supportedActionTypes().optional(),
  ...overrides,
  ...actionsVersion,
}
const named = anyOf(['account', 'ext_msg_hash'], 'account or ext_msg_hash should be specified')

/** Methods about transactions and actions of messages that are not in a block yet. */
export const pending = {
  'v3.pendingTransactions': method({
    ...read,
    heading: 'Blockchain data',
    summary: 'Transactions that are expected but in no block yet.',
    examples: [{ title: 'of an account', params: { account: [FRIENDLY] }, fails: 'NOT_FOUND' }],
    params: z
      .object({
        account: addresses('Only transactions of these accounts.').optional(),
        trace_id: hashes('Only transactions of these traces.').optional(),
        ...overrides,
      })
      .refine(...anyOf(['account', 'trace_id'], 'at least 1 account address required')),
    result: v3PendingTransactions,
    errors: ['NOT_FOUND'],
  }),
  'v3.pendingTraces': method({
    ...read,
    summary: 'Traces that are expected but in no block yet.',
    examples: [{ title: 'of an account', params: { account: FRIENDLY } }],
    params: z.object(ofTrace).refine(...named),
    result: v3Traces,
  }),
  'v3.pendingActions': method({
    ...read,
    summary: 'Actions that are expected but in no block yet.',
    examples: [{ title: 'of a message', params: { ext_msg_hash: [HASH] } }],
    params: z
      .object({ ...ofTrace, include_transactions: v3Bool('Whether the transactions of each action come with it.').optional() })
      .refine(...named),
    result: v3Actions,
  }),
}
