import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { badTag } from '../common.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'

/*
 * value_flow#b8e48dfb ^[ from_prev_blk:CurrencyCollection to_next_blk:CurrencyCollection
 *   imported:CurrencyCollection exported:CurrencyCollection ] fees_collected:CurrencyCollection
 *   ^[ fees_imported:CurrencyCollection recovered:CurrencyCollection created:CurrencyCollection minted:CurrencyCollection ] = ValueFlow;
 * value_flow_v2#3ebf98b7 ^[ ... ] fees_collected:CurrencyCollection burned:CurrencyCollection ^[ ... ] = ValueFlow;
 */

export interface ValueFlow {
  readonly fromPrevBlk: CurrencyCollection
  readonly toNextBlk: CurrencyCollection
  readonly imported: CurrencyCollection
  readonly exported: CurrencyCollection
  readonly feesCollected: CurrencyCollection
  /** If set, the record is written as value_flow_v2. */
  readonly burned?: CurrencyCollection | undefined
  readonly feesImported: CurrencyCollection
  readonly recovered: CurrencyCollection
  readonly created: CurrencyCollection
  readonly minted: CurrencyCollection
}

const V1 = 0xb8e48dfb
const V2 = 0x3ebf98b7

export const loadValueFlow = (cell: Cell): ValueFlow => {
  const s = cell.slice()
  const tag = s.loadUint(32)
  if (tag !== V1 && tag !== V2) throw badTag('ValueFlow', `0x${tag.toString(16)}`)
  const blocks = s.loadRef().slice()
  const feesCollected = loadCurrency(s)
  const burned = tag === V2 ? loadCurrency(s) : undefined
  const fees = s.loadRef().slice()
  s.end()
  const flow: ValueFlow = {
    fromPrevBlk: loadCurrency(blocks),
    toNextBlk: loadCurrency(blocks),
    imported: loadCurrency(blocks),
    exported: loadCurrency(blocks),
    feesCollected,
    burned,
    feesImported: loadCurrency(fees),
    recovered: loadCurrency(fees),
    created: loadCurrency(fees),
    minted: loadCurrency(fees),
  }
  blocks.end()
  fees.end()
  return flow
}

const storeFour = (values: readonly CurrencyCollection[]): Cell => {
  const b = beginCell()
  for (const value of values) storeCurrency(b, value)
  return b.end()
}

export const storeValueFlow = (flow: ValueFlow): Cell => {
  const b = beginCell().storeUint(flow.burned === undefined ? V1 : V2, 32)
  storeCurrency(b.storeRef(storeFour([flow.fromPrevBlk, flow.toNextBlk, flow.imported, flow.exported])), flow.feesCollected)
  if (flow.burned !== undefined) storeCurrency(b, flow.burned)
  return b.storeRef(storeFour([flow.feesImported, flow.recovered, flow.created, flow.minted])).end()
}
