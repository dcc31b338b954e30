import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { storeAddressInt } from '../../tlb/address.ts'
import { storeHash } from '../../tlb/common.ts'
import { storeAccount, storeStorageInfo } from '../../tlb/state/account.ts'
import { type StateInit, stateInitCell, storeStateInit } from '../../tlb/state/state-init.ts'
import type { AccountStatus } from '../../tlb/transaction/transaction.ts'
import type { StorageUse } from './account-before.ts'
import { isZero, storeMoney } from './currency.ts'
import { equalFrom } from './equal-bits.ts'
import { measureState } from './storage-stat.ts'
import { mayMeasure, type TransactionRun } from './transaction-run.ts'

/** An account with more cells than this and without a storage dictionary hash gets the hash at its next transaction. */
const MIGRATES_ABOVE = 25n

export interface AccountAfter {
  readonly cell: Cell
  readonly status: AccountStatus
}

export const NO_ACCOUNT: AccountAfter = { cell: storeAccount(undefined), status: 'nonexist' }

const initOf = (run: TransactionRun): StateInit => {
  const prefix = run.config.rules.noAnycast ? run.fixedPrefixLength : (run.account.rewriteLength ?? 0)
  return {
    splitDepth: prefix === 0 ? undefined : prefix,
    special: run.tick || run.tock ? { tick: run.tick, tock: run.tock } : undefined,
    code: run.code,
    data: run.data,
    library: run.library,
  }
}

/** The account's id before an anycast prefix rewrote it. */
const originalId = ({ account }: TransactionRun): Uint8Array =>
  account.address.type === 'std' ? account.address.hash : account.address.data

/* account_uninit$00  account_active$1 _:StateInit  account_frozen$01 state_hash:bits256 = AccountState; */
const storeState = (b: Builder, run: TransactionRun): { readonly status: AccountStatus; readonly init: StateInit } => {
  if (run.status === 'active') {
    const init = initOf(run)
    storeStateInit(b.storeBit(1), init)
    return { status: 'active', init }
  }
  if (run.status === 'frozen') {
    const hash = run.wasFrozen ? stateInitCell(initOf(run)).hash() : run.account.stateHash
    if (!equalFrom(hash, originalId(run))) {
      storeHash(b.storeUint(1, 2), hash)
      return { status: 'frozen', init: {} }
    }
    b.storeUint(0, 2)
    return { status: run.config.rules.exactEndStatus ? 'uninit' : 'frozen', init: {} }
  }
  b.storeUint(0, 2)
  return { status: 'uninit', init: {} }
}

/** Number of cells and bits for the storage fee. If the cells below AccountStorage did not change, only the bits of the root are updated. */
const usedStorage = (run: TransactionRun, root: Cell, init: StateInit): StorageUse => {
  const { account } = run
  const { rules, limits } = run.config
  // Before version 10 the dictionary of extra currencies counts as storage.
  const extra = rules.extraCurrencyV2 ? undefined : run.balance.extra
  const oldExtra = rules.extraCurrencyV2 ? undefined : account.extraRef
  const roots = [extra, init.code, init.data, init.library].filter((cell) => cell !== undefined)
  const oldRefs =
    account.storageRefs === undefined ? undefined : [...(oldExtra === undefined ? [] : [oldExtra.hashKey()]), ...account.storageRefs]
  const changed = oldRefs === undefined || oldRefs.length !== roots.length || roots.some((cell, i) => cell.hashKey() !== oldRefs[i])
  const keepsHash = rules.storageDictHash && !run.masterchain
  const { storage } = account
  if (!changed && !(keepsHash && storage.dictHash === undefined && storage.usedCells > MIGRATES_ABOVE)) {
    const usedBits = storage.usedBits - BigInt(account.storageBits) + BigInt(root.bits)
    return { usedCells: storage.usedCells, usedBits, dictHash: keepsHash ? storage.dictHash : undefined }
  }
  mayMeasure(run, storage.usedCells)
  const stat = measureState(run, roots)
  const cells = stat.cells + 1
  mayMeasure(run, BigInt(cells))
  const dictHash = keepsHash && cells >= limits.accStateCellsForStorageDict ? stat.dictHash() : undefined
  return { usedCells: BigInt(cells), usedBits: BigInt(stat.bits + root.bits), dictHash }
}

/** Sets the final status and serializes the account (`compute_state`). */
export const finishAccount = (run: TransactionRun): AccountAfter => {
  if (run.status === 'uninit' && !run.wasActivated && isZero(run.balance)) run.status = 'nonexist'
  if (run.status === 'deleted' && !isZero(run.balance)) run.status = 'uninit'
  if (run.status === 'nonexist' || run.status === 'deleted') return NO_ACCOUNT

  // account_storage$_ last_trans_lt:uint64 balance:CurrencyCollection state:AccountState = AccountStorage;
  const b = storeMoney(beginCell().storeUint(run.endLt, 64), run.balance)
  const { status, init } = storeState(b, run)
  const storage = b.end()
  // account$1 addr:MsgAddressInt storage_stat:StorageInfo storage:AccountStorage = Account;
  const account = storeAddressInt(beginCell().storeBit(1), run.config.rules.noAnycast ? run.address : run.account.address)
  storeStorageInfo(account, {
    ...usedStorage(run, storage, init),
    lastPaid: run.lastPaid,
    duePayment: run.duePayment === 0n ? undefined : run.duePayment,
  })
  return { cell: account.storeCell(storage).end(), status }
}
