import { hashes, v3Address } from '../fields/v3/addresses-and-hashes.ts'
import { v3Int } from '../fields/v3/numbers.ts'
import { actionsVersion } from '../fields/v3/request-settings.ts'
import { actionTypes, supportedActionTypes, v3Bool } from '../fields/v3/words.ts'
import { method } from '../method.ts'
import { v3Actions } from '../models/v3/actions.ts'
import { FRIENDLY } from '../samples.ts'
import { listParams, reads, sortedPage, traceWindow } from './common.ts'

const read = reads('Actions and traces')

export const actions = {
  'v3.actions': method({
    ...read,
    page: { rows: 'actions', max: 1000 },
    summary: 'What happened: transfers, swaps, mints, bids, stakes and the other actions of complete traces, newest first.',
    examples: [
      { title: 'the newest', params: { limit: 3 } },
      { title: 'of an account, for a client of version 1', params: { account: FRIENDLY, supported_action_types: ['v1'] } },
      { title: 'transfers of a time', params: { action_type: ['ton_transfer', 'jetton_transfer'], start_utime: 1_700_000_000, limit: 5 } },
    ],
    params: listParams({
      account: v3Address('Only actions that this account takes part in.').optional(),
      tx_hash: hashes('Only actions that cover these transactions.').optional(),
      msg_hash: hashes(
        'Only actions that cover a transaction with these messages; of external ones the normalized hash is accepted too.',
      ).optional(),
      action_id: hashes('Only these actions; all other filters are ignored.').optional(),
      trace_id: hashes('Only actions of these traces; without `account`, filters by time and type are ignored.').optional(),
      mc_seqno: v3Int('Only actions of traces that were completed in the masterchain block of this number.').optional(),
      ...traceWindow,
      action_type: actionTypes('Only actions of these types.').optional(),
      exclude_action_type: actionTypes('No actions of these types.').optional(),
      supported_action_types: supportedActionTypes().optional(),
      initiated_by_account: v3Bool('Only actions that `account` itself began.').optional(),
      include_accounts: v3Bool('Whether the accounts of each action come with it.').default(false),
      include_transactions: v3Bool('Whether the transactions of each action come with it.').default(false),
      ...sortedPage,
      ...actionsVersion,
    }),
    result: v3Actions,
    errors: ['NOT_FOUND'],
  }),
}
