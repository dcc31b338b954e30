import type { AccStatusChange } from '../../tlb/transaction/tr-phases.ts'
import { ExecutorError } from './error.ts'
import { storageFee } from './fees.ts'
import type { TransactionRun } from './transaction-run.ts'

/**
 * Pays the storage fee since the last payment (`prepare_storage_phase`). The part that the balance cannot pay becomes due payment. If the due payment is
 * too large, the account is frozen or deleted. With `adjustMessage`, a message's value that exceeds the remaining balance is lowered to the balance,
 * because the value was credited before this phase.
 */
export const storagePhase = (run: TransactionRun, adjustMessage: boolean): void => {
  const { account, config, now } = run
  if (now < account.lastPaid) {
    throw new ExecutorError('transaction', `the time ${now} is before storage was last paid (${account.lastPaid})`)
  }
  const owed = account.special
    ? 0n
    : storageFee(config.storagePrices, { used: account.storage, lastPaid: account.lastPaid, now, masterchain: run.masterchain })
  const toPay = owed + run.duePayment
  run.lastPaid = account.special ? 0 : now

  let feesDue = 0n
  let statusChange: AccStatusChange = 'unchanged'
  const feesCollected = toPay <= run.balance.grams ? toPay : run.balance.grams
  if (toPay > feesCollected) {
    feesDue = toPay - feesCollected
    if (!account.special) statusChange = punish(run, feesDue)
  } else if (toPay > 0n && config.rules.clearsDuePayment) run.duePayment = 0n
  run.addGrams(-feesCollected)

  if (adjustMessage && run.messageBalance.grams > run.balance.grams) {
    run.messageBalance = { grams: run.balance.grams, extra: run.messageBalance.extra }
  }
  run.totalFees += feesCollected
  run.storage = { feesCollected, feesDue: feesDue === 0n ? undefined : feesDue, statusChange }
}

const punish = (run: TransactionRun, due: bigint): AccStatusChange => {
  const { gasTable, config } = run
  if (config.rules.keepsDuePayment) run.duePayment = due
  if (run.status === 'active' && due > gasTable.freezeDueLimit) {
    run.wasFrozen = true
    run.status = 'frozen'
    return 'frozen'
  }
  // An account with extra currencies is not deleted, because TON has no rule yet for these currencies.
  if ((run.status === 'uninit' || run.status === 'frozen') && due > gasTable.deleteDueLimit && run.balance.extra === undefined) {
    if (config.rules.exactEndStatus) run.wasDeleted = true
    run.status = 'deleted'
    return 'deleted'
  }
  return 'unchanged'
}
