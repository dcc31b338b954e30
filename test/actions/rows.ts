import type { Action, Value } from '../../server/actions/action.ts'
import { base64Of } from '../../server/actions/trace.ts'

/* Actions as rows of TON Center's table `actions`, which is what the recorded cases compare. */

export type Row = { readonly [name: string]: unknown }

/** Whole numbers as text, whatever their size: `12` of a case and `12n` of an action are the same. */
const plain = (value: Value | undefined): unknown => {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v as Value)]))
  return value
}

export const rowOf = (action: Action): Row => ({
  type: action.type,
  action_id: base64Of(action.id),
  start_lt: plain(action.startLt),
  end_lt: plain(action.endLt),
  start_utime: plain(action.startUtime),
  end_utime: plain(action.endUtime),
  mc_seqno_end: plain(action.mcSeqnoEnd),
  success: action.success,
  source: action.source,
  source_secondary: action.sourceSecondary,
  destination: action.destination,
  destination_secondary: action.destinationSecondary,
  asset: action.asset,
  asset_secondary: action.assetSecondary,
  asset2: action.asset2,
  asset2_secondary: action.asset2Secondary,
  opcode: plain(action.opcode),
  value: plain(action.value),
  amount: plain(action.amount),
  accounts: action.accounts,
  tx_hashes: action.transactions.map(base64Of),
  parent_action_id: action.parentId === null ? null : base64Of(action.parentId),
  ancestor_type: action.ancestors,
  data: plain(action.data),
})

/** The value at a path of a case: `jetton_swap_data.peer_swaps[0]`. What a type alone has is in `data`, whatever its column is called. */
export const at = (row: Row, path: string): unknown => {
  let value: unknown = row
  for (const [i, part] of path.split('.').entries()) {
    const [, name, index] = /^(.+?)(?:\[(\d+)\])?$/.exec(part) ?? []
    if (value === null || value === undefined) return null
    value = i === 0 && name!.endsWith('_data') ? row['data'] : (value as Row)[name!]
    if (index !== undefined) value = (value as readonly unknown[] | undefined)?.[Number(index)]
  }
  return value ?? null
}
