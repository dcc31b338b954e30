import { base64Of } from '../bytes.ts'
import type { Cell } from './cell.ts'
import { type Expected, optionalBoc, record } from './compare.ts'
import { walk } from './dict.ts'
import { fail, must } from './error.ts'
import { type AccountId, rawOf } from './ids.ts'
import { Reader } from './reader.ts'

export const base64Hash = (cell: Cell): string => base64Of(cell.hashes[0]!)

/** Maximum number of edges in one dictionary of extra currencies. Covers all collections that a node accepts. */
const MAX_CURRENCY_EDGES = 1024

/*
 * nanograms$_ amount:(VarUInteger 16) = Grams;
 * extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection;
 * currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;
 */
export const readCurrency = (r: Reader) => {
  const grams = r.coins()
  /** Amounts by currency id, as v3 writes them. */
  const other: Record<string, string> = {}
  const add = (key: string, value: Reader): void => {
    other[Number.parseInt(key, 2)] = String(value.varUint(5))
  }
  walk(r.maybeRef(), 32, add, MAX_CURRENCY_EDGES)
  return { grams, other }
}

/*
 * addr_none$00 = MsgAddressExt;      addr_extern$01 len:(## 9) external_address:(bits len) = MsgAddressExt;
 * anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;
 * addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;
 * addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len) = MsgAddressInt;
 */
/**
 * The account that an address names; an anycast prefix replaces the first bits of the address. Undefined for addr_none, addr_extern, and addresses that do
 * not have 256 bits.
 */
const readAddress = (r: Reader): { readonly account: AccountId | undefined; readonly anycast: number } => {
  const kind = r.uint(2)
  if (kind === 0) return { account: undefined, anycast: 0 }
  if (kind === 1) {
    r.skip(r.uint(9))
    return { account: undefined, anycast: 0 }
  }
  const prefix = r.maybe(() => {
    const depth = r.uint(5)
    must(depth >= 1 && depth <= 30, `an anycast address of depth ${depth}`)
    return r.text(depth)
  })
  const anycast = prefix?.length ?? 0
  const bits = kind === 3 ? r.uint(9) : 256
  const workchain = r.int(kind === 3 ? 32 : 8)
  const address = r.text(bits)
  if (bits !== 256) return { account: undefined, anycast }
  const whole = (prefix ?? '') + address.slice(anycast)
  const hash = whole.replace(/.{4}/g, (digit) => Number.parseInt(digit, 2).toString(16))
  return { account: { workchain, hash }, anycast }
}

/** The raw address of an account; null for addresses that no account has. */
export const readRaw = (r: Reader): string | null => {
  const { account } = readAddress(r)
  return account === undefined ? null : rawOf(account)
}

/*
 * tick_tock$_ tick:Bool tock:Bool = TickTock;
 * _ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell) library:(HashmapE 256 SimpleLib) = StateInit;
 */
export const readStateInit = (r: Reader): { readonly code: Cell | undefined; readonly data: Cell | undefined } => {
  r.maybe(() => r.uint(5))
  r.maybe(() => r.uint(2))
  const init = { code: r.maybeRef(), data: r.maybeRef() }
  r.maybeRef()
  return init
}

/*
 * account_none$0 = Account;
 * account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
 * storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32 due_payment:(Maybe Grams) = StorageInfo;
 * storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed;
 * storage_extra_none$000 = StorageExtraInfo;      storage_extra_info$001 dict_hash:uint256 = StorageExtraInfo;
 * account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
 */
const openAccount = (cell: Cell): { readonly r: Reader; readonly anycast: number } | undefined => {
  const r = new Reader(cell)
  if (!r.flag()) return undefined
  const { anycast } = readAddress(r)
  r.varUint(3)
  r.varUint(3)
  const extra = r.uint(3)
  must(extra <= 1, 'no StorageExtraInfo')
  r.skip(extra === 1 ? 256 + 32 : 32).maybe(() => r.coins())
  return { r: r.skip(64), anycast }
}

/**
 * depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo;
 * Returns a text for comparison: depth, nanograms, and the hash of the extra currencies.
 */
export const readDepthBalance = (r: Reader, depth = r.uint(5)): string => {
  const [grams, other] = [r.coins(), r.maybeRef()]
  return `${depth} ${grams} ${other && base64Hash(other)}`
}

/** The DepthBalanceInfo that the dictionary of accounts must have for this account, as a text. Undefined for account_none. */
export const depthBalanceOf = (cell: Cell): string | undefined => {
  const opened = openAccount(cell)
  return opened && readDepthBalance(opened.r, opened.anycast)
}

/** account_uninit$00 = AccountState;  account_active$1 _:StateInit = AccountState;  account_frozen$01 state_hash:bits256 = AccountState; */
const readAccountState = (r: Reader): Expected => {
  if (r.flag()) {
    const { code, data } = readStateInit(r)
    return {
      status: 'active',
      frozen_hash: undefined,
      code_hash: code && base64Hash(code),
      data_hash: data && base64Hash(data),
      code_boc: code && optionalBoc(code),
      data_boc: data && optionalBoc(data),
    }
  }
  const isFrozen = r.flag()
  const none = { code_hash: undefined, data_hash: undefined, code_boc: undefined, data_boc: undefined }
  return { status: isFrozen ? 'frozen' : 'uninit', frozen_hash: isFrozen ? base64Of(r.bytes(32)) : undefined, ...none }
}

/** The row that v3.accountStates must have for this account. */
export const accountRow = (id: AccountId, cell: Cell, lastHash: string, lastLt: bigint): { readonly [name: string]: Expected } => {
  const { r } = openAccount(cell) ?? fail('account_none in the state')
  const balance = readCurrency(r)
  const state = readAccountState(r)
  r.end()
  return {
    address: rawOf(id),
    account_state_hash: base64Hash(cell),
    balance: String(balance.grams),
    extra_currencies: record(balance.other),
    ...(state as object),
    last_transaction_hash: lastLt === 0n ? null : lastHash,
    last_transaction_lt: lastLt === 0n ? null : String(lastLt),
  }
}
