import { type AugSpec, loadAugE, storeAugE } from '../../cell/aug.ts'
import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag, withLazyMembers } from '../common.ts'
import { addCurrency, type CurrencyCollection, loadCurrency, NO_CURRENCY, storeCurrency } from '../currency.ts'
import { type ConfigParams, loadConfigParams, storeConfigParams } from '../state/mc-state-extra.ts'

/*
 * masterchain_block_extra#cca5 key_block:(## 1) shard_hashes:ShardHashes shard_fees:ShardFees
 *   ^[ prev_blk_signatures:(HashmapE 16 CryptoSignaturePair) recover_create_msg:(Maybe ^InMsg) mint_msg:(Maybe ^InMsg) ]
 *   config:key_block?ConfigParams = McBlockExtra;
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

/** McBlockExtra. `prevBlkSignatures`, `recoverCreateMsg` and `mintMsg` share a reference that a proof may have pruned, so they are read on first use. */
export interface McBlockExtra {
  /** Root of Hashmap 32 ^(BinTree ShardDescr); see shard-hashes.ts. */
  readonly shardHashes: Cell | undefined
  /** Root of HashmapAug 96 ShardFeeCreated ShardFeeCreated. */
  readonly shardFees: Cell | undefined
  /** Root of Hashmap 16 CryptoSignaturePair. */
  readonly prevBlkSignatures: Cell | undefined
  /** Cell of an InMsg. */
  readonly recoverCreateMsg: Cell | undefined
  readonly mintMsg: Cell | undefined
  /** Present only in key blocks. */
  readonly config?: ConfigParams | undefined
}

const MESSAGES = ['prevBlkSignatures', 'recoverCreateMsg', 'mintMsg'] as const

const loadMessages = (cell: Cell): Pick<McBlockExtra, (typeof MESSAGES)[number]> => {
  const s = cell.slice()
  const messages = { prevBlkSignatures: s.loadMaybeRef(), recoverCreateMsg: s.loadMaybeRef(), mintMsg: s.loadMaybeRef() }
  s.end()
  return messages
}

export const loadMcBlockExtra = (cell: Cell): McBlockExtra => {
  const s = cell.slice()
  expectTag(s, 16, 0xcca5, 'McBlockExtra')
  const keyBlock = s.loadBit()
  const head = { shardHashes: s.loadMaybeRef(), shardFees: loadAugE(s, shardFeesAug) }
  const messages = s.loadRef()
  const extra = { ...head, config: keyBlock ? loadConfigParams(s) : undefined }
  s.end()
  return withLazyMembers(extra, MESSAGES, () => loadMessages(messages))
}

export const storeMcBlockExtra = (extra: McBlockExtra): Cell => {
  const messages = beginCell().storeMaybeRef(extra.prevBlkSignatures).storeMaybeRef(extra.recoverCreateMsg).storeMaybeRef(extra.mintMsg)
  const b = beginCell()
    .storeUint(0xcca5, 16)
    .storeBit(extra.config !== undefined)
    .storeMaybeRef(extra.shardHashes)
  storeAugE(b, shardFeesAug, extra.shardFees)
  b.storeRef(messages.end())
  return extra.config === undefined ? b.end() : storeConfigParams(b, extra.config).end()
}
