import type { AugSpec } from '../../cell/aug.ts'
import type { Builder } from '../../cell/builder.ts'
import type { Slice } from '../../cell/slice.ts'
import { addCurrency, type CurrencyCollection, loadCurrency, NO_CURRENCY, storeCurrency } from '../currency.ts'

/*
 * _ fees:CurrencyCollection create:CurrencyCollection = ShardFeeCreated;
 * _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees;      (key: workchain int32, shard uint64)
 */

export interface ShardFeeCreated {
  readonly fees: CurrencyCollection
  readonly create: CurrencyCollection
}

const loadShardFeeCreated = (s: Slice): ShardFeeCreated => ({ fees: loadCurrency(s), create: loadCurrency(s) })
export const storeShardFeeCreated = (b: Builder, fee: ShardFeeCreated): Builder => storeCurrency(storeCurrency(b, fee.fees), fee.create)

export const shardFeesKey = (workchain: number, shard: bigint): bigint => (BigInt.asUintN(32, BigInt(workchain)) << 64n) | shard

export const shardFeesAug: AugSpec<ShardFeeCreated> = {
  n: 96,
  loadExtra: loadShardFeeCreated,
  storeExtra: storeShardFeeCreated,
  combine: (l, r) => ({ fees: addCurrency(l.fees, r.fees), create: addCurrency(l.create, r.create) }),
  leafExtra: (value) => loadShardFeeCreated(value),
  empty: { fees: NO_CURRENCY, create: NO_CURRENCY },
}
