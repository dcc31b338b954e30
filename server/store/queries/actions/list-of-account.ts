import { sql } from 'kysely'
import type { AccountId } from '../../../tlb/ids.ts'
import { isAccount, isAny, isTimed } from '../conditions.ts'
import { all, type PageParams, pageRows, readMatching } from '../order.ts'
import type { View } from '../view.ts'
import { type ActionFilter, type ActionRow, type Covered, conditionsOf, OF_ACCOUNT, placesOf } from './filter.ts'
import { actionKey } from './of-traces.ts'
import { traceIdsOf } from './trace-beginnings.ts'

/*
 * Lists the actions of an account. On a cluster, action_accounts is distributed by account and actions by trace, so the two cannot be joined. The list is read
 * first, and then the actions by their keys.
 */

interface ActionQuery {
  readonly filter: ActionFilter
  readonly types: readonly string[]
  readonly covered: Covered | undefined
}

type ActionKey = Pick<ActionRow, 'trace_id' | 'action_id'>

const actionsOf = async (view: View, listed: readonly ActionKey[], { filter, types, covered }: ActionQuery): Promise<ActionRow[]> => {
  if (listed.length === 0) return []
  const ids = listed.map(({ action_id }) => action_id)
  const where = all([isAny('trace_id', traceIdsOf(listed)), isAny('action_id', ids), ...conditionsOf(filter, types, covered)])
  return await view.rows(sql<ActionRow>`select * from actions where ${where}`, 'generic')
}

export const actionsListed = (view: View, account: AccountId, page: PageParams, request: ActionQuery): Promise<readonly ActionRow[]> => {
  const { filter, covered } = request
  const order = isTimed(filter) ? OF_ACCOUNT.byTime : OF_ACCOUNT.byLt
  return readMatching(
    order,
    page,
    (piece) => {
      const where = [isAccount('account', account), ...placesOf(view, filter, piece, covered)]
      return view.rows(pageRows(order, piece, where))
    },
    async (listed) => {
      const byKey = new Map((await actionsOf(view, listed, request)).map((row) => [actionKey(row), row]))
      return listed.flatMap((row) => byKey.get(actionKey(row)) ?? [])
    },
  )
}
