import type { Matcher } from '../../actions/matcher.ts'
import { call, either, kind, named, optional } from '../../actions/pattern.ts'
import { EXCESSES, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { depositColumns, excessOf, type Put, type Taken, takenOf, withdrawalColumns } from '../exchanges/liquidity.ts'
import { INTERNAL_TRANSFER, loadInternalTransfer } from '../jettons/bodies.ts'
import { BURNED, burnOf } from '../jettons/mint-burn.ts'
import { isTransfer, paymentOf, TRANSFERRED } from '../jettons/transfer.ts'
import * as coffee from './bodies.ts'
import { load, opcode } from './messages.ts'
import { coffeeOut } from './swap.ts'

const lp = named('lp', call(INTERNAL_TRANSFER, { each: optional(call(EXCESSES)) }))

const mintedBy = (event: Step | undefined, transfer: Step | undefined): { minted: bigint | null; pool: Address | null } => {
  if (event !== undefined) return { minted: coffee.loadMinted(event), pool: event.source }
  if (transfer !== undefined) return { minted: loadInternalTransfer(transfer).amount, pool: transfer.source }
  return { minted: null, pool: null }
}

const event = named('event', call(coffee.DEPOSIT_EVENT))
const excess = optional(call(coffee.PAYOUT_INTERNAL, { each: named('out', coffeeOut) }))
const deposited = optional(call(opcode('internal coffee_deposit_liquidity_internal'), { all: [lp, event, excess] }))

export const coffeeDeposit: Matcher = {
  at: [opcode('internal coffee_create_liquidity_depository_request')],
  around: {
    before: named('in', either(call(opcode('internal coffee_deposit_liquidity')), kind(TRANSFERRED))),
    each: named('deploy', call(coffee.DEPLOY, { each: deposited })),
  },
  build(step, found, run) {
    const start = found.get('in')!
    const { jetton: asset, senderWallet: wallet } = paymentOf(start)
    const { amount, params, sender } = load('internal coffee_create_liquidity_depository_request', step.body)
    const assets = coffee.assetsOf(params.pool_params)
    if (!assets.includes(asset)) return
    const put: Put = { asset, amount, wallet }
    const isFirst = assets[0] === asset
    const out = found.get('out')
    const columns = depositColumns({
      dex: 'coffee',
      sender,
      ...mintedBy(found.get('event'), found.get('lp')),
      gatherer: found.get('deploy')!.destination,
      puts: isFirst ? [put, undefined] : [undefined, put],
      // There are no target amounts: the user can deposit any amount of the other asset.
      targets: [
        { asset, amount: null },
        { asset: isFirst ? assets[1] : assets[0], amount: null },
      ],
      excesses: out === undefined ? [] : [excessOf(out)],
    })
    run.group('coffee_deposit_liquidity', [step, ...found.steps], columns)
  },
}

/** Returns what a payout paid. The payout is a transfer, or a message with Gram to the receiver. */
const takenBy = (pay: Step): Taken => {
  const { amount } = load('internal coffee_payout_internal', pay.body)
  const unpaid = { asset: null, amount, wallet: null, dexWallet: pay.source, dexJettonWallet: null }
  const paid = pay.next.find((next) => isTransfer(next) || next.op === coffee.PAYOUT)
  if (paid === undefined) return unpaid
  return isTransfer(paid) ? { ...takenOf(paid), amount, dexWallet: pay.source } : { ...unpaid, wallet: paid.destination }
}

const payout = call(coffee.PAYOUT_INTERNAL, { each: coffeeOut })

export const coffeeWithdrawal: Matcher = {
  at: [BURNED],
  around: {
    all: [named('first', payout), named('second', payout), named('event', call(opcode('external coffee_withdraw_liquidity_succeeded')))],
  },
  build(step, found, run) {
    const burn = burnOf(step)
    const event = found.get('event')!
    const columns = withdrawalColumns({
      dex: 'coffee',
      sender: burn.owner,
      senderWallet: burn.wallet,
      pool: event.source,
      asset: burn.jetton,
      burnt: burn.amount,
      isRefund: false,
      taken: [takenBy(found.get('first')!), takenBy(found.get('second')!)],
    })
    run.group('dex_withdraw_liquidity', [step, ...found.steps], columns)
  },
}
