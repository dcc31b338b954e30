import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { TRACE_COMPLETE } from '../codes.ts'
import { distinct } from '../row-keys.ts'
import type { Tables } from '../schema/tables.ts'
import { traces } from '../schema/traces.ts'
import { withBounds } from './bounds.ts'
import { is, isAny, isTimed, keyOf, type ListParams, within } from './conditions.ts'
import { keysOfMessages } from './messages.ts'
import { EMPTY_PAGE, findPage, orderOf, type Page } from './order.ts'
import { columnsByKeys, keysOfHashes } from './transactions/by-key.ts'
import type { View } from './view.ts'

export type TraceRow = Tables['traces']

type TraceParams = ListParams<'v3.traces'>

const BY_LT = orderOf(traces, 'e', ['end_lt', 'trace_id'])
const BY_TIME = orderOf(traces, 'u', ['end_utime', 'end_lt', 'trace_id'])

/**
 * Finds the traces that a filter selects by trace, transaction or message hash; undefined if the filter has no hash. There are at most as many traces as
 * hashes, unless an external message was received more than once.
 */
const namedTraces = async (view: View, params: TraceParams): Promise<readonly Uint8Array[] | undefined> => {
  if (params.trace_id) return params.trace_id
  if (params.tx_hash === undefined && params.msg_hash === undefined) return undefined
  const keys = params.tx_hash ? await keysOfHashes(view, params.tx_hash) : await keysOfMessages(view, params.msg_hash!)
  return distinct((await columnsByKeys(view, keys, ['trace_id'])).map(({ trace_id }) => trace_id))
}

/**
 * Condition for traces that contain a transaction of an account. No index has both the account and the order of traces, so the planner chooses: for a busy
 * account it reads the newest traces, for others the account's transactions. A transaction is never later than the end of its trace, so the bound on end_lt
 * holds for its lt as well.
 */
const withAccount = (account: AccountId, { end_lt }: TraceParams): RawBuilder<boolean> => {
  const until = end_lt === undefined ? sql`` : sql` and lt <= ${String(end_lt)}`
  return sql<boolean>`trace_id in (select trace_id from transactions where account = ${keyOf(account)}${until})`
}

/** Reads one page of traces. `mc_seqno` selects the traces that this block completed. */
export const findTraces = async (view: View, params: TraceParams): Promise<Page<TraceRow>> => {
  const named = await namedTraces(view, params)
  if (named?.length === 0) return EMPTY_PAGE
  const where = [
    sql<boolean>`mc_seqno_start <= ${view.head}`,
    params.as_of === undefined ? undefined : sql<boolean>`mc_seqno_end <= ${params.as_of}`,
    isAny('trace_id', named),
    params.account && withAccount(params.account, params),
    is('mc_seqno_end', params.mc_seqno),
    is('state', params.mc_seqno === undefined ? undefined : TRACE_COMPLETE),
    ...within(await withBounds(view, params), 'end_utime', 'end_lt'),
  ]
  // Planned at each run, because no single plan fits both busy and quiet accounts.
  return await findPage(view, isTimed(params) ? BY_TIME : BY_LT, params, where, { planned: params.account ? 'each' : 'once' })
}
