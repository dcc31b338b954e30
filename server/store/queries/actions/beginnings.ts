import { sql } from 'kysely'
import { bytesList } from '../../postgres/lists.ts'
import { distinct, nameOf } from '../../row-keys.ts'
import { fixed } from '../fixed.ts'
import type { View } from '../head.ts'
import { byPieces, isIn } from '../order.ts'

/* How traces began. */

/** The message that began a trace: its hash, and its normalized hash if that is another one. */
export interface TraceBeginning {
  readonly trace_id: Buffer
  readonly external_hash: Buffer | null
  readonly external_hash_norm: Buffer | null
}

const BEGINNINGS = fixed((builder, ids) =>
  builder
    .selectFrom('traces')
    .select(['trace_id', 'external_hash', 'external_hash_norm'])
    .where(isIn(sql.ref('trace_id'), ids)),
)

const readBeginnings = (view: View, ids: readonly Buffer[]): Promise<TraceBeginning[]> =>
  byPieces(ids, (piece) => view.shards(BEGINNINGS(bytesList(piece)), 'once', piece))

/** Largest number of traces whose beginnings are read together with their actions. */
export const MOST_AHEAD = 100

/** Beginnings that were asked for together with the actions of these traces (`nameOf`). */
interface Ahead {
  readonly traces: ReadonlySet<string>
  readonly rows: Promise<readonly TraceBeginning[]>
}

const asked = new WeakMap<View, Ahead>()

/** The nodes of a cluster are asked for the beginnings of traces together with the actions, so that one trip less is made. */
export const askAhead = (view: View, ids: readonly Buffer[]): void => {
  const rows = readBeginnings(view, ids)
  rows.catch(() => {})
  asked.set(view, { traces: new Set(ids.map(nameOf)), rows })
}

/** How the traces of actions or transactions began. */
export const beginningsOf = async (view: View, rows: readonly Pick<TraceBeginning, 'trace_id'>[]): Promise<readonly TraceBeginning[]> => {
  const ids = traceIdsOf(rows)
  const ahead = asked.get(view)
  return ahead && ids.every((id) => ahead.traces.has(nameOf(id))) ? await ahead.rows : await readBeginnings(view, ids)
}

/** Ids of the traces of rows, each once. */
export const traceIdsOf = (rows: readonly Pick<TraceBeginning, 'trace_id'>[]): Buffer[] => distinct(rows.map(({ trace_id }) => trace_id))
