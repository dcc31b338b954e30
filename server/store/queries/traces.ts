import { sql } from 'kysely'
import type { AccountId } from '../../tlb/ids.ts'
import { TRACE_COMPLETE } from '../codes.ts'
import type { Tables } from '../schema/tables.ts'
import { inWindow, type WindowFilter } from './conditions.ts'
import { keysOfMessages } from './messages.ts'
import { afterCursor, anyOf, bytesPart, numberPart, type Order, orderBy, type Page, type PageParams, readPage } from './order.ts'
import { keysOfHashes } from './transactions/by-hash.ts'
import { keyedOn, keyLists, keyOf, type TransactionKey } from './transactions/transaction-key.ts'
import type { View } from './view.ts'

export type TraceRow = Tables['traces']

export interface TraceFilter extends WindowFilter {
  readonly account?: AccountId | undefined
  readonly trace_id?: readonly Uint8Array[] | undefined
  readonly tx_hash?: readonly Uint8Array[] | undefined
  readonly msg_hash?: readonly Uint8Array[] | undefined
  readonly mc_seqno?: number | undefined
}

const id = bytesPart<TraceRow>(sql.ref('trace_id'), 32, (row) => row.trace_id)
const endLt = numberPart<TraceRow>(sql.ref('end_lt'), (row) => row.end_lt)
const BY_LT: Order<TraceRow> = { name: 'e', parts: [endLt, id] }
const BY_TIME: Order<TraceRow> = { name: 'u', parts: [numberPart(sql.ref('end_utime'), (row) => row.end_utime), endLt, id] }

const tracesOfKeys = async (view: View, keys: readonly TransactionKey[]): Promise<{ trace_id: Buffer }[]> =>
  keys.length === 0
    ? []
    : await view.rows(
        view.sql
          .selectFrom('transactions')
          .select('trace_id')
          .distinct()
          .where('mc_seqno', '<=', view.head)
          .where(keyedOn(view).transactions(keyLists(keys))),
      )

/**
 * Finds the traces that a filter selects by trace, transaction or message hash; undefined if the filter has no hash. There are at most as many traces as
 * hashes, unless an external message was received more than once.
 */
const namedTraces = async (view: View, filter: TraceFilter): Promise<readonly Uint8Array[] | undefined> => {
  if (filter.trace_id) return filter.trace_id
  if (filter.tx_hash === undefined && filter.msg_hash === undefined) return undefined
  const keys = filter.tx_hash ? await keysOfHashes(view, filter.tx_hash) : await keysOfMessages(view, filter.msg_hash!)
  return (await tracesOfKeys(view, keys)).map((row) => row.trace_id)
}

/**
 * Condition for traces that contain a transaction of an account. No index has both the account and the order of traces, so the planner chooses: for a busy
 * account it reads the newest traces, for others the account's transactions. A transaction is never later than the end of its trace, so the bound on end_lt
 * holds for its lt as well.
 */
const withAccount = (account: AccountId, { end_lt }: TraceFilter) => {
  const until = end_lt === undefined ? sql`` : sql` and lt <= ${String(end_lt)}`
  return sql<boolean>`trace_id in (select trace_id from transactions where account = ${keyOf(account)}${until})`
}

/** Reads one page of traces. `mc_seqno` selects the traces that this block completed. */
export const findTraces = async (view: View, filter: TraceFilter, page: PageParams): Promise<Page<TraceRow>> => {
  const timed = filter.start_utime !== undefined || filter.end_utime !== undefined
  const order = timed ? BY_TIME : BY_LT
  const named = await namedTraces(view, filter)
  const build = (piece: PageParams) => {
    const after = afterCursor(order, piece)
    let query = view.sql.selectFrom('traces').selectAll()
    if (after) query = query.where(after)
    query = query.where('mc_seqno_start', '<=', view.head)
    if (page.as_of !== undefined) query = query.where('mc_seqno_end', '<=', page.as_of)
    if (named) query = query.where(anyOf(sql.ref('trace_id'), named))
    if (filter.account) query = query.where(withAccount(filter.account, filter))
    if (filter.mc_seqno !== undefined) query = query.where('mc_seqno_end', '=', filter.mc_seqno).where('state', '=', TRACE_COMPLETE)
    for (const said of inWindow(sql.ref('end_utime'), sql.ref('end_lt'), filter, piece)) query = query.where(said)
    query = query.orderBy(orderBy(order, piece.sort)).limit(piece.limit)
    return piece.offset > 0 ? query.offset(piece.offset) : query
  }
  return await readPage(order, page, async (piece) => {
    if (named?.length === 0) return []
    // Planned at each run, because no single plan fits both busy and quiet accounts.
    return await view.rows(build(piece), filter.account ? 'each' : 'once')
  })
}
