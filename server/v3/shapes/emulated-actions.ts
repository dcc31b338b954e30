import type { Classification } from '../../actions/action.ts'
import type { Facts } from '../../actions/facts.ts'
import { traceOf } from '../../actions/from-transactions.ts'
import { isVisible, type Visible } from '../../actions/supported-types.ts'
import type { Trace } from '../../actions/trace.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import { addRows, noActionRows } from '../../index/topics/actions/rows.ts'
import { classifyTrace } from '../../index/topics/actions/topic.ts'
import { keyOfRaw } from '../../store/row-keys.ts'
import { actions } from '../../store/schema/actions.ts'
import { asRead } from '../../store/schema/table.ts'
import { toAction, type WireAction } from './action.ts'

export const classifiable = ({ nodes }: EmulatedTrace): Trace =>
  traceOf(
    nodes[0]!.transaction.root.hashKey(),
    nodes.map(({ transaction, account, mcSeqno }) => ({
      tx: transaction,
      hash: transaction.root.hashKey(),
      workchain: account.workchain,
      mcSeqno,
    })),
  )

interface Listed extends Visible {
  readonly wire: WireAction
}

export interface ActionsContext {
  /** Hash and normalized hash of the message that began the trace, base64. Undefined if that message was not external. */
  readonly externalHash: string | undefined
  readonly externalHashNorm?: string | undefined
  /** Types that the caller supports. If undefined, all actions are listed. */
  readonly types?: ReadonlySet<string> | undefined
  readonly isTestnet: boolean
  /** Hash of the first transaction, if it is already in a block. */
  readonly traceId?: string | undefined
  readonly finality?: WireAction['finality']
}

/**
 * Lists the actions of a trace, ordered by start lt. With `type` and `ancestors` of an action, each client that listens can be shown only its types. Yields
 * between short parts of the work.
 */
export function* listActions(
  trace: Trace,
  facts: Facts,
  place: ActionsContext,
): Generator<void, { readonly state: Classification['state']; readonly actions: readonly Listed[] }> {
  const classification = yield* classifyTrace(trace, facts)
  const { types } = place
  const seen = types === undefined ? classification.actions : classification.actions.filter((action) => isVisible(action, types))
  const rows = noActionRows()
  yield* addRows(rows, { trace, facts, factsSeqno: 0, classification: { ...classification, actions: seen } })
  const listed: Listed[] = []
  for (const [i, row] of rows.actions.entries()) {
    const { type, ancestors, accounts: named } = seen[i]!
    const accounts = [...new Set(named)].sort().map(keyOfRaw)
    const action = toAction(asRead(actions, row), { trace: undefined, accounts }, place.isTestnet)
    const wire: WireAction = {
      ...action,
      trace_id: place.traceId ?? null,
      ...(place.externalHash !== undefined && { trace_external_hash: place.externalHash }),
      ...(place.externalHashNorm !== undefined && { trace_external_hash_norm: place.externalHashNorm }),
      finality: place.finality ?? 'pending',
    }
    listed.push({ type, ancestors, wire })
    yield
  }
  const lt = ({ wire }: Listed): bigint => BigInt(wire.start_lt)
  return { state: classification.state, actions: listed.sort((a, b) => (lt(a) < lt(b) ? -1 : lt(a) > lt(b) ? 1 : 0)) }
}
