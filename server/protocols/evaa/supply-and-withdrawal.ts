import { hexText } from '../../actions/answer-texts.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, either, type Found, kind, named, where } from '../../actions/pattern.ts'
import { loadAddress, skipAddress } from '../../actions/read.ts'
import { type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { isTransfer, type JettonTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { note, TON_ID, userBody, userCall } from './common.ts'

/* EVAA: supplies and withdrawals. */

const SUPPLY = 0x1
const SUPPLY_USER = 0x11
const SUPPLY_OK = 0x11a
const SUPPLY_FAILED = 0x11f

/**
 * supply_master#00000001 query_id:uint64 include_user_code:int2 supply_amount:uint64 recipient_address:MsgAddressInt ... = InternalMsgBody;
 * supply_master#00000001 include_user_code:int2 recipient_address:MsgAddressInt ... = ForwardPayload;
 */
const loadSupply = (step: Step): { amount: bigint; recipient: Address | null } => {
  if (isTransfer(step)) {
    const { payload, amount } = transferOf(step)
    return { amount, recipient: loadAddress(payload!.slice().skip(32 + 2)) }
  }
  const s = step.body().skip(64 + 2)
  const amount = s.loadUintBig(64)
  return { amount, recipient: loadAddress(s) }
}

/** The recipient's wallet for the jettons that come back. */
const walletOf = (transfer: JettonTransfer, recipient: Address | null, found: Found): Address | null => {
  if (transfer.sender === recipient) return transfer.senderWallet
  const back = found.steps.find((step) => isTransfer(step) && transferOf(step).senderWallet === transfer.receiverWallet)
  return back === undefined ? null : transferOf(back).receiverWallet
}

/** supply_success#0000011a query_id:uint64 owner_address:MsgAddressInt asset_id:uint256 amount_supplied:uint64 ... = InternalMsgBody; */
const loadSupplied = (step: Step): bigint => {
  const s = step.body().skip(64)
  skipAddress(s)
  return s.skip(256).loadUintBig(64)
}

export const evaaSupply: Matcher = {
  name: 'EVAA supply',
  at: [SUPPLY, TRANSFERRED],
  around: {
    each: named(
      'user',
      userCall(SUPPLY_USER, {
        each: either(named('ok', call(SUPPLY_OK, { each: note })), named('failed', call(SUPPLY_FAILED)), named('back', kind(TRANSFERRED))),
      }),
    ),
  },
  build(step, found, run) {
    const transfer = isTransfer(step) ? transferOf(step) : undefined
    if (transfer !== undefined && transfer.payloadOp !== SUPPLY) return
    const { amount, recipient } = loadSupply(step)
    const user = found.get('user')!
    const ok = found.get('ok')
    run.group('evaa_supply', [step, ...found.steps], {
      source: transfer === undefined ? step.source : transfer.sender,
      sourceSecondary: transfer?.senderWallet ?? null,
      destination: recipient,
      destinationSecondary: user.destination,
      amount: ok === undefined ? amount : loadSupplied(ok),
      asset: transfer?.jetton ?? null,
      success: ok !== undefined,
      data: {
        is_ton: transfer === undefined,
        // supply_user#00000011 query_id:uint64 asset_id:uint256 ...
        asset_id: hexText(userBody(user).skip(64).loadUintBig(256)),
        master: transfer === undefined ? step.destination : transfer.receiver,
        recipient_jetton_wallet: transfer === undefined ? null : walletOf(transfer, recipient, found),
        master_jetton_wallet: transfer?.receiverWallet ?? null,
      },
    })
  },
}

const WITHDRAW = 0x2
const WITHDRAW_USER = 0x21
const COLLATERALIZED = 0x211
const WITHDRAW_OK = 0x211a
const WITHDRAW_FAILED = 0x211f
const NO_FUNDS = 0x211fe8

/** Failure reasons by the opcode of the answer of the user's contract. */
const REASONS: ReadonlyMap<number | null | undefined, string> = new Map([
  [0x21e6, 'withdraw_locked_excess'],
  [0x21e7, 'withdraw_not_collateralized_excess'],
  [0x21e8, 'withdraw_missing_prices_excess'],
  [0x21ec, 'withdraw_execution_crashed'],
])

const collateralized = named(
  'given',
  call(COLLATERALIZED, {
    all: [
      either(named('jettons', kind(TRANSFERRED)), named('ton', call(WITHDRAW_OK, { each: note }))),
      userCall(WITHDRAW_OK, { each: kind(TRANSFER) }),
    ],
  }),
)
const withoutFunds = named('refused', call(COLLATERALIZED, { each: userCall(WITHDRAW_FAILED, { each: call(NO_FUNDS) }) }))
const refusedByUser = named(
  'reason',
  where(({ op }) => REASONS.has(op)),
)

/** withdraw_master#00000002 query_id:uint64 asset_id:uint256 amount:uint64 recipient_addr:MsgAddressInt ... = InternalMsgBody; */
const loadWithdraw = (step: Step) => {
  const s = step.body().skip(64)
  const assetId = s.loadUintBig(256)
  const amount = s.loadUintBig(64)
  return { assetId, amount, recipient: loadAddress(s) }
}

/** withdraw_collateralized#00000211 query_id:uint64 owner_address:MsgAddressInt asset_id:uint256 withdraw_amount_current:uint64 ... = InternalMsgBody; */
const loadGiven = (step: Step): bigint => {
  const s = step.body().skip(64)
  skipAddress(s)
  return s.skip(256).loadUintBig(64)
}

export const evaaWithdrawal: Matcher = {
  name: 'EVAA withdrawal',
  at: [WITHDRAW],
  around: { each: named('user', userCall(WITHDRAW_USER, { each: either(collateralized, withoutFunds, refusedByUser) })) },
  build(step, found, run) {
    const { assetId, amount, recipient } = loadWithdraw(step)
    const isTon = assetId === TON_ID
    const given = found.get('given')
    const jettons = found.get('jettons')
    // The paid asset is not the requested one.
    if (given !== undefined && found.get(isTon ? 'ton' : 'jettons') === undefined) return
    const payout = isTon || jettons === undefined ? undefined : transferOf(jettons)
    const reason = found.get('refused') === undefined ? REASONS.get(found.get('reason')?.op) : 'withdraw_no_funds_excess'
    run.group('evaa_withdraw', [step, ...found.steps], {
      source: step.source,
      destination: recipient,
      destinationSecondary: found.get('user')!.destination,
      amount: given === undefined ? amount : loadGiven(given),
      asset: payout?.jetton ?? null,
      success: given !== undefined,
      data: {
        is_ton: isTon,
        recipient_jetton_wallet: payout?.receiverWallet ?? null,
        master_jetton_wallet: payout?.senderWallet ?? null,
        fail_reason: reason ?? null,
        master: step.destination,
        asset_id: hexText(assetId),
      },
    })
  },
}
