import { type Cell, EMPTY_CELL } from '../../../../cell/cell.ts'
import { type CurrencyCollection, grams, isZeroCurrency, NO_CURRENCY } from '../../../../tlb/currency.ts'
import { MASTERCHAIN } from '../../../../tlb/ids.ts'
import { storeMessage } from '../../../../tlb/message/message.ts'
import type { InternalMessageInfo } from '../../../../tlb/message/message-info.ts'
import { NO_HASH } from '../../bytes.ts'
import type { ChainConfig } from '../../config/view.ts'
import type { BlockContext } from '../context.ts'

/* Coins that a masterchain block pays out in messages from -1:0000..00 (Collator::init_value_create, create_special_transaction). */

/** Nanotons. Smaller fees are not paid out yet and accumulate. */
const LEAST_RECOVERED = 1_000_000_000n

/** Fees (nanotons) that the fee collector receives in this block. */
export const recoveredFees = (config: ChainConfig, fees: bigint): CurrencyCollection =>
  config.feeCollector === undefined || fees < LEAST_RECOVERED ? NO_CURRENCY : grams(fees)

/** Extra currencies to mint until the supply of parameter 7 is reached. */
export const mintedCurrencies = (config: ChainConfig, supply: CurrencyCollection): CurrencyCollection => {
  if (config.toMint === undefined || config.minter === undefined) return NO_CURRENCY
  const other = new Map<number, bigint>()
  for (const [id, wanted] of config.toMint) {
    const missing = wanted - (supply.other?.get(id) ?? 0n)
    if (id !== 0 && missing > 0n) other.set(id, missing)
  }
  return other.size === 0 ? NO_CURRENCY : { grams: 0n, other }
}

/** The message that pays `value` to a masterchain account; empty if there is no account or the value is zero. */
export const specialMessage = (
  to: Uint8Array | undefined,
  value: CurrencyCollection,
  context: BlockContext,
): readonly { readonly msg: Cell; readonly info: InternalMessageInfo }[] => {
  if (to === undefined || isZeroCurrency(value)) return []
  const info: InternalMessageInfo = {
    type: 'internal',
    ihrDisabled: true,
    bounce: true,
    bounced: false,
    src: { type: 'std', workchain: MASTERCHAIN, hash: NO_HASH },
    dest: { type: 'std', workchain: MASTERCHAIN, hash: to },
    value,
    ihrFee: 0n,
    fwdFee: 0n,
    createdLt: context.startLt,
    createdAt: context.now,
  }
  return [{ msg: storeMessage({ info, body: EMPTY_CELL }), info }]
}
