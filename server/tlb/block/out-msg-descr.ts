import type { AugSpec } from '../../cell/aug.ts'
import { addCurrency, type CurrencyCollection, loadCurrency, NO_CURRENCY, storeCurrency } from '../currency.ts'
import { valueInTransit } from './in-msg-descr.ts'
import { loadOutMsg, type OutMsg } from './out-msg.ts'

/*
 * _ (HashmapAugE 256 OutMsg CurrencyCollection) = OutMsgDescr;      (key: hash of the message)
 */

/** @internal Value that leaves a block with a message (OutMsg::get_export_value). */
export const exportValue = (msg: OutMsg, globalVersion: number): CurrencyCollection => {
  switch (msg.type) {
    case 'export-new':
    case 'export-new-defer':
    case 'export-tr':
    case 'export-tr-req':
    case 'export-deferred-tr':
      return valueInTransit(msg.outMsg, globalVersion)
    default:
      return NO_CURRENCY
  }
}

export const outMsgDescrAug = (globalVersion: number): AugSpec<CurrencyCollection> => ({
  n: 256,
  loadExtra: loadCurrency,
  storeExtra: storeCurrency,
  combine: addCurrency,
  leafExtra: (value) => exportValue(loadOutMsg(value), globalVersion),
  empty: NO_CURRENCY,
})
