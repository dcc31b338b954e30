import type { Cell } from '../../../../cell/cell.ts'
import { addCurrency, NO_CURRENCY } from '../../../../tlb/currency.ts'
import type { InternalMessageInfo } from '../../../../tlb/message/message-info.ts'
import { type Account, loadAccount } from '../../../../tlb/state/account.ts'
import { storeTransaction } from '../../../../tlb/transaction/transaction.ts'
import type { MadeTransaction } from '../../../../tvm/make-transaction.ts'
import { laterLt } from '../../hash-keys.ts'
import { NO_ACCOUNT, withUsedBits } from '../accounts/account-input.ts'
import type { BlockAccount } from '../accounts/block-accounts.ts'

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
  const before = loadAccount(accountCell)
  const lt = laterLt(laterLt(minLt, info.createdLt + 1n), before?.lastTransLt ?? 0n)
  const base: Omit<Account, 'root'> = before ?? {
    ...NO_ACCOUNT,
    addr: info.dest,
    storageStat: { ...NO_ACCOUNT.storageStat, lastPaid: now },
  }
  const account = withUsedBits(base, { ...base, lastTransLt: lt + 1n, balance: addCurrency(base.balance, info.value) })
  const transaction = storeTransaction({
    account: blockAccount.hash,
    lt,
    prevTransHash: lastTransHash,
    prevTransLt: lastTransLt,
    now,
    origStatus: before?.state.type ?? 'nonexist',
    endStatus: base.state.type,
    inMsg: msg,
    outMsgs: [],
    totalFees: NO_CURRENCY,
    stateUpdate: { oldHash: accountCell.hash(), newHash: account.hash() },
    description: {
      type: 'ordinary',
      creditFirst: !info.bounce,
      storage: undefined,
      credit: { dueFeesCollected: undefined, credit: info.value },
      compute: { type: 'skipped', reason: 'no_gas' },
      action: undefined,
      aborted: true,
      bounce: undefined,
      destroyed: false,
    },
  })
  const shardAccount = { accountCell: account, lastTransHash: transaction.hash(), lastTransLt: lt }
  return { ok: true, transaction, shardAccount, lt, endLt: lt + 1n, outMsgs: [], gasUsed: 0n, actions: undefined }
}
