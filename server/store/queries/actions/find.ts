import { sql } from 'kysely'
import type { View } from '../head.ts'
import { byOrder, merged, plannedBy } from '../merged.ts'
import { afterCursor, anyOf, orderBy, type Page, type PageParams, readPage } from '../order.ts'
import { keyOf } from '../transactions/keys.ts'
import { type ActionFilter, type ActionRow, conditionsOf, coveredBy, effective, OF_ACCOUNT, OF_ALL, placesOf } from './filter.ts'
import { actionsListed } from './list-of-account.ts'

/** Fields for whose values different plans are right. */
const UNEVEN = ['mc_seqno', 'account', 'exclude_action_type', 'start_utime', 'end_utime', 'start_lt', 'end_lt'] as const

/** Actions of a filter that a caller who knows these types sees, one page. */
export const findActions = async (
  view: View,
  given: ActionFilter,
  types: readonly string[],
  page: PageParams,
): Promise<Page<ActionRow>> => {
  const filter = effective(given)
  const covered = await coveredBy(view, filter)
  const timed = filter.start_utime !== undefined || filter.end_utime !== undefined
  const { account } = filter
  const orders = account ? OF_ACCOUNT : OF_ALL
  const order = timed ? orders.byTime : orders.byLt
  return await readPage(order, page, async (piece) => {
    if (covered?.hashes.length === 0) return []
    if (account && view.isDistributed) return await actionsListed(view, account, order, piece, { filter, types, covered })
    const after = afterCursor(order, piece)
    const table = account ? 'l' : 'a'
    const places = placesOf(view, table, filter, piece, covered)
    if (after) places.push(after)
    const said = conditionsOf(filter, types, covered)
    const named = covered ?? filter.trace_id ?? filter.action_id ?? filter.action_type
    const traces = account ? undefined : (covered?.traces ?? filter.trace_id)
    const isOfTraces = view.isSpread && traces !== undefined
    const plan = isOfTraces ? 'kept' : named ? 'each' : plannedBy(filter, UNEVEN)
    // The account's list leads: each of its rows brings its action by key, in the order of the list.
    const text = ({ limit, offset }: PageParams) => {
      const ends = sql`order by ${orderBy(order, piece.sort)} limit ${limit} offset ${offset}`
      // Nodes find the actions of traces by their key, so that one plan is right for all of them. The coordinator, which is asked for deep pages, plans anew.
      const from =
        isOfTraces && offset === 0 ? sql`(select * from actions where ${anyOf(sql.ref('trace_id'), traces)} offset 0)` : sql`actions`
      return account
        ? sql<ActionRow>`select a.* from action_accounts l cross join lateral (select * from actions a
          where a.trace_id = l.trace_id and a.action_id = l.action_id and ${sql.join(said, sql` and `)} limit 1) a
          where l.account = ${keyOf(account)} and ${sql.join(places, sql` and `)} ${ends}`
        : sql<ActionRow>`select a.* from ${from} a where ${sql.join([...places, ...said], sql` and `)} ${ends}`
    }
    // No single plan fits rare and common types.
    return await merged(view, piece, byOrder(order, piece.sort), (part) => ({ compile: () => text(part).compile(view.sql) }), plan, traces)
  })
}
