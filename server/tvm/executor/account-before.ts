import { beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { accountIdOf, loadAddressInt, type MsgAddressInt, stdAddress, storeAddressInt } from '../../tlb/address.ts'
import type { AccountId } from '../../tlb/ids.ts'
import { loadStorageInfo } from '../../tlb/state/account.ts'
import type { ShardAccount } from '../../tlb/state/shard-account.ts'
import { loadStateInit, type StateInit } from '../../tlb/state/state-init.ts'
import type { AccountStatus } from '../../tlb/transaction/transaction.ts'
import { loadMoney, type Money, NO_MONEY } from './currency.ts'
import { equalFrom } from './equal-bits.ts'
import { ExecutorError } from './error.ts'

export interface StorageUse {
  readonly usedCells: bigint
  readonly usedBits: bigint
  readonly dictHash: Uint8Array | undefined
}

/** An account before a transaction (`Account::unpack`). */
export interface AccountBefore extends Readonly<ReturnType<typeof commonOf>> {
  readonly status: AccountStatus
  /** lt after the last transaction and its messages. */
  readonly endLt: bigint
  readonly balance: Money
  /** The last measured storage; zeros for a new account. */
  readonly storage: StorageUse
  /** Unix seconds, 0 for never. */
  readonly lastPaid: number
  readonly duePayment: bigint
  readonly init: StateInit
  /** Hash of the StateInit of a frozen account; zeros for an active account; the account id for any other account. */
  readonly stateHash: Uint8Array
  /** Hashes of the references of AccountStorage, in order, without extra currencies; undefined if the account did not exist. */
  readonly storageRefs: readonly string[] | undefined
  /** The dictionary of extra currencies, which counts as storage before version 10. */
  readonly extraRef: Cell | undefined
  /** Number of bits in the root cell of AccountStorage. */
  readonly storageBits: number
  /** The address in the account, which may have anycast. */
  readonly address: MsgAddressInt
  /** Length of the anycast prefix; undefined if it was never set. */
  readonly rewriteLength: number | undefined
}

const NO_INIT: StateInit = {}
const NO_HASH = new Uint8Array(32)
const NO_STORAGE = { usedCells: 0n, usedBits: 0n, dictHash: undefined }

/** The members that do not need the account's cell. */
const commonOf = (id: AccountId, shardAccount: ShardAccount, special: boolean) => ({
  id,
  cell: shardAccount.accountCell,
  /** True if the account pays no storage fee and has its own gas limits. */
  special,
  // Zeros for an account that never existed. For an account that was deleted earlier in the same block, its last transaction.
  lastTransHash: shardAccount.lastTransHash,
  lastTransLt: shardAccount.lastTransLt,
  /** The addr_std without anycast. */
  exactAddress: stdAddress(id.workchain, id.hash),
})
type Common = ReturnType<typeof commonOf>

const absent = (common: Common): AccountBefore => ({
  ...common,
  status: 'nonexist',
  endLt: 0n,
  balance: NO_MONEY,
  storage: NO_STORAGE,
  lastPaid: 0,
  duePayment: 0n,
  init: NO_INIT,
  stateHash: common.id.hash,
  storageRefs: undefined,
  extraRef: undefined,
  storageBits: 0,
  address: common.exactAddress,
  rewriteLength: undefined,
})

const refsOf = (init: StateInit): string[] =>
  [init.code, init.data, init.library].flatMap((cell) => (cell === undefined ? [] : [cell.hashKey()]))

/* account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account; */
const present = (common: Common): AccountBefore => {
  const { id } = common
  const s = common.cell.slice().skip(1)
  const address = loadAddressInt(s)
  const hash = accountIdOf(address)
  if (hash === undefined || address.workchain !== id.workchain || !equalFrom(hash, id.hash)) {
    throw new ExecutorError('account', 'the account belongs to another address than the transaction')
  }
  const rewriteLength = address.type === 'var' ? (address.anycast?.depth ?? 0) : 0
  const info = loadStorageInfo(s)
  const storageBits = s.remainingBits
  const endLt = s.loadUintBig(64)
  const balance = loadMoney(s)
  const active = s.loadBit()
  const frozen = !active && s.loadBit()
  const init = active ? loadStateInit(s) : NO_INIT
  const stateHash = frozen ? s.loadBytes(32) : active ? NO_HASH : id.hash
  s.end()
  const uninit = !active && !frozen
  return {
    ...common,
    status: active ? 'active' : frozen ? 'frozen' : 'uninit',
    endLt,
    balance,
    storage: { usedCells: info.usedCells, usedBits: info.usedBits, dictHash: info.dictHash },
    lastPaid: info.lastPaid,
    duePayment: info.duePayment ?? 0n,
    init,
    stateHash,
    storageRefs: refsOf(init),
    extraRef: balance.extra,
    storageBits,
    address: uninit ? common.exactAddress : address,
    rewriteLength: uninit ? undefined : rewriteLength,
  }
}

/** Reads an account. Throws ExecutorError `account` if it is malformed or belongs to another address. */
export const unpackAccount = (id: AccountId, shardAccount: ShardAccount, special: boolean): AccountBefore => {
  try {
    const common = commonOf(id, shardAccount, special)
    return common.cell.slice().loadBit() ? present(common) : absent(common)
  } catch (error) {
    if (error instanceof CellError) throw new ExecutorError('account', `the account cannot be read: ${error.message}`, { cause: error })
    throw error
  }
}

export const addressCell = (address: MsgAddressInt | undefined): Cell => storeAddressInt(beginCell(), address).end()
