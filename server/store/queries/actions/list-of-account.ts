import { type RawBuilder, sql } from 'kysely'
import type { AccountId } from '../../../tlb/ids.ts'
import { bytesList } from '../../postgres/lists.ts'
import { lastOf } from '../conditions.ts'
import { fixed, type Placeholder } from '../fixed.ts'
import { afterCursor, isIn, type Order, orderBy, type PageParams, readMatching } from '../order.ts'
import { keyOf } from '../transactions/transaction-key.ts'
import type { View } from '../view.ts'
import { type ActionFilter, type ActionRow, type Covered, conditionsOf, OF_ACCOUNT, placesOf, visibleRows } from './filter.ts'
import { actionKey } from './of-traces.ts'
import { traceIdsOf } from './trace-beginnings.ts'

/*
 * Lists the actions of an account. On a cluster, action_accounts is distributed by account and actions by trace, so the two cannot be joined. The list is read
 * first, and then the actions by their keys.
 */

type Listed = Pick<ActionRow, 'trace_id' | 'action_id' | 'end_lt' | 'trace_end_lt' | 'trace_end_utime'>

const listOf = (
  account: Buffer | Placeholder,
  said: readonly RawBuilder<boolean>[],
  order: Order<ActionRow>,
  sort: PageParams['sort'],
  limit: number | Placeholder,
): RawBuilder<Listed> =>
  sql<Listed>`select l.trace_id, l.action_id, l.action_end_lt as end_lt, l.trace_end_lt, l.trace_end_utime from action_accounts l
    where l.account = ${account} and ${sql.join(said, sql` and `)} order by ${orderBy(order, sort)} limit ${limit}`

/** The query of a page without filters, as a prepared statement. */
const usualPage = (sort: PageParams['sort']) =>
  fixed((builder, account, last, limit) =>
    listOf(account, [sql<boolean>`l.mc_seqno <= ${last}`], OF_ACCOUNT.byLt, sort, limit).compile(builder),
  )
const USUAL_PAGE = { asc: usualPage('asc'), desc: usualPage('desc') }

const byKeys = (traces: Buffer | Placeholder, ids: Buffer | Placeholder, said: readonly RawBuilder<boolean>[]): RawBuilder<ActionRow> =>
  sql<ActionRow>`select a.* from actions a
    where ${sql.join([isIn(sql.ref('a.trace_id'), traces), isIn(sql.ref('a.action_id'), ids), ...said], sql` and `)}`

const LISTED = fixed((builder, traces, ids) => byKeys(traces, ids, []).compile(builder))

interface ActionQuery {
  readonly filter: ActionFilter
  readonly types: readonly string[]
  readonly covered: Covered | undefined
}

const actionsOf = async (view: View, listed: readonly Listed[], { filter, types, covered }: ActionQuery): Promise<readonly ActionRow[]> => {
  if (listed.length === 0) return []
  const keys = [bytesList(traceIdsOf(listed)), bytesList(listed.map(({ action_id }) => action_id))] as const
  const said = conditionsOf(filter, types, covered)
  // Without a filter only the types that the caller supports matter, and most actions of a page have such a type. The rows are filtered here, so that the
  // statement can be a prepared one.
  if (said.length === 1 && !filter.action_type) return (await view.rows(LISTED(...keys))).filter(visibleRows(types))
  return await view.rows(byKeys(...keys, said).compile(view.sql), 'each')
}

export const actionsListed = (
  view: View,
  account: AccountId,
  order: Order<ActionRow>,
  page: PageParams,
  request: ActionQuery,
): Promise<readonly ActionRow[]> =>
  readMatching<Listed, ActionRow>(
    order as Order<Listed>,
    page,
    (piece) => {
      const after = afterCursor(order, piece)
      const said = [...placesOf(view, 'l', request.filter, piece, request.covered), ...(after ? [after] : [])]
      const isUsual = said.length === 1 && order === OF_ACCOUNT.byLt
      const query = isUsual
        ? USUAL_PAGE[piece.sort](keyOf(account), lastOf(view, piece), piece.limit)
        : listOf(keyOf(account), said, order, piece.sort, piece.limit).compile(view.sql)
      return view.rows(query)
    },
    async (listed) => {
      const found = await actionsOf(view, listed, request)
      const byKey = new Map(found.map((row) => [actionKey(row), row]))
      return listed.flatMap((row) => byKey.get(actionKey(row)) ?? [])
    },
  )
