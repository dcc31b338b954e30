import type { AugSpec } from '../../cell/aug.ts'
import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { storeHash } from '../common.ts'
import { addCurrency, type CurrencyCollection, exchanged, loadCurrency, NO_CURRENCY, skipCurrency, storeCurrency } from '../currency.ts'
import { loadDepthBalance } from './account.ts'

/*
 * account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;
 * depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo;
 * _ (HashmapAugE 256 ShardAccount DepthBalanceInfo) = ShardAccounts;
 */

export interface ShardAccount {
  /** Read by loadAccount. An account proof prunes this cell and has the account in a separate tree. */
  readonly accountCell: Cell
  readonly lastTransHash: Uint8Array
  readonly lastTransLt: bigint
}

export interface DepthBalanceInfo {
  readonly splitDepth: number
  readonly balance: CurrencyCollection
}

export const loadShardAccount = (s: Slice): ShardAccount => ({
  accountCell: s.loadRef(),
  lastTransHash: s.loadBytes(32),
  lastTransLt: s.loadUintBig(64),
})

/** Moves past the DepthBalanceInfo that comes before each account of ShardAccounts. */
export const skipDepthBalance = (s: Slice): void => skipCurrency(s.skip(5))

export const storeShardAccount = (b: Builder, shardAccount: ShardAccount): Builder =>
  storeHash(b.storeRef(shardAccount.accountCell), shardAccount.lastTransHash).storeUint(shardAccount.lastTransLt, 64)

/** ShardAccount as a cell of its own. The emulator takes and returns this form. */
export const shardAccountCell = (shardAccount: ShardAccount): Cell => storeShardAccount(beginCell(), shardAccount).end()

const NO_DEPTH_BALANCE: DepthBalanceInfo = { splitDepth: 0, balance: NO_CURRENCY }

/** ShardAccounts. The extra of a node is the sum of the balances below it and the largest anycast depth below it. */
export const shardAccountsAug: AugSpec<DepthBalanceInfo> = {
  n: 256,
  loadExtra: (s) => ({ splitDepth: s.loadUint(5), balance: loadCurrency(s) }),
  storeExtra: (b, extra) => {
    storeCurrency(b.storeUint(extra.splitDepth, 5), extra.balance)
  },
  combine: (l, r) => ({ splitDepth: Math.max(l.splitDepth, r.splitDepth), balance: addCurrency(l.balance, r.balance) }),
  leafExtra: (value) => loadDepthBalance(value.preloadRef()) ?? NO_DEPTH_BALANCE,
  // `updated` cannot read the fork's other side. If a depth is not zero, the largest depth needs the depth of that side, so it is unknown.
  updated: (fork, before, after) =>
    fork.splitDepth > 0 || after.splitDepth > 0
      ? undefined
      : { splitDepth: 0, balance: exchanged(fork.balance, before.balance, after.balance) },
  empty: NO_DEPTH_BALANCE,
}
