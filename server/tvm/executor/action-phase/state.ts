import type { Cell } from '../../../cell/cell.ts'
import type { AccStatusChange } from '../../../tlb/transaction/tr-phases.ts'
import { type Money, NO_MONEY } from '../currency.ts'

/** The state of a running action phase (`struct ActionPhase`). It is applied only if all actions succeed. */
export class ActionState {
  success = false
  valid = false
  noFunds = false
  /** True if the failure causes a bounce (mode +16). */
  bounce = false
  /** True if a failure of the current action would cause a bounce. */
  bounceOnFail = false
  stateExceedsLimits = false
  statusChange: AccStatusChange = 'unchanged'
  totalFwdFees = 0n
  totalActionFees = 0n
  resultCode = -1
  resultArg = 0
  actions = 0
  specActions = 0
  skippedActions = 0
  messagesCreated = 0
  messageCells = 0
  messageBits = 0
  readonly listHash: Uint8Array

  remaining: Money
  reserved: Money = NO_MONEY
  endLt: bigint
  /** Fines in nanograms: `fine` for failed messages, `fineIfFailed` for successful messages in case the phase fails (from version 15). */
  fine = 0n
  fineIfFailed = 0n
  deleteRequested = false
  newCode: Cell | undefined
  outMsgs: Cell[] = []

  constructor(listHash: Uint8Array, remaining: Money, endLt: bigint) {
    this.listHash = listHash
    this.remaining = remaining
    this.endLt = endLt
  }

  takeGrams(nanotons: bigint): void {
    this.remaining = { grams: this.remaining.grams - nanotons, extra: this.remaining.extra }
  }
}

export const RESULT = {
  ok: 0,
  listInvalid: 32,
  tooManyActions: 33,
  invalidAction: 34,
  invalidSource: 35,
  invalidDestination: 36,
  notEnoughGrams: 37,
  notEnoughExtra: 38,
  messageDoesNotFit: 39,
  messageTooLarge: 40,
  libraryNotFound: 41,
  libraryError: 42,
  libraryTooLarge: 43,
  tooManyCurrencies: 44,
  invalidExtraFlags: 45,
  libraryForbidden: 46,
  messagesTooLarge: 47,
  stateTooLarge: 50,
} as const

export type ActionResult = number

/* Modes that several actions have. */

/** An invalid action is skipped. */
export const SKIP_IF_INVALID = 2
/** If the action fails, the transaction bounces. */
export const BOUNCE = 16
