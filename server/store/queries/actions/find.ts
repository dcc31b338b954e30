import { sql } from 'kysely'
import { afterCursor, orderBy, type Page, type PageParams, readPage } from '../order.ts'
import type { View } from '../view.ts'
import { type ActionFilter, type ActionRow, conditionsOf, coveredBy, effective, OF_ACCOUNT, OF_ALL, placesOf } from './filter.ts'
import { actionsListed } from './list-of-account.ts'

/** Reads one page of actions. `types`: the action types that the caller supports. */
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
    if (account) return await actionsListed(view, account, order, piece, { filter, types, covered })
    const after = afterCursor(order, piece)
    const said = [...placesOf(view, 'a', filter, piece, covered), ...(after ? [after] : []), ...conditionsOf(filter, types, covered)]
    const query = sql<ActionRow>`select a.* from actions a where ${sql.join(said, sql` and `)}
      order by ${orderBy(order, piece.sort)} limit ${piece.limit} offset ${piece.offset}`
    // Planned at each run, because no single plan fits both rare and common types.
    const isNamed = (covered ?? filter.trace_id ?? filter.action_id ?? filter.action_type) !== undefined
    return await view.rows(query.compile(view.sql), isNamed ? 'each' : 'once')
  })
}
