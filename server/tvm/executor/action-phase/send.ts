import type { Cell } from '../../../cell/cell.ts'
import type { Slice } from '../../../cell/slice.ts'
import type { MsgAddressInt } from '../../../tlb/address.ts'
import type { MsgForwardPrices } from '../../../tlb/config/prices.ts'
import { addressCell } from '../account-before.ts'
import { CellCount } from '../cell-count.ts'
import { addMoney, type Money, NO_MONEY, subExtra, withinCurrencyLimit, withoutZeros } from '../currency.ts'
import { firstPart, forwardFee } from '../fees.ts'
import { MAX_MERKLE_DEPTH } from '../import-external.ts'
import { mayGoOn, type TransactionRun } from '../transaction-run.ts'
import { validStateInit } from '../validate-messages.ts'
import { destinationOf } from './destination.ts'
import {
  type FinalInfo,
  finishMessage,
  initOf,
  loadRelaxed,
  type RelaxedInternal,
  type RelaxedMessage,
  type RelaxedSource,
  withBodyMoved,
  withInitMoved,
} from './relaxed-message.ts'
import { type ActionResult, type ActionState, BOUNCE, RESULT, SKIP_IF_INVALID } from './state.ts'

const PAY_FEES_APART = 1
const DELETE_IF_EMPTY = 32
const REST_OF_MESSAGE = 64
const WHOLE_BALANCE = 128
const VALID_MODES = 0xe3

/** Result code: the finished message does not fit a cell. The caller then tries again with parts moved into references. */
const DOES_NOT_FIT = -2

interface Attempt {
  readonly run: TransactionRun
  readonly state: ActionState
  readonly mode: number
  readonly message: RelaxedMessage
  /** True for the last attempt. All movable parts are then in references, so a message that does not fit is an error. */
  readonly last: boolean
}

/** Returns the result code of a failed action. With mode +2 the action is skipped, and the code is success. */
const skippable = ({ run, state, mode }: Attempt, code: ActionResult): ActionResult => {
  if (!(mode & SKIP_IF_INVALID)) return code
  if (run.config.rules.skipsInvalid) state.skippedActions++
  return RESULT.ok
}

/** The source of a message. No source means the account itself; any other source must be the account's own address (`check_replace_src_addr`). */
const sourceOf = (run: TransactionRun, src: RelaxedSource): MsgAddressInt | undefined => {
  if (src === 'none') return run.address
  if (src === 'foreign' || (src.type === 'var' && src.std !== true)) return undefined
  const cell = addressCell(src)
  if (cell.equals(addressCell(run.address))) return run.address
  return cell.equals(addressCell(run.account.exactAddress)) ? run.account.exactAddress : undefined
}

interface Price {
  readonly prices: MsgForwardPrices
  readonly size: CellCount
  readonly maxCells: number
  /** Fine if this message fails, nanograms. */
  readonly fine: bigint
}

const collectFine = (state: ActionState, fine: bigint): void => {
  const taken = state.remaining.grams < fine ? state.remaining.grams : fine
  state.fine += taken
  state.takeGrams(taken)
}

/** Nanograms that are available for a fine. Undefined if, with mode +64, the message's value cannot pay the gas and the fines so far. */
const fundsFor = ({ run, state, mode, message }: Attempt, value: Money): bigint | undefined => {
  let funds = state.remaining.grams
  if (message.info.type === 'internal' && !(mode & WHOLE_BALANCE) && !(mode & PAY_FEES_APART)) {
    let own = value.grams
    if (mode & REST_OF_MESSAGE) {
      own += run.messageBalance.grams - run.computed!.gasFees - state.fine
      if (own < 0n) return undefined
    }
    if (own < funds) funds = own
  }
  return funds
}

/** Counts the message's cells. Returns a result code if the message is too large, or if its sender cannot pay the fine for so many cells. */
const priceOf = (attempt: Attempt, value: Money, toMasterchain: boolean): Price | ActionResult => {
  const { run, state, message } = attempt
  const { rules, limits } = run.config
  const prices = run.forwardPrices(toMasterchain)
  let maxCells = limits.maxMsgCells
  let finePerCell = 0n
  if (rules.finesActions && !run.account.special) {
    finePerCell = (prices.cellPrice >> 16n) / 4n
    const funds = fundsFor(attempt, value)
    if (funds === undefined) return skippable(attempt, RESULT.notEnoughGrams)
    if (funds < BigInt(maxCells) * finePerCell) maxCells = Number(funds / finePerCell)
  }
  const size = new CellCount(maxCells, run.interrupt).addRefs(message.init).addRefs(message.body)
  if (message.info.type === 'internal' && !rules.extraCurrencyV2 && value.extra !== undefined) size.add(value.extra)
  const fine = finePerCell * BigInt(Math.min(maxCells, size.cells))
  const tooLarge = size.cells > maxCells || size.bits > limits.maxMsgBits || size.merkleDepth > MAX_MERKLE_DEPTH
  if (tooLarge) {
    collectFine(state, fine)
    return skippable(attempt, RESULT.messageTooLarge)
  }
  return { prices, size, maxCells, fine }
}

const withinTotal = ({ run, state }: Attempt, { size }: Price, root: Cell): boolean => {
  const { rules, limits } = run.config
  if (!rules.limitsAllMessages) return true
  return (
    state.messageBits + size.bits + root.bits <= limits.maxTotalMsgBits && state.messageCells + size.cells + 1 <= limits.maxTotalMsgCells
  )
}

/** Returns the finished message. Returns a result code if it does not fit a cell, or all messages together are too large. */
const finish = (attempt: Attempt, price: Price, info: FinalInfo): Cell | ActionResult => {
  const { state, message, last } = attempt
  const cell = finishMessage(info, message)
  if (cell === undefined) {
    if (!last) return DOES_NOT_FIT
    collectFine(state, price.fine)
    return skippable(attempt, RESULT.messageDoesNotFit)
  }
  if (withinTotal(attempt, price, cell)) return cell
  collectFine(state, price.fine)
  return skippable(attempt, RESULT.messagesTooLarge)
}

const note = (
  { run, state, mode }: Attempt,
  { size, fine }: Price,
  cell: Cell,
  fees: { readonly total: bigint; readonly collected: bigint },
): ActionResult => {
  state.messagesCreated++
  state.endLt++
  state.outMsgs.push(cell)
  state.totalActionFees += fees.collected
  state.totalFwdFees += fees.total
  if (mode & WHOLE_BALANCE && mode & DELETE_IF_EMPTY) {
    state.deleteRequested = state.reserved.grams === 0n && (run.config.rules.extraCurrencyV2 || state.reserved.extra === undefined)
  }
  state.messageBits += size.bits + cell.bits
  state.messageCells += size.cells + 1
  if (run.config.rules.limitsAllMessages) state.fineIfFailed += fine
  return RESULT.ok
}

/** Nanograms and extra currencies of the message before fees; undefined if the rest of the incoming message is too small. */
const attached = ({ run, state, mode }: Attempt, value: Money): Money | undefined => {
  const { extraCurrencyV2 } = run.config.rules
  if (mode & WHOLE_BALANCE) return extraCurrencyV2 ? { grams: state.remaining.grams, extra: value.extra } : state.remaining
  if (!(mode & REST_OF_MESSAGE)) return value
  // A tick-tock transaction has no incoming message, so it has no rest to attach. From version 10 the rest counts as zero.
  if (run.message === undefined && !extraCurrencyV2) return undefined
  const { messageBalance } = run
  const sum = extraCurrencyV2 ? { grams: value.grams + messageBalance.grams, extra: value.extra } : addMoney(value, messageBalance)
  if (mode & PAY_FEES_APART) return sum
  const grams = sum.grams - state.fine - run.computed!.gasFees
  return grams < 0n ? undefined : { grams, extra: sum.extra }
}

/** Forward fee and IHR fee of a message in nanograms. Before version 8 a contract may set higher fees in the message. */
const feesOf = (
  { run }: Attempt,
  info: RelaxedInternal | undefined,
  { prices, size }: Price,
  ihrDisabled: boolean,
): { fwd: bigint; ihr: bigint } => {
  const { rules } = run.config
  const due = run.account.special ? 0n : forwardFee(prices, size.cells, size.bits)
  if (info === undefined || rules.ignoresOwnFees) return { fwd: due, ihr: ihrDisabled || info === undefined ? 0n : ihrFee(prices, due) }
  const [fwd, ihr] = [info.fwdFee!, info.extraFlags!]
  const ihrDue = ihrDisabled ? 0n : ihrFee(prices, due)
  return { fwd: fwd < due ? due : fwd, ihr: ihrDisabled ? 0n : ihr < ihrDue ? ihrDue : ihr }
}
const ihrFee = (prices: MsgForwardPrices, fwd: bigint): bigint => (fwd * BigInt(prices.ihrPriceFactor)) >> 16n

const sendInternal = (
  attempt: Attempt,
  info: RelaxedInternal,
  addresses: { src: MsgAddressInt; dest: MsgAddressInt },
  value: Money,
): ActionResult => {
  const { run, state } = attempt
  const { rules, limits } = run.config
  const price = priceOf(attempt, value, addresses.dest.workchain === -1)
  if (typeof price === 'number') return price
  const fail = (code: ActionResult): ActionResult => {
    collectFine(state, price.fine)
    return skippable(attempt, code)
  }
  const ihrDisabled = rules.noIhr || info.ihrDisabled
  const fees = feesOf(attempt, info, price, ihrDisabled)
  const total = fees.fwd + fees.ihr
  const requested = attached(attempt, value)
  if (requested === undefined) return fail(RESULT.notEnoughGrams)
  const apart = (attempt.mode & PAY_FEES_APART) !== 0 && !(attempt.mode & WHOLE_BALANCE)
  const brutto = apart ? requested.grams + total : requested.grams
  if (!apart && requested.grams < total) return fail(RESULT.notEnoughGrams)
  const grams = apart ? requested.grams : requested.grams - total
  if (state.remaining.grams < brutto) return fail(RESULT.notEnoughGrams)
  if (rules.extraCurrencyV2 && !withinCurrencyLimit(requested.extra, limits.maxMsgExtraCurrencies)) {
    return skippable(attempt, RESULT.tooManyCurrencies)
  }
  const extra = subExtra(state.remaining.extra, requested.extra)
  if (extra === 'short') return fail(RESULT.notEnoughExtra)
  const mine = firstPart(price.prices, fees.fwd)
  const cell = finish(attempt, price, {
    type: 'internal',
    ihrDisabled,
    bounce: info.bounce,
    ...addresses,
    value: { grams, extra: requested.extra },
    extraFlags: rules.extraFlags ? info.extraFlags! : fees.ihr,
    fwdFee: fees.fwd - mine,
    createdLt: state.endLt,
    createdAt: run.now,
  })
  if (typeof cell === 'number') return cell
  if (attempt.mode & (REST_OF_MESSAGE | WHOLE_BALANCE)) {
    run.messageBalance = rules.extraCurrencyV2 ? { grams: 0n, extra: run.messageBalance.extra } : NO_MONEY
  }
  state.remaining = { grams: state.remaining.grams - brutto, extra }
  return note(attempt, price, cell, { total, collected: mine })
}

/** An external message has no value, so its fee is taken from the balance. */
const sendExternal = (attempt: Attempt, src: MsgAddressInt): ActionResult => {
  const { run, state, message } = attempt
  const price = priceOf(attempt, NO_MONEY, false)
  if (typeof price === 'number') return price
  const { fwd } = feesOf(attempt, undefined, price, true)
  if (state.remaining.grams < fwd) {
    collectFine(state, price.fine)
    return skippable(attempt, RESULT.notEnoughGrams)
  }
  const { info } = message
  if (info.type !== 'external') return RESULT.invalidAction
  const cell = finish(attempt, price, { type: 'external', src, dest: info.dest, createdLt: state.endLt, createdAt: run.now })
  if (typeof cell === 'number') return cell
  state.takeGrams(fwd)
  return note(attempt, price, cell, { total: fwd, collected: fwd })
}

/** Returns the value without extra currencies of amount zero, or a result code. */
const checkedValue = (attempt: Attempt, value: Money): Money | ActionResult => {
  const { rules, limits } = attempt.run.config
  if (!rules.extraCurrencyV2) return value
  const { root, over } = withoutZeros(value.extra, limits.maxMsgExtraCurrencies)
  return over ? skippable(attempt, RESULT.tooManyCurrencies) : { grams: value.grams, extra: root }
}

/** Makes one attempt to send a message (`try_action_send_msg`). */
const trySend = (attempt: Attempt): ActionResult => {
  const { run, mode, message } = attempt
  mayGoOn(run.interrupt)
  const { rules } = run.config
  const { info } = message
  if (info.type === 'external' && mode & ~(PAY_FEES_APART | SKIP_IF_INVALID)) return RESULT.invalidAction
  if (info.type === 'internal') {
    if (!info.valueIsValid) return RESULT.invalidAction
    if (!rules.ignoresOwnFees && (info.fwdFee === undefined || info.extraFlags === undefined)) return RESULT.invalidAction
    if (rules.extraFlags && (info.extraFlags === undefined || info.extraFlags > 3n)) return skippable(attempt, RESULT.invalidExtraFlags)
  }
  const src = sourceOf(run, info.src)
  if (src === undefined) return rules.skipsMore ? skippable(attempt, RESULT.invalidSource) : RESULT.invalidSource
  if (info.type === 'external') return sendExternal(attempt, src)
  const dest = destinationOf(run, info.dest, !rules.noAnycast)
  if (dest === undefined) return skippable(attempt, RESULT.invalidDestination)
  const value = checkedValue(attempt, info.value)
  return typeof value === 'number' ? value : sendInternal(attempt, info, { src, dest }, value)
}

/** action_send_msg#0ec3c86d mode:(## 8) out_msg:^(MessageRelaxed Any). The slice begins after the tag. */
export const sendMessage = (run: TransactionRun, state: ActionState, s: Slice): ActionResult => {
  const { rules } = run.config
  let mode = s.loadUint(8)
  if (mode & BOUNCE && rules.bounceOnFailMode) {
    mode &= ~BOUNCE
    state.bounceOnFail = true
  }
  const message = loadRelaxed(s.loadRef())
  const attempt: Attempt = { run, state, mode, message, last: false }
  const refuse = (): ActionResult => (rules.skipsMore ? skippable(attempt, RESULT.invalidAction) : RESULT.invalidAction)
  if (mode & ~VALID_MODES || (mode & (REST_OF_MESSAGE | WHOLE_BALANCE)) === (REST_OF_MESSAGE | WHOLE_BALANCE)) return refuse()
  const init = initOf(message)
  if (init !== undefined && !validStateInit(init)) return refuse()
  let result = trySend(attempt)
  if (result !== DOES_NOT_FIT) return result
  // The first retry moves the init into a reference, if the init has at least two references. The second retry also moves the body.
  const moved = message.init.remainingRefs >= 2 ? withInitMoved(message) : undefined
  if (moved !== undefined) result = trySend({ ...attempt, message: moved })
  if (result !== DOES_NOT_FIT) return result
  return trySend({ ...attempt, message: withBodyMoved(moved ?? message), last: true })
}
