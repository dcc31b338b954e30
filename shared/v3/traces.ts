import { rule } from '../fields/field.ts'
import { hashes, v3Address } from '../fields/v3/addresses-and-hashes.ts'
import { v3Int } from '../fields/v3/numbers.ts'
import { actionsVersion } from '../fields/v3/request-settings.ts'
import { supportedActionTypes, v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3Events, v3Traces } from '../models/v3/traces.ts'
import { FRIENDLY } from '../samples.ts'
import { listParams, reads, sortedPage, traceWindow } from './common.ts'

const read = reads('Actions and traces')

/** `include_actions`: default of the parameter with this name. */
const traceParams = (include_actions: boolean) =>
  listParams(
    {
      account: v3Address('Only traces that touch this account.').optional(),
      trace_id: hashes('Only these traces; a trace is named by the hash of its first transaction.').optional(),
      tx_hash: hashes('Only traces that hold these transactions.').optional(),
      msg_hash: hashes('Only traces that hold these messages; of external ones the normalized hash is accepted too.').optional(),
      mc_seqno: v3Int('Only traces that ended in the masterchain block of this number.').optional(),
      ...traceWindow,
      include_actions: v3Bool('Whether the actions of each trace come with it.').default(include_actions),
      supported_action_types: supportedActionTypes().optional(),
      ...sortedPage,
      ...actionsVersion,
    },
    [
      (p) => [p.account, p.trace_id, p.tx_hash, p.msg_hash].filter((by) => by !== undefined).length <= 1,
      rule('only one of account, trace_id, tx_hash, msg_hash should be specified'),
    ],
  )

/** A trace contains the transactions that one external message caused. */
export const traces = {
  'v3.traces': method({
    ...read,
    page: { rows: 'traces', max: 1000 },
    summary: 'Traces with the tree of their transactions, newest first.',
    examples: [
      { title: 'the newest', params: { limit: 2 } },
      { title: 'of an account, with actions', params: { account: FRIENDLY, include_actions: true } },
    ],
    params: traceParams(false),
    result: v3Traces,
  }),
  'v3.events': method({
    ...read,
    page: { rows: 'events', max: 1000 },
    summary: 'The same as v3.traces with actions, under an older name; the list is called `events`.',
    examples: [{ title: 'of an account', params: { account: FRIENDLY, limit: 2 } }],
    params: traceParams(true),
    result: v3Events,
  }),
}
