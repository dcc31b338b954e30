import type { Cell } from '../../../../cell/cell.ts'
import { stdAddress } from '../../../../tlb/address.ts'
import type { ValueFlow } from '../../../../tlb/block/value-flow.ts'
import { addCurrency, type CurrencyCollection, grams, isZeroCurrency, NO_CURRENCY } from '../../../../tlb/currency.ts'
import { MASTERCHAIN } from '../../../../tlb/ids.ts'
import type { InternalMessageInfo } from '../../../../tlb/message/message-info.ts'
import type { ChainConfig } from '../../config/view.ts'
import { NO_HASH } from '../../hash-keys.ts'
import type { BlockContext } from '../block-context.ts'
import { messageOf } from '../injected-inputs.ts'
import type { MasterView } from './master-view.ts'

/* Coins that a masterchain block pays with messages from -1:0000..00 (Collator::init_value_create, create_special_transaction). */

/** Minimum fees to pay out, nanograms. Smaller amounts accumulate until a later block. */
const LEAST_RECOVERED = 1_000_000_000n

/** Fees (nanograms) that the fee collector gets in this block. */
const recoveredFees = (config: ChainConfig, fees: bigint): CurrencyCollection =>
  config.feeCollector === undefined || fees < LEAST_RECOVERED ? NO_CURRENCY : grams(fees)

/** Extra currencies to mint so that the supply reaches parameter 7. */
const mintedCurrencies = (config: ChainConfig, supply: CurrencyCollection): CurrencyCollection => {
  if (config.toMint === undefined || config.minter === undefined) return NO_CURRENCY
  const other = new Map<number, bigint>()
  for (const [id, target] of config.toMint) {
    const missing = target - (supply.other?.get(id) ?? 0n)
    if (id !== 0 && missing > 0n) other.set(id, missing)
  }
  return other.size === 0 ? NO_CURRENCY : { grams: 0n, other }
}

export const moneyOf = ({ config, extra, state }: MasterView, shard: ValueFlow) => {
  const burn = (fees: CurrencyCollection): CurrencyCollection =>
    config.burn === undefined || fees.grams <= 0n ? NO_CURRENCY : grams((fees.grams * config.burn.numerator) / config.burn.denominator)
  const importedFees = shard.feesCollected
  const burnedImports = burn(grams(importedFees.grams - shard.created.grams))
  const created = grams(config.masterCreateFee)
  return {
    /** Fees that the shard block collected. The masterchain pays them out. */
    importedFees,
    /** Coins that the shard block created, including injected coins. They are added to global_balance, so that global_balance stays the sum of all balances. */
    shardCreated: addCurrency(shard.created, shard.minted),
    created,
    recovered: recoveredFees(config, created.grams + importedFees.grams - burnedImports.grams + state.totalValidatorFees.grams),
    mintedExtra: mintedCurrencies(config, extra.globalBalance),
    burnedFees: (fees: CurrencyCollection): CurrencyCollection => addCurrency(burn(fees), burnedImports),
  }
}
export type MasterMoney = ReturnType<typeof moneyOf>

/** Makes the message that pays `value` from -1:0000..00 to a masterchain account. The list is empty if there is no account or the value is zero. */
export const specialMessage = (
  to: Uint8Array | undefined,
  value: CurrencyCollection,
  context: BlockContext,
): readonly { readonly msg: Cell; readonly info: InternalMessageInfo }[] => {
  if (to === undefined || isZeroCurrency(value)) return []
  const input = { to: { workchain: MASTERCHAIN, hash: to }, value: value.grams, bounce: true }
  return [messageOf(input, { src: stdAddress(MASTERCHAIN, NO_HASH), value, createdLt: context.startLt, createdAt: context.now })]
}
