import type { Result } from '../../../shared/registry.ts'
import { type Json, type Shown, shownType } from '../../actions/details.ts'
import { mapWithPauses } from '../../base/yield.ts'
import { showDetails } from '../../protocols/index.ts'
import { type ActionRow, accountsOfActions, beginningsOf, type TraceBeginning } from '../../store/queries/actions/of-traces.ts'
import type { View } from '../../store/queries/view.ts'
import { keyOfRaw, nameOf, splitHashes } from '../../store/row-keys.ts'
import { address, base64 } from './values.ts'

export type WireAction = Result<'v3.actions'>['actions'][number]

type Content = Readonly<Record<string, unknown>>

const text = (content: Content, name: string): string | null => {
  const value = content[name]
  return typeof value === 'string' ? value : null
}
const amount = (content: Content, name: string): bigint | null => {
  const value = text(content, name)
  return value === null ? null : BigInt(value)
}

const shownOf = (type: string, content: Content): Shown => {
  const extra = content['extraCurrencies'] as Readonly<Record<string, string>> | undefined
  return {
    type,
    source: text(content, 'source'),
    sourceSecondary: text(content, 'sourceSecondary'),
    destination: text(content, 'destination'),
    destinationSecondary: text(content, 'destinationSecondary'),
    asset: text(content, 'asset'),
    assetSecondary: text(content, 'assetSecondary'),
    asset2: text(content, 'asset2'),
    asset2Secondary: text(content, 'asset2Secondary'),
    opcode: (content['opcode'] as number | undefined) ?? null,
    value: amount(content, 'value'),
    amount: amount(content, 'amount'),
    extraCurrencies: extra && new Map(Object.entries(extra).map(([id, units]) => [Number(id), BigInt(units)])),
    data: (content['data'] as Shown['data'] | undefined) ?? {},
  }
}

export const hashesOf = ({ tx_hashes }: ActionRow): readonly Buffer[] => splitHashes(tx_hashes)

interface ActionRelations {
  readonly trace: TraceBeginning | undefined
  readonly accounts: readonly Buffer[] | undefined
}

export const toAction = (row: ActionRow, { trace, accounts }: ActionRelations, isTestnet: boolean): WireAction => {
  const content = JSON.parse(row.content) as Content
  const shown = shownOf(row.type, content)
  const details = showDetails(shown, { isTestnet })
  return {
    trace_id: base64(row.trace_id),
    action_id: base64(row.action_id),
    start_lt: row.start_lt,
    end_lt: row.end_lt,
    start_utime: Number(row.start_utime),
    end_utime: Number(row.end_utime),
    trace_end_lt: row.trace_end_lt,
    trace_end_utime: Number(row.trace_end_utime),
    trace_mc_seqno_end: row.mc_seqno,
    transactions: hashesOf(row).map(base64),
    success: row.success,
    type: shownType(shown),
    details: details ?? { error: `unsupported action type: '${row.type}'` },
    ...(details === undefined && { raw_action: content }),
    ...(trace?.external_hash && { trace_external_hash: base64(trace.external_hash) }),
    ...(trace?.external_hash_norm && { trace_external_hash_norm: base64(trace.external_hash_norm) }),
    ...(accounts && { accounts: accounts.map(address) }),
    finality: 'finalized',
  }
}

/** `accounts`: whether to add the accounts under which each action is listed. */
export const toWireActions = async (view: View, rows: readonly ActionRow[], accounts: boolean): Promise<WireAction[]> => {
  const [traces, listed] = await Promise.all([beginningsOf(view, rows), accounts ? accountsOfActions(view, rows) : undefined])
  const byId = new Map(traces.map((trace) => [nameOf(trace.trace_id), trace]))
  const toWire = (row: ActionRow): WireAction =>
    toAction(row, { trace: byId.get(nameOf(row.trace_id)), accounts: listed?.(row) }, view.testOnly)
  return mapWithPauses(rows, toWire, view.signal)
}

const RAW_ADDRESS = /^-?\d+:[0-9A-F]{64}$/

/** Keys of all accounts that the actions name, also in their details. */
export function* accountsNamed(actions: readonly WireAction[]): Generator<Buffer> {
  const seen = new Set<string>()
  const open: unknown[] = actions.map(({ details, accounts, raw_action }) => [details, accounts, raw_action])
  while (open.length > 0) {
    const value = open.pop() as Json | undefined
    if (typeof value === 'string') {
      if (seen.has(value) || value.length > 80 || !RAW_ADDRESS.test(value)) continue
      seen.add(value)
      yield keyOfRaw(value)
    } else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) open.push(inner)
  }
}
