import type { Action, Classification } from '../../../actions/action.ts'
import { CLASSIFIER_VERSION } from '../../../actions/classify.ts'
import type { Facts } from '../../../actions/facts.ts'
import type { Address, Trace } from '../../../actions/trace.ts'
import { keyOfRaw } from '../../../store/row-keys.ts'
import type { actionAccounts, actions, traceClassifications } from '../../../store/schema/actions.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import { factText, jsonText } from './fact-text.ts'

type ActionRow = WriteRow<typeof actions>

export interface ActionRows {
  readonly classifications: WriteRow<typeof traceClassifications>[]
  readonly actions: ActionRow[]
  readonly accounts: WriteRow<typeof actionAccounts>[]
}

export const noActionRows = (): ActionRows => ({ classifications: [], actions: [], accounts: [] })

export interface Classified {
  readonly trace: Trace
  readonly facts: Facts
  /** Seqno of the masterchain block after which the facts were read. */
  readonly factsSeqno: number
  readonly classification: Pick<Classification, 'state' | 'actions'>
}

const endsOf = ({ transactions }: Trace) => {
  let [seqno, lt, utime] = [0, 0n, 0]
  for (const tx of transactions) {
    seqno = Math.max(seqno, tx.mcSeqno)
    if (tx.lt > lt) lt = tx.lt
    utime = Math.max(utime, tx.now)
  }
  return { seqno, lt, utime }
}

const PARTIES = ['source', 'sourceSecondary', 'destination', 'destinationSecondary', 'asset', 'assetSecondary'] as const
const REST = ['asset2', 'asset2Secondary', 'opcode', 'value', 'amount'] as const

/** The fields that only answers need, as JSON. Null and empty fields are left out. */
const contentOf = (action: Action): string => {
  const content: Record<string, unknown> = {}
  for (const name of [...PARTIES, ...REST]) if (action[name] !== null) content[name] = action[name]
  const { extraCurrencies, data } = action
  if (extraCurrencies !== undefined && extraCurrencies.size > 0) content['extraCurrencies'] = Object.fromEntries(extraCurrencies)
  if (Object.keys(data).length > 0) content['data'] = data
  return jsonText(content)
}

const rowOf = (action: Action, trace: Trace, { seqno, lt, utime }: ReturnType<typeof endsOf>): ActionRow => ({
  trace_id: trace.id,
  action_id: action.id,
  mc_seqno: seqno,
  type: action.type,
  start_lt: action.startLt,
  end_lt: action.endLt,
  start_utime: action.startUtime,
  end_utime: action.endUtime,
  trace_end_lt: lt,
  trace_end_utime: utime,
  success: action.success,
  initiator: action.initiator === null ? null : keyOfRaw(action.initiator),
  parent_id: action.parentId,
  ancestors: action.ancestors.length === 0 ? null : action.ancestors,
  tx_hashes: action.transactions.join(''),
  content: contentOf(action),
})

/** Yields after each fact and action. */
export function* addRows(rows: ActionRows, { trace, facts, factsSeqno, classification }: Classified): Generator<void> {
  const ends = endsOf(trace)
  rows.classifications.push({
    trace_id: trace.id,
    mc_seqno: ends.seqno,
    facts_seqno: factsSeqno,
    version: CLASSIFIER_VERSION,
    state: classification.state,
    facts: facts.size === 0 ? undefined : yield* factText(facts),
  })
  for (const action of classification.actions) {
    rows.actions.push(rowOf(action, trace, ends))
    const listed = (address: Address) => ({
      account: keyOfRaw(address),
      trace_end_lt: ends.lt,
      trace_id: trace.id,
      action_end_lt: action.endLt,
      action_id: action.id,
      trace_end_utime: ends.utime,
      mc_seqno: ends.seqno,
    })
    for (const address of new Set(action.accounts)) rows.accounts.push(listed(address))
    yield
  }
}
