import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { TRACE_COMPLETE } from '../codes.ts'
import type { Tables } from '../schema/tables.ts'
import { traces } from '../schema/traces.ts'
import { is, isAny, isTimed, keyOf, type WindowFilter, within } from './conditions.ts'
import { keysOfMessages } from './messages.ts'
import { EMPTY_PAGE, findPage, orderOf, type Page, type PageParams } from './order.ts'
import { keysOfHashes } from './transactions/by-hash.ts'
import { hasKey } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

export type TraceRow = Tables['traces']

export interface TraceFilter extends WindowFilter {
  readonly account?: AccountId | undefined
  readonly trace_id?: readonly Uint8Array[] | undefined
  readonly tx_hash?: readonly Uint8Array[] | undefined
  readonly msg_hash?: readonly Uint8Array[] | undefined
  readonly mc_seqno?: number | undefined
}

const BY_LT = orderOf(traces, 'e', ['end_lt', 'trace_id'])
const BY_TIME = orderOf(traces, 'u', ['end_utime', 'end_lt', 'trace_id'])

/**
 * Finds the traces that a filter selects by trace, transaction or message hash; undefined if the filter has no hash. There are at most as many traces as
 * hashes, unless an external message was received more than once.
 */
const namedTraces = async (view: View, filter: TraceFilter): Promise<readonly Uint8Array[] | undefined> => {
  if (filter.trace_id) return filter.trace_id
  if (filter.tx_hash === undefined && filter.msg_hash === undefined) return undefined
  const keys = filter.tx_hash ? await keysOfHashes(view, filter.tx_hash) : await keysOfMessages(view, filter.msg_hash!)
  if (keys.length === 0) return []
  const ofKeys = sql<{
    trace_id: Buffer
  }>`select distinct trace_id from transactions where mc_seqno <= ${view.head} and ${hasKey(view, keys)}`
  return (await view.rows(ofKeys)).map((row) => row.trace_id)
}

/**
 * Condition for traces that contain a transaction of an account. No index has both the account and the order of traces, so the planner chooses: for a busy
 * account it reads the newest traces, for others the account's transactions. A transaction is never later than the end of its trace, so the bound on end_lt
 * holds for its lt as well.
 */
const withAccount = (account: AccountId, { end_lt }: TraceFilter): RawBuilder<boolean> => {
  const until = end_lt === undefined ? sql`` : sql` and lt <= ${String(end_lt)}`
  return sql<boolean>`trace_id in (select trace_id from transactions where account = ${keyOf(account)}${until})`
}

/** Reads one page of traces. `mc_seqno` selects the traces that this block completed. */
export const findTraces = async (view: View, filter: TraceFilter, page: PageParams): Promise<Page<TraceRow>> => {
  const named = await namedTraces(view, filter)
  if (named?.length === 0) return EMPTY_PAGE
  const where = [
    sql<boolean>`mc_seqno_start <= ${view.head}`,
    page.as_of === undefined ? undefined : sql<boolean>`mc_seqno_end <= ${page.as_of}`,
    isAny('trace_id', named),
    filter.account && withAccount(filter.account, filter),
    is('mc_seqno_end', filter.mc_seqno),
    is('state', filter.mc_seqno === undefined ? undefined : TRACE_COMPLETE),
    ...within(filter, page, 'end_utime', 'end_lt'),
  ]
  // Planned at each run, because no single plan fits both busy and quiet accounts.
  return await findPage(view, isTimed(filter) ? BY_TIME : BY_LT, page, where, { planned: filter.account ? 'each' : 'once' })
}
