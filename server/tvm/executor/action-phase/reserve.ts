import type { Slice } from '../../../cell/slice.ts'
import { addMoney, clampMoney, loadMoney, type Money, subExtra, subMoney } from '../currency.ts'
import type { TransactionRun } from '../transaction-run.ts'
import { validCurrencies } from '../validate-messages.ts'
import { type ActionResult, type ActionState, BOUNCE, RESULT } from './state.ts'

/** Modes of RAWRESERVE. */
const ALL_BUT = 1
const AT_MOST = 2
const PLUS_ORIGINAL = 4
const NEGATE = 8

/** The requested amount, which may exceed the balance; undefined for an invalid action. */
const requestedAmount = (run: TransactionRun, state: ActionState, amount: Money, mode: number): Money | undefined => {
  const { rules } = run.config
  const original = run.originalBalance
  let reserve: Money | undefined = amount
  if (mode & PLUS_ORIGINAL) {
    // Before version 9 the original balance is reduced by fees and can become negative.
    if (original.grams < 0n) return undefined
    if (mode & NEGATE) {
      reserve = rules.extraCurrencyV2 ? { grams: original.grams - amount.grams, extra: amount.extra } : subMoney(original, amount)
    } else reserve = rules.extraCurrencyV2 ? { grams: amount.grams + original.grams, extra: amount.extra } : addMoney(amount, original)
  } else if (mode & NEGATE) return undefined
  if (reserve === undefined || reserve.grams < 0n) return undefined
  if (!(mode & AT_MOST)) return reserve
  if (rules.clampsExtra) return clampMoney(reserve, state.remaining)
  return { grams: reserve.grams < state.remaining.grams ? reserve.grams : state.remaining.grams, extra: reserve.extra }
}

/** action_reserve_currency#36e6b809 mode:(## 8) currency:CurrencyCollection (`try_action_reserve_currency`). The slice begins after the tag. */
export const reserveCurrency = (run: TransactionRun, state: ActionState, s: Slice): ActionResult => {
  const { rules } = run.config
  let mode = s.loadUint(8)
  if (mode & BOUNCE && rules.bounceOnFailMode) {
    mode &= ~BOUNCE
    state.bounceOnFail = true
  }
  if (mode > 15 || !validCurrencies(s)) return RESULT.invalidAction
  const amount = loadMoney(s)
  if (rules.extraCurrencyV2 && amount.extra !== undefined) return RESULT.invalidAction
  const reserve = requestedAmount(run, state, amount, mode)
  if (reserve === undefined) return RESULT.invalidAction
  const { remaining } = state
  if (reserve.grams > remaining.grams) return RESULT.notEnoughGrams
  const extra = subExtra(remaining.extra, reserve.extra)
  if (extra === 'short') return RESULT.notEnoughExtra
  const rest: Money = { grams: remaining.grams - reserve.grams, extra }
  const [left, reserved] = mode & ALL_BUT ? swapped(rest, reserve, rules.extraCurrencyV2) : [rest, reserve]
  state.remaining = left
  state.reserved = addMoney(state.reserved, reserved)
  state.specActions++
  return RESULT.ok
}

/** Mode +1: the requested amount remains in the balance, and everything else is reserved. From version 10 this applies to nanograms only. */
const swapped = (rest: Money, reserve: Money, gramsOnly: boolean): readonly [Money, Money] =>
  gramsOnly
    ? [
        { grams: reserve.grams, extra: rest.extra },
        { grams: rest.grams, extra: reserve.extra },
      ]
    : [reserve, rest]
