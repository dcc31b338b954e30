import type { AugSpec } from '../../cell/aug.ts'
import type { Builder } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { addCurrency, type CurrencyCollection, grams, loadCurrency, NO_CURRENCY, storeCurrency } from '../currency.ts'
import { type InternalMessageInfo, loadMessageInfo } from '../message/message-info.ts'
import { loadMsgEnvelope } from '../message/msg-envelope.ts'
import { type InMsg, loadInMsg } from './in-msg.ts'

/*
 * import_fees$_ fees_collected:Grams value_imported:CurrencyCollection = ImportFees;
 * _ (HashmapAugE 256 InMsg ImportFees) = InMsgDescr;      (key: hash of the message)
 */

export interface ImportFees {
  readonly feesCollected: bigint
  readonly valueImported: CurrencyCollection
}

const NO_FEES: ImportFees = { feesCollected: 0n, valueImported: NO_CURRENCY }

const loadImportFees = (s: Slice): ImportFees => ({ feesCollected: s.loadCoins(), valueImported: loadCurrency(s) })
const storeImportFees = (b: Builder, fees: ImportFees): Builder => storeCurrency(b.storeCoins(fees.feesCollected), fees.valueImported)

export const internalInfo = (message: Cell): InternalMessageInfo => {
  const info = loadMessageInfo(message.slice())
  if (info.type !== 'internal') throw new CellError('range', `an envelope must hold an internal message, not ${info.type}`)
  return info
}

/**
 * Value that a message carries from one block to another: its own value, its remaining forwarding fee and, before global version 12, its ihr_fee (the field is
 * extra_flags now). See get_ihr_fee of crypto/block/block-parse.cpp.
 */
export const valueInTransit = (envelopeCell: Cell, globalVersion: number): CurrencyCollection => {
  const envelope = loadMsgEnvelope(envelopeCell)
  const info = internalInfo(envelope.msg)
  return addCurrency(info.value, grams(envelope.fwdFeeRemaining + (globalVersion >= 12 ? 0n : info.ihrFee)))
}

/**
 * @internal Fees and value that an import adds to a block (InMsg::get_import_fees). Throws CellError 'range' for msg_import_ihr, because TON has no rule for
 * it.
 */
export const importFees = (msg: InMsg, globalVersion: number): ImportFees => {
  switch (msg.type) {
    case 'import-ext':
      return NO_FEES
    case 'import-imm':
      return { feesCollected: msg.fwdFee, valueImported: NO_CURRENCY }
    case 'import-fin':
    case 'import-deferred-fin':
      return { feesCollected: msg.fwdFee, valueImported: valueInTransit(msg.inMsg, globalVersion) }
    case 'import-tr':
      return { feesCollected: msg.transitFee, valueImported: valueInTransit(msg.inMsg, globalVersion) }
    case 'import-deferred-tr':
      return { feesCollected: 0n, valueImported: valueInTransit(msg.inMsg, globalVersion) }
    case 'discard-fin':
    case 'discard-tr':
      return { feesCollected: msg.fwdFee, valueImported: grams(msg.fwdFee) }
    case 'import-ihr':
      throw new CellError('range', 'msg_import_ihr has no import fees: hypercube routing is not in use')
  }
}

export const inMsgDescrAug = (globalVersion: number): AugSpec<ImportFees> => ({
  n: 256,
  loadExtra: loadImportFees,
  storeExtra: storeImportFees,
  combine: (l, r) => ({
    feesCollected: l.feesCollected + r.feesCollected,
    valueImported: addCurrency(l.valueImported, r.valueImported),
  }),
  leafExtra: (value) => importFees(loadInMsg(value), globalVersion),
  empty: NO_FEES,
})
