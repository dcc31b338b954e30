import { isTimed } from '../conditions.ts'
import { EMPTY_PAGE, findPage, type Page, type PageParams, toPage } from '../order.ts'
import type { View } from '../view.ts'
import { type ActionFilter, type ActionRow, conditionsOf, coveredBy, effective, OF_ALL, placesOf } from './filter.ts'
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
  if (covered?.hashes.length === 0) return EMPTY_PAGE
  const order = isTimed(filter) ? OF_ALL.byTime : OF_ALL.byLt
  if (filter.account) return toPage(order, page, await actionsListed(view, filter.account, page, { filter, types, covered }))
  const where = [...placesOf(view, filter, page, covered), ...conditionsOf(filter, types, covered)]
  // Planned at each run, because no single plan fits both rare and common types.
  const isNamed = (covered ?? filter.trace_id ?? filter.action_id ?? filter.action_type) !== undefined
  return await findPage(view, order, page, where, { planned: isNamed ? 'each' : 'once' })
}
