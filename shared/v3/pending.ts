import * as z from 'zod'
import { rule } from '../fields/field.ts'
import { addresses, hashes, v3Address } from '../fields/v3/keys.ts'
import { overrides } from '../fields/v3/overrides.ts'
import { actionTypes, v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3Actions, v3Traces } from '../models/v3/trace.ts'
import { v3Transactions } from '../models/v3/transaction.ts'
import { read } from './blockchain.ts'

const ofTrace = {
  account: v3Address().optional(),
  ext_msg_hash: hashes().optional(),
  supported_action_types: actionTypes().optional(),
  ...overrides,
}
const named = [
  (p: { readonly account?: unknown; readonly ext_msg_hash?: unknown }): boolean => p.account !== undefined || p.ext_msg_hash !== undefined,
  rule('account or ext_msg_hash should be specified'),
] as const

/** What is on its way into a block. */
export const pending = {
  'v3.pendingTransactions': method({
    ...read,
    summary: 'Transactions that are expected but in no block yet.',
    params: z
      .object({ account: addresses().optional(), trace_id: hashes().optional(), ...overrides })
      .refine((p) => p.account !== undefined || p.trace_id !== undefined, rule('at least 1 account address required')),
    result: v3Transactions,
    errors: ['NOT_FOUND'],
  }),
  'v3.pendingTraces': method({
    ...read,
    summary: 'Traces that are expected but in no block yet.',
    params: z.object(ofTrace).refine(...named),
    result: v3Traces,
  }),
  'v3.pendingActions': method({
    ...read,
    summary: 'Actions that are expected but in no block yet.',
    params: z.object({ ...ofTrace, include_transactions: v3Bool().optional() }).refine(...named),
    result: v3Actions,
  }),
}
