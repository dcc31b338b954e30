import * as z from 'zod'
import { FINALITY_WORDS } from '../../live/subscriptions.ts'
import { flag, hash44, int, many, rawUpper, text, utime, words } from '../value-formats.ts'
import { v3Action } from './actions.ts'
import { requestedBooks } from './book.ts'
import { v3JettonWallets } from './jettons.ts'
import { traceNode } from './traces.ts'
import { accountStateAt, v3Transaction } from './transactions.ts'

const finality = words('How sure it is.', FINALITY_WORDS)
const traceHash = hash44('Normalized hash of the external message that began the trace; null if none did.').nullable()
const ofTrace = { finality, trace_external_hash_norm: traceHash }
const transaction = v3Transaction
  .extend({ trace_external_hash: hash44('Hash of the message that began its trace; null if none did.').nullable() })
  .meta({ id: 'EventTransaction', description: 'A transaction as v3 has it.' })
const place = {
  cursor: text('Place after the event, for streams with cursors; events of pending traces have none.', '5120.q6ur.~').optional(),
}
const beside = { ...requestedBooks, ...place }

const event = <const T extends string, S extends z.ZodRawShape>(id: string, type: T, description: string, shape: S) =>
  z.strictObject({ type: z.literal(type).meta({ description: 'Type of the event.' }), ...shape }).meta({ id, description })

export const events = {
  transactions: event('TransactionsEvent', 'transactions', 'Transactions of the accounts, newest first.', {
    ...ofTrace,
    transactions: many('The transactions.', transaction),
    is_incomplete: flag('Whether older ones were left out because there are too many.').optional(),
    ...beside,
  }),
  actions: event('ActionsEvent', 'actions', 'Actions of the accounts in one trace.', {
    ...ofTrace,
    actions: many('The actions.', v3Action),
    is_incomplete: flag('Whether some were left out because they are too long.').optional(),
    ...beside,
  }),
  trace: event('TraceEvent', 'trace', 'A trace as far as it is known.', {
    ...ofTrace,
    trace_id: hash44('Id of the trace; null if that is not known.').nullable(),
    trace: traceNode.describe('The tree of its transactions.').nullable(),
    transactions: z
      .record(hash44('Hash of a transaction.'), transaction)
      .meta({ description: 'Its transactions by their hashes.', examples: [{}] }),
    is_incomplete: flag('Whether transactions were left out because there are too many.').optional(),
    warning: text('What is missing of the trace.', 'too many transactions').optional(),
    actions: many('What the trace means.', v3Action).optional(),
    ...beside,
  }),
  account_state_change: event('AccountStateEvent', 'account_state_change', 'An account has another state.', {
    finality,
    account: rawUpper('The account.'),
    state: accountStateAt.partial().describe('Its state.'),
    ...beside,
  }),
  jettons_change: event('JettonsEvent', 'jettons_change', 'A jetton wallet holds another amount.', {
    finality,
    jetton: v3JettonWallets.shape.jetton_wallets.element.describe('The jetton wallet.'),
    ...beside,
  }),
  block: event('BlockEvent', 'block', 'A block of the masterchain or of a shard is finalized; asked for by `blocks`.', {
    finality,
    workchain: int('Workchain of the block.', -1),
    shard: text('Its shard, as 16 hex digits.', '8000000000000000'),
    seqno: int('Its number in its shard.', 1000),
    root_hash: hash44('Its root hash.'),
    gen_utime: utime('When it was made.'),
    tx_count: int('How many transactions it has.', 3),
    masterchain_seqno: int('Number of the masterchain block that commits it.', 1000),
    ...place,
  }),
  trace_invalidated: event('TraceInvalidatedEvent', 'trace_invalidated', 'A trace that was sent will not happen so, or was reverted.', {
    trace_external_hash_norm: traceHash,
    ...place,
  }),
  reset: event('ResetEvent', 'reset', 'Everything above this block was reverted. Only for streams with cursors.', {
    seqno: int('Number of the last masterchain block that still holds.', 1000),
    ...place,
  }),
  gap: event(
    'GapEvent',
    'gap',
    'Events of these blocks were skipped; of the block that comes next, only those before finality. Only for streams with cursors.',
    {
      from_seqno: int('First masterchain block of the gap.', 10),
      to_seqno: int('Its last masterchain block.', 99),
      ...place,
    },
  ),
}
