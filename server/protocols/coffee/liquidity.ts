import type { Matcher } from '../../actions/matcher.ts'
import { call, either, kind, named, optional } from '../../actions/pattern.ts'
import { EXCESSES, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { depositColumns, type Excess, type Put, type Taken, withdrawalColumns } from '../exchanges/liquidity.ts'
import { INTERNAL_TRANSFER, loadInternalTransfer } from '../jettons/bodies.ts'
import { BURNED, burnOf } from '../jettons/mint-burn.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import * as coffee from './bodies.ts'
import { load } from './messages.ts'
import { coffeeOut } from './swap.ts'

const lp = named('lp', call(INTERNAL_TRANSFER, { each: optional(call(EXCESSES)) }))

const excessOf = (out: Step): Excess =>
  isTransfer(out) ? { asset: transferOf(out).jetton, amount: transferOf(out).amount } : { asset: null, amount: out.message.value ?? 0n }

const mintedBy = (event: Step | undefined, transfer: Step | undefined): { minted: bigint | null; pool: Address | null } => {
  if (event !== undefined) return { minted: coffee.loadMinted(event), pool: event.source }
  if (transfer !== undefined) return { minted: loadInternalTransfer(transfer).amount, pool: transfer.source }
  return { minted: null, pool: null }
}

export const coffeeDeposit: Matcher = {
  at: [coffee.CREATE_DEPOSITORY],
  around: {
    before: named('in', either(call(coffee.DEPOSIT_NATIVE), kind(TRANSFERRED))),
    each: named(
      'deploy',
      call(coffee.DEPLOY, {
        each: optional(
          call(coffee.DEPOSIT_INTERNAL, {
            all: [
              lp,
              named('event', call(coffee.DEPOSIT_EVENT)),
              optional(named('payout', call(coffee.PAYOUT_INTERNAL, { each: named('out', coffeeOut) }))),
            ],
          }),
        ),
      }),
    ),
  },
  build(step, found, run) {
    const start = found.get('in')!
    const transfer = isTransfer(start) ? transferOf(start) : undefined
    const { amount, params, sender } = load('internal coffee_create_liquidity_depository_request', step.body)
    const assets = coffee.assetsOf(params.pool_params)
    const asset = transfer?.jetton ?? null
    if (!assets.includes(asset)) return
    const put: Put = { asset, amount, wallet: transfer?.senderWallet ?? null }
    const isFirst = assets[0] === asset
    const out = found.get('out')
    const { minted, pool } = mintedBy(found.get('event'), found.get('lp'))
    const other = isFirst ? assets[1] : assets[0]
    run.group(
      'coffee_deposit_liquidity',
      [step, ...found.steps],
      depositColumns({
        dex: 'coffee',
        sender,
        pool,
        gatherer: found.get('deploy')!.destination,
        puts: isFirst ? [put, undefined] : [undefined, put],
        // There are no target amounts: the user can deposit any amount of the other asset.
        targets: [
          { asset, amount: null },
          { asset: other, amount: null },
        ],
        minted,
        excesses: out === undefined ? [] : [excessOf(out)],
      }),
    )
  },
}

const takenBy = (pay: Step): Taken => {
  const dexWallet = pay.source
  const { amount } = load('internal coffee_payout_internal', pay.body)
  for (const next of pay.next) {
    if (isTransfer(next)) {
      const { jetton, senderWallet, receiverWallet } = transferOf(next)
      return { asset: jetton, amount, wallet: receiverWallet, dexWallet, dexJettonWallet: senderWallet }
    }
    if (next.op === coffee.PAYOUT) return { asset: null, amount, wallet: next.destination, dexWallet, dexJettonWallet: null }
  }
  return { asset: null, amount, wallet: null, dexWallet, dexJettonWallet: null }
}

const payout = call(coffee.PAYOUT_INTERNAL, { each: coffeeOut })

export const coffeeWithdrawal: Matcher = {
  at: [BURNED],
  around: { all: [named('first', payout), named('second', payout), named('event', call(coffee.WITHDRAWAL_EVENT))] },
  build(step, found, run) {
    const burn = burnOf(step)
    const event = found.get('event')!
    run.group(
      'dex_withdraw_liquidity',
      [step, ...found.steps],
      withdrawalColumns({
        dex: 'coffee',
        sender: burn.owner,
        senderWallet: burn.wallet,
        pool: event.source,
        asset: burn.jetton,
        burnt: burn.amount,
        isRefund: false,
        taken: [takenBy(found.get('first')!), takenBy(found.get('second')!)],
      }),
    )
  },
}
