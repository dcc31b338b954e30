import { sql } from 'kysely'
import type { AccountId } from '../../../tlb/ids.ts'
import { isAccount, isAny, isTimed } from '../conditions.ts'
import { all, EMPTY_PAGE, findPage, type Page, pageRows, readMatching, toPage } from '../order.ts'
import type { View } from '../view.ts'
import {
  type ActionParams,
  type ActionRow,
  type Covered,
  conditionsOf,
  coveredBy,
  effective,
  OF_ACCOUNT,
  OF_ALL,
  placesOf,
} from './filter.ts'
import { actionKey, traceIdsOf } from './of-traces.ts'

interface ActionQuery {
  readonly params: ActionParams
  readonly types: readonly string[]
  readonly covered: Covered | undefined
}

type ActionKey = Pick<ActionRow, 'trace_id' | 'action_id'>

const actionsOf = async (view: View, listed: readonly ActionKey[], { params, types, covered }: ActionQuery): Promise<ActionRow[]> => {
  if (listed.length === 0) return []
  const ids = listed.map(({ action_id }) => action_id)
  const where = all([isAny('trace_id', traceIdsOf(listed)), isAny('action_id', ids), ...conditionsOf(params, types, covered)])
  return await view.rows(sql<ActionRow>`select * from actions where ${where}`, 'generic')
}

/**
 * Reads the actions of an account. On a cluster, action_accounts is distributed by account and actions by trace, so the two cannot be joined. The list is
 * read first, and then the actions by their keys.
 */
const actionsListed = (view: View, account: AccountId, request: ActionQuery): Promise<readonly ActionRow[]> => {
  const { params, covered } = request
  const order = isTimed(params) ? OF_ACCOUNT.byTime : OF_ACCOUNT.byLt
  return readMatching(
    order,
    params,
    (piece) => view.rows(pageRows(order, piece, [isAccount('account', account), ...placesOf(view, piece, covered)])),
    async (listed) => {
      const byKey = new Map((await actionsOf(view, listed, request)).map((row) => [actionKey(row), row]))
      return listed.flatMap((row) => byKey.get(actionKey(row)) ?? [])
    },
  )
}

/** Reads one page of actions. `types`: the action types that the caller supports. */
export const findActions = async (view: View, given: ActionParams, types: readonly string[]): Promise<Page<ActionRow>> => {
  const params = effective(given)
  const covered = await coveredBy(view, params)
  if (covered?.hashes.length === 0) return EMPTY_PAGE
  const order = isTimed(params) ? OF_ALL.byTime : OF_ALL.byLt
  if (params.account) return toPage(order, params, await actionsListed(view, params.account, { params, types, covered }))
  const where = [...placesOf(view, params, covered), ...conditionsOf(params, types, covered)]
  // Planned at each run, because no single plan fits both rare and common types.
  const isNamed = (covered ?? params.trace_id ?? params.action_id ?? params.action_type) !== undefined
  return await findPage(view, order, params, where, { planned: isNamed ? 'each' : 'once' })
}
