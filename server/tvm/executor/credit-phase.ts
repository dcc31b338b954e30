import { addMoney, currencyOf } from './currency.ts'
import type { Run } from './run.ts'

/** Adds the message's value to the balance (`prepare_credit_phase`). Due payment is collected in the storage phase only. */
export const creditPhase = (run: Run): void => {
  run.credit = { credit: currencyOf(run.messageBalance) }
  run.balance = addMoney(run.balance, run.messageBalance)
}
