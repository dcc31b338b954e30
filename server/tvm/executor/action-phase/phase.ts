import type { Cell } from '../../../cell/cell.ts'
import { ACTION_CHANGE_LIBRARY, ACTION_RESERVE, ACTION_SEND_MSG, ACTION_SET_CODE } from '../../action-tags.ts'
import { addMoney, isZero, type Money } from '../currency.ts'
import { ExecutorError } from '../error.ts'
import { withinStateLimits } from '../state-limits.ts'
import { mayGoOn, type TransactionRun } from '../transaction-run.ts'
import { changeLibrary } from './library.ts'
import { readActions } from './list.ts'
import { reserveCurrency } from './reserve.ts'
import { sendMessage } from './send.ts'
import { type ActionResult, ActionState, RESULT } from './state.ts'

interface Before {
  readonly code: Cell | undefined
  readonly data: Cell | undefined
  readonly library: Cell | undefined
  readonly messageBalance: Money
}

const doAction = (run: TransactionRun, state: ActionState, node: Cell): ActionResult => {
  const s = node.slice().skipRefs(1)
  state.bounceOnFail = false
  switch (s.loadUint(32)) {
    case ACTION_SEND_MSG:
      return sendMessage(run, state, s)
    case ACTION_SET_CODE:
      state.newCode = s.loadRef()
      state.specActions++
      return RESULT.ok
    case ACTION_RESERVE:
      return reserveCurrency(run, state, s)
    case ACTION_CHANGE_LIBRARY:
      return changeLibrary(run, state, s)
    default:
      return RESULT.invalidAction
  }
}

const enforceLimits = (run: TransactionRun, state: ActionState, before: Before): boolean => {
  if (run.account.special || withinStateLimits(run)) return true
  run.code = before.code
  run.data = before.data
  run.library = before.library
  state.resultCode = RESULT.stateTooLarge
  state.stateExceedsLimits = true
  return false
}

const collectFine = (run: TransactionRun, state: ActionState): void => {
  if (!run.config.rules.finesActions) return
  const fine = state.fine + state.fineIfFailed
  state.fine = fine < run.balance.grams ? fine : run.balance.grams
  state.totalActionFees = state.fine
  run.addGrams(-state.fine)
  run.totalFees += state.fine
}

const failAt = (run: TransactionRun, state: ActionState, code: ActionResult, before: Before): void => {
  const { rules } = run.config
  state.resultCode = code
  state.endLt = run.endLt
  if (code === RESULT.notEnoughGrams || code === RESULT.notEnoughExtra) state.noFunds = true
  // Library changes remain even though the phase failed, so the limits are checked here too.
  enforceLimits(run, state, before)
  if (rules.restoresMessageBalance) run.messageBalance = before.messageBalance
  collectFine(run, state)
  if (state.bounceOnFail) state.bounce = true
}

const succeed = (run: TransactionRun, state: ActionState, before: Before): void => {
  const { rules } = run.config
  if (rules.finesActions) state.totalActionFees += state.fine
  run.endLt = state.endLt
  if (state.newCode !== undefined) run.code = state.newCode
  run.data = run.computed!.data
  if (!enforceLimits(run, state, before)) {
    if (rules.restoresMessageBalance) run.messageBalance = before.messageBalance
    if (rules.extraCurrencyV2) {
      run.endLt = run.startLt + 1n
      state.endLt = run.endLt
      collectFine(run, state)
    }
    return
  }
  state.resultArg = 0
  state.resultCode = RESULT.ok
  const left = addMoney(state.remaining, state.reserved)
  if (state.deleteRequested) {
    if (rules.extraCurrencyV2 ? left.grams !== 0n : !isZero(left)) {
      throw new ExecutorError('transaction', 'an account that is to be deleted has a balance left')
    }
    state.statusChange = 'deleted'
    run.status = isZero(left) ? 'deleted' : 'uninit'
    run.wasDeleted = true
  }
  state.success = true
  run.outMsgs = state.outMsgs
  run.totalFees += state.totalActionFees
  run.balance = left
}

/** Executes the actions in c5 (`prepare_action_phase`). If an action fails, no action has an effect, except for library changes. */
export const actionPhase = (run: TransactionRun): void => {
  const list = run.computed!.actions!
  const state = new ActionState(list.hash(), run.balance, run.endLt)
  run.action = state
  const before: Before = { code: run.code, data: run.data, library: run.library, messageBalance: run.messageBalance }
  const actions = readActions(run, state, list)
  if (actions === undefined) return
  for (const [i, node] of actions.entries()) {
    if (node === undefined) continue
    mayGoOn(run.interrupt)
    state.resultArg = i
    const result = doAction(run, state, node)
    if (result !== RESULT.ok) {
      failAt(run, state, result, before)
      return
    }
  }
  succeed(run, state, before)
}
