import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { addCurrency, NO_CURRENCY } from '../../../../tlb/currency.ts'
import type { InternalMessageInfo } from '../../../../tlb/message/message-info.ts'
import { type Account, loadAccount } from '../../../../tlb/state/account.ts'
import { storeHashUpdate } from '../../../../tlb/transaction/hash-update.ts'
import { storeAccountStatus } from '../../../../tlb/transaction/transaction.ts'
import { storeTransactionDescr } from '../../../../tlb/transaction/transaction-descr.ts'
import type { MadeTransaction } from '../../../../tvm/make-transaction.ts'
import { laterLt } from '../../hash-keys.ts'
import { NO_ACCOUNT, withUsedBits } from '../accounts/account-input.ts'
import { type BlockAccount, exists } from '../accounts/block-accounts.ts'

/**
 * The transaction of an internal message whose execution failed, for example because of a timeout. It credits the value and skips the compute phase with
 * no_gas. TON has no such transaction, but otherwise the message would stop the chain forever.
 */
export const creditOnly = (
  blockAccount: BlockAccount,
  msg: Cell,
  info: InternalMessageInfo,
  now: number,
  minLt: bigint,
): MadeTransaction => {
  const { accountCell, lastTransHash, lastTransLt } = blockAccount.now
  const before = exists(accountCell) ? loadAccount(accountCell) : undefined
  const lt = laterLt(laterLt(minLt, info.createdLt + 1n), before?.lastTransLt ?? 0n)
  const base: Omit<Account, 'root'> = before ?? {
    ...NO_ACCOUNT,
    addr: info.dest,
    storageStat: { ...NO_ACCOUNT.storageStat, lastPaid: now },
  }
  const account = withUsedBits(base, { ...base, lastTransLt: lt + 1n, balance: addCurrency(base.balance, info.value) })
  const description = storeTransactionDescr({
    type: 'ordinary',
    creditFirst: !info.bounce,
    storage: undefined,
    credit: { dueFeesCollected: undefined, credit: info.value },
    compute: { type: 'skipped', reason: 'no_gas' },
    action: undefined,
    aborted: true,
    bounce: undefined,
    destroyed: false,
  })
  const transaction = beginCell()
    .storeUint(7, 4)
    .storeBytes(blockAccount.hash)
    .storeUint(lt, 64)
    .storeBytes(lastTransHash)
    .storeUint(lastTransLt, 64)
  transaction.storeUint(now, 32).storeUint(0, 15)
  storeAccountStatus(storeAccountStatus(transaction, before?.state.type ?? 'nonexist'), base.state.type)
  transaction.storeRef(beginCell().storeMaybeRef(msg).storeBit(0).end()).storeCoins(NO_CURRENCY.grams).storeBit(0)
  transaction.storeRef(storeHashUpdate({ oldHash: accountCell.hash(), newHash: account.hash() })).storeRef(description)
  const root = transaction.end()
  const shardAccount = { accountCell: account, lastTransHash: root.hash(), lastTransLt: lt }
  return { ok: true, transaction: root, shardAccount, lt, endLt: lt + 1n, outMsgs: [], gasUsed: 0n, actions: undefined }
}
