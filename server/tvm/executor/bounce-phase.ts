import { MAX_BAG_CELLS } from '../../cell/budget.ts'
import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { storeAddressInt } from '../../tlb/address.ts'
import type { BouncePhase } from '../../tlb/transaction/tr-phases.ts'
import { destinationOf } from './action-phase/destination.ts'
import { CellCount } from './cell-count.ts'
import { storeMoney, subMoney } from './currency.ts'
import { ExecutorError } from './error.ts'
import { firstPart, forwardFee } from './fees.ts'
import type { InMessage } from './in-message.ts'
import type { TransactionRun } from './transaction-run.ts'

/** Bits of a message's extra_flags. NEW_FORM: a bounce of the message uses new_bounce_body. WHOLE_BODY: new_bounce_body contains the whole original body. */
const NEW_FORM = 1n
const WHOLE_BODY = 2n

/** Exit codes in the new form if the compute phase was skipped (`-skip_reason`). */
const SKIP_CODES = { no_state: -1, bad_state: -2, no_gas: -3, suspended: -4 } as const

const BY_SKIPPED = 0
const BY_COMPUTE = 1
const BY_ACTION = 2

const dataOnly = (body: Slice): Cell => beginCell().storeBits(body.preloadBits(body.remainingBits), body.remainingBits).end()

/*
 * new_bounce_body#fffffffe original_body:^Cell original_info:^NewBounceOriginalInfo bounced_by_phase:uint8 exit_code:int32
 *   compute_phase:(Maybe NewBounceComputePhaseInfo) = NewBounceBody;
 * _ value:CurrencyCollection created_lt:uint64 created_at:uint32 = NewBounceOriginalInfo;
 * _ gas_used:uint32 vm_steps:uint32 = NewBounceComputePhaseInfo;
 */
const newBody = (run: TransactionRun, message: InMessage): Builder => {
  const computed = run.computed!
  const body = message.extraFlags & WHOLE_BODY ? message.body.asCell() : dataOnly(message.body)
  const info = storeMoney(beginCell(), message.value).storeUint(message.createdLt, 64).storeUint(message.createdAt, 32).end()
  const b = beginCell().storeUint(0xfffffffe, 32).storeRef(body).storeRef(info)
  if (computed.skipped !== undefined) return b.storeUint(BY_SKIPPED, 8).storeInt(SKIP_CODES[computed.skipped], 32).storeBit(0)
  if (computed.success) b.storeUint(BY_ACTION, 8).storeInt(run.action!.resultCode, 32)
  else b.storeUint(BY_COMPUTE, 8).storeInt(computed.exitCode, 32)
  return b.storeBit(1).storeUint(BigInt.asUintN(32, computed.gasUsed), 32).storeUint(computed.steps, 32)
}

/** The old form of a bounced body: 32 ones, then as many bits of the original body as the configuration allows. */
const oldBody = (message: InMessage, mostBits: number): Builder => {
  const b = beginCell()
  if (mostBits === 0) return b
  const bits = Math.min(message.body.remainingBits, mostBits)
  return b.storeUint(0xffffffff, 32).storeBits(message.body.preloadBits(bits), bits)
}

/** The bounced message's size without its root. */
const sizeOf = (run: TransactionRun, message: InMessage, body: Builder): CellCount => {
  const { rules } = run.config
  const size = new CellCount(MAX_BAG_CELLS, run.interrupt)
  if (!rules.bounceWithoutExtra && message.value.extra !== undefined) size.add(message.value.extra)
  return size.addRefs(body.end().slice())
}

/** Sends the rest of the message's value back to its sender (`prepare_bounce_phase`). */
export const bouncePhase = (run: TransactionRun): void => {
  const message = run.message!
  const { rules } = run.config
  const isNew = rules.extraFlags && (message.extraFlags & NEW_FORM) !== 0n
  const body = isNew ? newBody(run, message) : oldBody(message, run.config.bounceBodyBits)
  const dest = destinationOf(run, message.src!, true)
  if (dest === undefined) throw new ExecutorError('transaction', 'the message cannot be bounced: its source is not a valid destination')
  const prices = run.forwardPrices(dest.workchain === -1)
  const size = sizeOf(run, message, body)
  const msgSize = { cells: BigInt(size.cells), bits: BigInt(size.bits) }
  const fees = forwardFee(prices, size.cells, size.bits)
  const grams = run.messageBalance.grams - run.computed!.gasFees - (run.action?.fine ?? 0n)
  if (grams < fees) {
    run.bounce = { type: 'nofunds', msgSize, reqFwdFees: fees }
    return
  }
  const value = { grams, extra: run.messageBalance.extra }
  const left = subMoney(run.balance, value)
  if (left === undefined) throw new ExecutorError('transaction', 'the balance is less than what the bounced message would carry')
  run.balance = left
  const mine = firstPart(prices, fees)
  run.totalFees += mine
  const b = beginCell().storeUint(5, 4)
  storeAddressInt(storeAddressInt(b, message.dest), dest)
  storeMoney(b, { grams: grams - fees, extra: value.extra })
    .storeCoins(rules.extraFlags ? message.extraFlags & 3n : 0n)
    .storeCoins(fees - mine)
    .storeUint(run.startLt + 1n + BigInt(run.outMsgs.length), 64)
    .storeUint(run.now, 32)
    .storeBit(0)
  run.endLt++
  run.outMsgs = [...run.outMsgs, withBody(b, body).end()]
  run.bounce = { type: 'ok', msgSize, msgFees: mine, fwdFees: fees - mine } satisfies BouncePhase
}

/** Stores body:(Either X ^X), inline if it fits. */
const withBody = (b: Builder, body: Builder): Builder =>
  b.bits + 1 + body.bits <= 1023 && b.refs + body.refs <= 4 ? b.storeBit(0).storeBuilder(body) : b.storeBit(1).storeRef(body.end())
