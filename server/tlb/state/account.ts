import { type Builder, beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { loadAddressInt, type MsgAddressInt, storeAddressInt } from '../address.ts'
import { badTag, storeHash } from '../common.ts'
import { type CurrencyCollection, loadCurrency, storeCurrency } from '../currency.ts'
import { loadStateInit, type StateInit, storeStateInit } from './state-init.ts'

/*
 * storage_extra_none$000 = StorageExtraInfo;
 * storage_extra_info$001 dict_hash:uint256 = StorageExtraInfo;
 * storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed;
 * storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32 due_payment:(Maybe Grams) = StorageInfo;
 * (before 2025 the three bits of storage_extra were public_cells:(VarUInteger 7) of StorageUsed)
 * account_none$0 = Account;
 * account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
 * account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
 * account_uninit$00 = AccountState;  account_active$1 _:StateInit = AccountState;  account_frozen$01 state_hash:bits256 = AccountState;
 */

export interface StorageInfo {
  readonly usedCells: bigint
  readonly usedBits: bigint
  /** dict_hash of storage_extra_info, which newer accounts have. */
  readonly dictHash?: Uint8Array | undefined
  /** Unix seconds, 0 for special accounts. */
  readonly lastPaid: number
  readonly duePayment?: bigint | undefined
}
export type AccountState =
  | { readonly type: 'uninit' }
  | { readonly type: 'frozen'; readonly stateHash: Uint8Array }
  | { readonly type: 'active'; readonly init: StateInit }

export interface Account {
  readonly addr: MsgAddressInt
  readonly storageStat: StorageInfo
  readonly lastTransLt: bigint
  readonly balance: CurrencyCollection
  readonly state: AccountState
  readonly root: Cell
}

/** account_none$0 */
export const ACCOUNT_NONE: Cell = beginCell().storeBit(0).end()

export const loadStorageInfo = (s: Slice): StorageInfo => {
  const usedCells = s.loadVarUint(3)
  const usedBits = s.loadVarUint(3)
  // In states before 2025 the value 001 was public_cells of one byte. It is read as dict_hash, as all current readers do, because no account ever had public
  // cells.
  const extra = s.loadUint(3)
  if (extra > 1) throw badTag('StorageExtraInfo', extra)
  const dictHash = extra === 1 ? s.loadBytes(32) : undefined
  return { usedCells, usedBits, dictHash, lastPaid: s.loadUint(32), duePayment: s.loadBit() ? s.loadCoins() : undefined }
}

/** Number of cells of an account as last measured; 0 if there is no account. */
export const usedCellsOf = (root: Cell): number => {
  const s = root.slice()
  if (!s.loadBit()) return 0
  loadAddressInt(s)
  return Number(loadStorageInfo(s).usedCells)
}

export const storeStorageInfo = (b: Builder, info: StorageInfo): Builder => {
  b.storeVarUint(info.usedCells, 3).storeVarUint(info.usedBits, 3)
  if (info.dictHash === undefined) b.storeUint(0, 3)
  else storeHash(b.storeUint(1, 3), info.dictHash)
  b.storeUint(info.lastPaid, 32)
  return info.duePayment === undefined ? b.storeBit(0) : b.storeBit(1).storeCoins(info.duePayment)
}

const loadAccountState = (s: Slice): AccountState => {
  if (s.loadBit()) return { type: 'active', init: loadStateInit(s) }
  if (s.loadBit()) return { type: 'frozen', stateHash: s.loadBytes(32) }
  return { type: 'uninit' }
}

const storeAccountState = (b: Builder, state: AccountState): Builder => {
  switch (state.type) {
    case 'active':
      return storeStateInit(b.storeBit(1), state.init)
    case 'frozen':
      return storeHash(b.storeUint(1, 2), state.stateHash)
    case 'uninit':
      return b.storeUint(0, 2)
  }
}

/** Reads an Account; undefined for account_none$0. Code, data and libraries may be pruned. */
export const loadAccount = (root: Cell): Account | undefined => {
  const s = root.slice()
  if (!s.loadBit()) {
    s.end()
    return undefined
  }
  const account: Account = {
    addr: loadAddressInt(s),
    storageStat: loadStorageInfo(s),
    lastTransLt: s.loadUintBig(64),
    balance: loadCurrency(s),
    state: loadAccountState(s),
    root,
  }
  s.end()
  return account
}

// account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
export const storeAccountStorage = (
  b: Builder,
  { lastTransLt, balance, state }: Pick<Account, 'lastTransLt' | 'balance' | 'state'>,
): Builder => storeAccountState(storeCurrency(b.storeUint(lastTransLt, 64), balance), state)

export const storeAccount = (account: Omit<Account, 'root'> | undefined): Cell => {
  if (account === undefined) return ACCOUNT_NONE
  const b = storeStorageInfo(storeAddressInt(beginCell().storeBit(1), account.addr), account.storageStat)
  return storeAccountStorage(b, account).end()
}

/** The anycast depth of an account's address and the account's balance, for DepthBalanceInfo (Account::skip_copy_depth_balance). */
export const loadDepthBalance = (root: Cell): { readonly splitDepth: number; readonly balance: CurrencyCollection } | undefined => {
  const s = root.slice()
  if (!s.loadBit()) return undefined
  const addr = loadAddressInt(s)
  loadStorageInfo(s)
  const splitDepth = addr.type === 'var' ? (addr.anycast?.depth ?? 0) : 0
  if (splitDepth > 30) throw new CellError('range', `split depth ${splitDepth} is over 30`)
  return { splitDepth, balance: loadCurrency(s.skip(64)) }
}
