import type { Matcher } from '../../actions/matcher.ts'
import { anything, call, either, kind, named, optional, where } from '../../actions/pattern.ts'
import type { Step } from '../../actions/step.ts'
import { type Deposit, depositColumns, type Put, payoutOf, withdrawalColumns } from '../exchanges/liquidity.ts'
import { transfersAfter } from '../exchanges/swap.ts'
import { INTERNAL_TRANSFER, loadInternalTransfer, NOTIFICATION } from '../jettons/bodies.ts'
import { BURNED, burnOf } from '../jettons/mint-burn.ts'
import { paymentOf, TRANSFERRED } from '../jettons/transfer.ts'
import { load, opcode, PROXY_PAYMENT } from './messages.ts'
import { PAY_TO_V2 } from './v2-swap.ts'

const ADD_LIQUIDITY = opcode('internal stonfi_add_liquidity_v2')
const ADDED = opcode('internal stonfi_cb_add_liquidity_v2')
const REFUND = 0x132b9a2c
const WITHDRAW_REFUNDED = 0x0f98e2b8

const DEPOSITED = 'dex_deposit_liquidity'

const isOtherDeposit = (step: Step): boolean => step.kind === DEPOSITED && (step.info as Deposit | undefined)?.dex === 'stonfi_v2'

/** A step that may have caused both halves of a deposit. */
const common = optional(anything({ each: named('other', where(isOtherDeposit)) }))
const given = named('in', kind(TRANSFERRED, { before: common }))

/**
 * Each asset of a deposit is sent separately. If one step sent both, the second half of the deposit finds the first half and includes it. The step
 * that sent both is not part of the deposit.
 */
export const stonfiV2Deposit: Matcher = {
  at: [opcode('internal stonfi_provide_lp_v2')],
  around: {
    before: either(
      call(NOTIFICATION, { before: named('in', call(PROXY_PAYMENT, { before: common })) }),
      given,
      call(NOTIFICATION, { before: call(INTERNAL_TRANSFER, { before: given }) }),
    ),
    each: call(ADD_LIQUIDITY, {
      each: optional(call(ADDED, { each: either(named('lp', call(INTERNAL_TRANSFER)), named('refund', call(ADD_LIQUIDITY))) })),
    }),
  },
  build(step, found, run) {
    const start = found.get('in')!
    const lp = found.get('lp')
    const other = found.get('other')
    const { from_user: user, left_amount: left, right_amount: right } = load('internal stonfi_provide_lp_v2', step.body)
    const { jetton: asset, senderWallet: wallet } = paymentOf(start)
    const put: Put = { asset, amount: left > 0n ? left : right, wallet }
    const minted = lp === undefined ? null : loadInternalTransfer(lp).amount
    const first = other?.info as Deposit | undefined
    const belongs = first !== undefined && first.sender === user && first.pool === step.destination && first.minted !== minted
    const deposit: Deposit = {
      dex: 'stonfi_v2',
      sender: user,
      pool: step.destination,
      puts: [put, belongs ? first.puts[0] : undefined],
      minted: minted ?? (belongs ? first.minted : null),
      failed: found.get('refund') !== undefined,
    }
    const above = other?.previous
    const members = [step, ...found.steps].filter((member) => !belongs || member !== above)
    run.group(DEPOSITED, members, depositColumns(deposit), { info: deposit, below: belongs ? above : undefined })
  },
}

export const stonfiV2Withdrawal: Matcher = {
  at: [PAY_TO_V2],
  around: {
    before: either(
      named('refunded', call(WITHDRAW_REFUNDED, { before: call(REFUND) })),
      named('burnt', call(opcode('internal stonfi_burn_notification_ext_v2'), { before: kind(BURNED) })),
    ),
    each: kind(TRANSFERRED),
  },
  build(step, found, run) {
    const refunded = found.get('refunded')
    const burnt = found.get('burnt')
    const others = step.previous!.next.filter((next) => next !== step && !found.steps.includes(next) && next.op === PAY_TO_V2)
    const withPayout = others.filter((pay) => transfersAfter(pay).length > 0)
    const payouts = [step, ...withPayout].flatMap((pay) => transfersAfter(pay).slice(0, 1)).map(payoutOf)
    const burn = burnt?.previous === undefined ? undefined : burnOf(burnt.previous)
    const proxies = payouts.flatMap(({ proxy }) => proxy ?? [])
    const columns = withdrawalColumns({
      dex: 'stonfi_v2',
      sender: burn?.owner ?? refunded?.previous?.source ?? null,
      senderWallet: burn?.wallet ?? null,
      pool: step.source,
      asset: burn?.jetton ?? null,
      burnt: burn?.amount ?? null,
      isRefund: refunded !== undefined,
      taken: [payouts[0]?.taken, payouts.length > 1 ? payouts.at(-1)!.taken : undefined],
    })
    const members = [step, ...withPayout, ...withPayout.flatMap(transfersAfter), ...found.steps, ...proxies]
    run.group('dex_withdraw_liquidity', members, columns)
  },
}
