import { type AugSpec, augRootExtra } from '../../cell/aug.ts'
import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { expectTag, storeHash } from '../common.ts'
import { addCurrency, type CurrencyCollection, loadCurrency, NO_CURRENCY, storeCurrency } from '../currency.ts'
import { loadTotalFees } from '../transaction/transaction.ts'

/*
 * acc_trans#5 account_addr:bits256 transactions:(HashmapAug 64 ^Transaction CurrencyCollection)
 *   state_update:^(HASH_UPDATE Account) = AccountBlock;
 * _ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks;
 */

export interface AccountBlock {
  readonly account: Uint8Array
  /** Root of HashmapAug 64 ^Transaction CurrencyCollection. The keys are lts; see accountTransactionsAug. */
  readonly transactions: Cell
  /** Cell of HASH_UPDATE Account. */
  readonly stateUpdate: Cell
}

/** The transactions of one account in a block, by lt. The extra is the sum of the total fees of the transactions. */
export const accountTransactionsAug: AugSpec<CurrencyCollection> = {
  n: 64,
  loadExtra: loadCurrency,
  storeExtra: storeCurrency,
  combine: addCurrency,
  leafExtra: (value) => loadTotalFees(value.preloadRef()),
  empty: NO_CURRENCY,
}

/** Reads an AccountBlock from a value of ShardAccountBlocks. The inline dictionary has no length, so the AccountBlock must be the rest of the slice. */
export const loadAccountBlock = (s: Slice): AccountBlock => {
  expectTag(s, 4, 5, 'AccountBlock')
  const account = s.loadBytes(32)
  const edge = beginCell()
  const bits = s.remainingBits
  edge.storeBits(s.loadBits(bits), bits)
  // The root edge of the dictionary can have any number of references (children, extra currencies). The last reference of the record is state_update.
  while (s.remainingRefs > 1) edge.storeRef(s.loadRef())
  return { account, transactions: edge.end(), stateUpdate: s.loadRef() }
}

export const storeAccountBlock = (b: Builder, block: AccountBlock): Builder =>
  storeHash(b.storeUint(5, 4), block.account).storeCell(block.transactions).storeRef(block.stateUpdate)

/** ShardAccountBlocks by account id. The extra of a node is the sum of the fees of all transactions below it. */
export const shardAccountBlocksAug: AugSpec<CurrencyCollection> = {
  n: 256,
  loadExtra: loadCurrency,
  storeExtra: storeCurrency,
  combine: addCurrency,
  leafExtra: (value) => augRootExtra(accountTransactionsAug, loadAccountBlock(value).transactions),
  empty: NO_CURRENCY,
}
