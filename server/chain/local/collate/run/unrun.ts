import { serializeBoc } from '../../../../cell/boc.ts'
import { beginCell } from '../../../../cell/builder.ts'
import type { Cell } from '../../../../cell/cell.ts'
import { addCurrency, NO_CURRENCY } from '../../../../tlb/currency.ts'
import type { InternalMessageInfo } from '../../../../tlb/message/message-info.ts'
import { type Account, loadAccount } from '../../../../tlb/state/account.ts'
import { storeHashUpdate } from '../../../../tlb/transaction/hash-update.ts'
import { storeAccountStatus } from '../../../../tlb/transaction/transaction.ts'
import { storeTransactionDescr } from '../../../../tlb/transaction/transaction-descr.ts'
import type { TransactionResult } from '../../../../tvm/tvm.ts'
import { laterLt } from '../../bytes.ts'
import { NO_ACCOUNT, withUsedBits } from '../accounts/account-input.ts'
import { exists, type Lane } from '../accounts/lanes.ts'

/**
 * The transaction of an internal message that the emulator fell over: the value is credited and nothing is run, as if there were no gas. TON has no such
 * case; here the alternative is a chain that stands still before the message for ever. Called with a settled lane.
 */
export const creditOnly = (
  lane: Lane,
  msg: Cell,
  info: InternalMessageInfo,
  now: number,
  minLt: bigint,
): TransactionResult & { ok: true } => {
  const before = exists(lane.account) ? loadAccount(lane.account) : undefined
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
    .storeBytes(lane.hash)
    .storeUint(lt, 64)
    .storeBytes(lane.lastTransHash)
    .storeUint(lane.lastTransLt, 64)
  transaction.storeUint(now, 32).storeUint(0, 15)
  storeAccountStatus(storeAccountStatus(transaction, before?.state.type ?? 'nonexist'), base.state.type)
  transaction.storeRef(beginCell().storeMaybeRef(msg).storeBit(0).end()).storeCoins(NO_CURRENCY.grams).storeBit(0)
  transaction.storeRef(storeHashUpdate({ oldHash: lane.account.hash(), newHash: account.hash() })).storeRef(description)
  const root = transaction.end()
  const shardAccount = beginCell().storeRef(account).storeBytes(root.hash()).storeUint(lt, 64).end()
  return { ok: true, transaction: serializeBoc(root), shardAccount: serializeBoc(shardAccount) }
}
