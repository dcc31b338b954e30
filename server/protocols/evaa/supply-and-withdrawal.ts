import { hexText } from '../../actions/boc-and-hex-texts.ts'
import type { Matcher } from '../../actions/matcher.ts'
import { call, either, type Found, kind, named, optional, type Pattern, type PatternContext, where } from '../../actions/pattern.ts'
import { commentOf } from '../../actions/plain-transfer.ts'
import { type Opcode, type Step, TRANSFER } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { attempt } from '../../cell/error.ts'
import { isTransfer, type JettonTransfer, paymentOf, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { TON_ID } from './assets.ts'
import { load, opcode } from './messages.ts'

/* EVAA: a master contract holds the lent assets, and each user has a contract. https://github.com/evaafi/contracts */

/** Comments of the transfers that EVAA sends with its operations. */
const NOTES: readonly (string | null | undefined)[] = ['EVAA liquidation.', 'EVAA supply.', 'EVAA withdraw.']
export const note: Pattern = optional(where((step) => step.kind === TRANSFER && NOTES.includes(commentOf(step))))

export const loadUserMessage = ({ body }: Step) => load('type EvaaUserMessage', body)

export const userCall = (op: Opcode, around?: PatternContext): Pattern =>
  where((step) => step.op !== undefined && attempt(() => loadUserMessage(step).op) === op, around)

const SUPPLY = opcode('internal evaa_supply_master')
const SUPPLY_OK = opcode('internal evaa_supply_success')
const SUPPLY_FAILED = opcode('internal evaa_supply_fail')

const loadSupply = (step: Step): { amount: bigint; recipient: Address | null } => {
  if (isTransfer(step)) {
    const { payload, amount } = transferOf(step)
    return { amount, recipient: load('type EvaaSupplyOrder', payload!).recipient }
  }
  const { supply_amount: requested, recipient_address: recipient } = load('internal evaa_supply_master', step.body)
  return { amount: requested.amount, recipient }
}

/** Returns the recipient's jetton wallet. If the recipient is not the sender, this is the wallet that got jettons back; null if no wallet got any. */
const walletOf = (transfer: JettonTransfer, recipient: Address | null, found: Found): Address | null => {
  if (transfer.sender === recipient) return transfer.senderWallet
  const back = found.steps.find((step) => isTransfer(step) && transferOf(step).senderWallet === transfer.receiverWallet)
  return back === undefined ? null : transferOf(back).receiverWallet
}

const supplied = either(named('ok', call(SUPPLY_OK, { each: note })), call(SUPPLY_FAILED), kind(TRANSFERRED))

export const evaaSupply: Matcher = {
  at: [SUPPLY, TRANSFERRED],
  around: { each: named('user', userCall(opcode('internal evaa_supply_user'), { each: supplied })) },
  build(step, found, run) {
    const payment = paymentOf(step)
    if (payment.payloadOp !== SUPPLY) return
    const { amount, recipient } = loadSupply(step)
    const user = found.get('user')!
    const ok = found.get('ok')
    run.group('evaa_supply', [step, ...found.steps], {
      source: payment.sender,
      sourceSecondary: payment.senderWallet,
      destination: recipient,
      destinationSecondary: user.destination,
      amount: ok === undefined ? amount : load('internal evaa_supply_success', ok.body).amount_supplied.amount,
      asset: payment.jetton,
      success: ok !== undefined,
      data: {
        is_ton: !isTransfer(step),
        asset_id: hexText(loadUserMessage(user).asset_id),
        master: payment.receiver,
        recipient_jetton_wallet: walletOf(payment, recipient, found),
        master_jetton_wallet: payment.receiverWallet,
      },
    })
  },
}

const COLLATERALIZED = opcode('internal evaa_withdraw_collateralized')
const WITHDRAW_OK = opcode('internal evaa_withdraw_success')
const NO_FUNDS = opcode('internal evaa_withdraw_no_funds_excess')

const REASONS: ReadonlyMap<number | null | undefined, string> = new Map(
  ['withdraw_locked_excess', 'withdraw_not_collateralized_excess', 'withdraw_missing_prices_excess', 'withdraw_execution_crashed'].map(
    (reason) => [opcode(`internal evaa_${reason}`), reason],
  ),
)

const collateralized = call(COLLATERALIZED, {
  all: [
    either(named('jettons', kind(TRANSFERRED)), named('ton', call(WITHDRAW_OK, { each: note }))),
    userCall(WITHDRAW_OK, { each: kind(TRANSFER) }),
  ],
})
const withoutFunds = call(COLLATERALIZED, { each: userCall(opcode('internal evaa_withdraw_fail'), { each: call(NO_FUNDS) }) })
const refusedByUser = where(({ op }) => REASONS.has(op))
const outcome = either(named('given', collateralized), named('refused', withoutFunds), named('reason', refusedByUser))

export const evaaWithdrawal: Matcher = {
  at: [opcode('internal evaa_withdraw_master')],
  around: { each: named('user', userCall(opcode('internal evaa_withdraw_user'), { each: outcome })) },
  build(step, found, run) {
    const { asset_id: asset, amount: requested, recipient_addr: recipient } = load('internal evaa_withdraw_master', step.body)
    const assetId = asset.asset_id
    const isTon = assetId === TON_ID
    const given = found.get('given')
    const jettons = found.get('jettons')
    // Nothing is grouped if an asset other than the requested one was paid.
    if (given !== undefined && found.get(isTon ? 'ton' : 'jettons') === undefined) return
    const payout = isTon || jettons === undefined ? undefined : transferOf(jettons)
    const reason = found.get('refused') === undefined ? REASONS.get(found.get('reason')?.op) : 'withdraw_no_funds_excess'
    run.group('evaa_withdraw', [step, ...found.steps], {
      source: step.source,
      destination: recipient,
      destinationSecondary: found.get('user')!.destination,
      amount: (given === undefined ? requested : load('internal evaa_withdraw_collateralized', given.body).withdraw_amount_current).amount,
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
