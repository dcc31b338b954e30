import { sql } from 'kysely'
import { bytesList } from '../../postgres/lists.ts'
import { distinct } from '../../row-keys.ts'
import { fixed } from '../fixed.ts'
import { byPieces, isIn } from '../order.ts'
import type { View } from '../view.ts'

/** The message that began a trace. `external_hash_norm` is null if it equals `external_hash`. */
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

export const beginningsOf = (view: View, rows: readonly Pick<TraceBeginning, 'trace_id'>[]): Promise<readonly TraceBeginning[]> =>
  byPieces(traceIdsOf(rows), (piece) => view.rows(BEGINNINGS(bytesList(piece))))

export const traceIdsOf = (rows: readonly Pick<TraceBeginning, 'trace_id'>[]): Buffer[] => distinct(rows.map(({ trace_id }) => trace_id))
