import { distinct } from '../../row-keys.ts'
import type { Tables } from '../../schema/tables.ts'
import { lookUp } from '../look-up.ts'
import type { View } from '../view.ts'

/** The message that began a trace. `external_hash_norm` is null if it equals `external_hash`. */
export type TraceBeginning = Pick<Tables['traces'], 'trace_id' | 'external_hash' | 'external_hash_norm'>

const beginnings = lookUp({ from: 'traces', by: 'trace_id', columns: ['trace_id', 'external_hash', 'external_hash_norm'] })

export const beginningsOf = (view: View, rows: readonly Pick<TraceBeginning, 'trace_id'>[]): Promise<readonly TraceBeginning[]> =>
  beginnings(view, traceIdsOf(rows))

export const traceIdsOf = (rows: readonly Pick<TraceBeginning, 'trace_id'>[]): Buffer[] => distinct(rows.map(({ trace_id }) => trace_id))
