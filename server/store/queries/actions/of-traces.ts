import { sql } from 'kysely'
import { bytesList } from '../../postgres/lists.ts'
import { nameOf } from '../../row-keys.ts'
import { fixed } from '../fixed.ts'
import { anyOf, byPieces, isIn } from '../order.ts'
import type { View } from '../view.ts'
import { type ActionRow, visibleTo } from './filter.ts'
import { traceIdsOf } from './trace-beginnings.ts'

/** Reads the actions that a caller who supports `types` sees, ordered by start lt within a trace. */
export const actionsOfTraces = (view: View, ids: readonly Buffer[], types: readonly string[]): Promise<ActionRow[]> =>
  byPieces(ids, (piece) =>
    view.rows(
      sql<ActionRow>`select a.* from actions a where ${anyOf(sql.ref('a.trace_id'), piece)} and a.mc_seqno <= ${view.head}
        and ${visibleTo(types, {})} order by a.trace_id, a.start_lt, a.end_lt, a.action_id`.compile(view.sql),
    ),
  )

export const actionOfId = async (view: View, id: Uint8Array): Promise<ActionRow | undefined> => {
  const rows = await view.rows(
    view.sql.selectFrom('actions').selectAll().where('action_id', '=', Buffer.from(id)).where('mc_seqno', '<=', view.head).limit(1),
  )
  return rows[0]
}

/** Reads the accounts under which actions are listed, by `actionKey`. */
export const accountsOfActions = async (view: View, rows: readonly ActionRow[]): Promise<ReadonlyMap<string, readonly Buffer[]>> => {
  const found = new Map<string, Buffer[]>()
  const listed = await byPieces(traceIdsOf(rows), (piece) =>
    view.rows(
      view.sql
        .selectFrom('action_accounts')
        .select(['trace_id', 'action_id', 'account'])
        .where(anyOf(sql.ref('trace_id'), piece))
        .orderBy('account'),
    ),
  )
  for (const row of listed) {
    const key = actionKey(row)
    const ofAction = found.get(key)
    if (ofAction === undefined) found.set(key, [row.account])
    else ofAction.push(row.account)
  }
  return found
}

export const actionKey = ({ trace_id, action_id }: Pick<ActionRow, 'trace_id' | 'action_id'>): string =>
  nameOf(trace_id) + nameOf(action_id)

const CLASSIFICATIONS = fixed((builder, head, ids) =>
  builder
    .selectFrom('trace_classifications')
    .select(['trace_id', 'state'])
    .where('mc_seqno', '<=', head)
    .where(isIn(sql.ref('trace_id'), ids)),
)

/** Reads classification states by trace id (latin1). Traces that are not classified are missing. */
export const classificationsOf = async (view: View, ids: readonly Buffer[]): Promise<ReadonlyMap<string, number>> => {
  const rows = await byPieces(ids, (piece) => view.rows(CLASSIFICATIONS(view.head, bytesList(piece))))
  return new Map(rows.map(({ trace_id, state }) => [nameOf(trace_id), state]))
}
