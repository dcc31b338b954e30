import type { Matcher } from '../../actions/matcher.ts'
import { anything, call, either, kind, named, optional, where } from '../../actions/pattern.ts'
import type { Step } from '../../actions/step.ts'
import { type Deposit, depositColumns, type Put, type Taken, withdrawalColumns } from '../exchanges/liquidity.ts'
import { payoutAfter, transfersAfter } from '../exchanges/sides.ts'
import { INTERNAL_TRANSFER, loadInternalTransfer, NOTIFICATION } from '../jettons/bodies.ts'
import { BURNED, burnOf } from '../jettons/mint-burn.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { load, opcode, PROXY_PAYMENT } from './messages.ts'
import { PAY_TO_V2 } from './v2-bodies.ts'

const PROVIDE = opcode('internal stonfi_provide_lp_v2')
const ADD_LIQUIDITY = opcode('internal stonfi_add_liquidity_v2')
const ADDED = opcode('internal stonfi_cb_add_liquidity_v2')
const BURN_NOTIFICATION_EXT = opcode('internal stonfi_burn_notification_ext_v2')
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
  at: [PROVIDE],
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
    const transfer = isTransfer(start) ? transferOf(start) : undefined
    const put: Put = { asset: transfer?.jetton ?? null, amount: left > 0n ? left : right, wallet: transfer?.senderWallet ?? null }
    const minted = lp === undefined ? null : loadInternalTransfer(lp).amount
    const first = other?.info as Deposit | undefined
    const belongs = first !== undefined && first.sender === user && first.pool === step.destination && first.minted !== minted
    const deposit: Deposit = {
      dex: 'stonfi_v2',
      sender: user,
      pool: step.destination,
      puts: [put, belongs ? first.puts[0] : undefined],
      minted: minted ?? (belongs ? first.minted : null),
    }
    const above = other?.previous
    const members = [step, ...found.steps].filter((member) => !belongs || member !== above)
    const options = { failed: found.get('refund') !== undefined, info: deposit, below: belongs ? above : undefined }
    run.group(DEPOSITED, members, depositColumns(deposit), options)
  },
}

const takenBy = (pay: Step): { taken: Taken; steps: Step[] } | undefined => {
  const [transfer] = transfersAfter(pay)
  if (transfer === undefined) return undefined
  const { asset, amount, proxy } = payoutAfter(transfer)
  const { receiverWallet, sender, senderWallet } = transferOf(transfer)
  const taken = { asset, amount, wallet: receiverWallet, dexWallet: sender, dexJettonWallet: senderWallet }
  return { taken, steps: proxy === undefined ? [] : [proxy] }
}

export const stonfiV2Withdrawal: Matcher = {
  at: [PAY_TO_V2],
  around: {
    before: either(
      named('refunded', call(WITHDRAW_REFUNDED, { before: call(REFUND) })),
      named('burnt', call(BURN_NOTIFICATION_EXT, { before: kind(BURNED) })),
    ),
    each: kind(TRANSFERRED),
  },
  build(step, found, run) {
    const refunded = found.get('refunded')
    const burnt = found.get('burnt')
    const others = step.previous!.next.filter((next) => next !== step && !found.steps.includes(next) && next.op === PAY_TO_V2)
    const withPayout = others.filter((pay) => transfersAfter(pay).length > 0)
    const taken = [step, ...withPayout].flatMap((pay) => takenBy(pay) ?? [])
    const burn = burnt?.previous === undefined ? undefined : burnOf(burnt.previous)
    const members = [step, ...withPayout, ...withPayout.flatMap(transfersAfter), ...found.steps, ...taken.flatMap(({ steps }) => steps)]
    run.group(
      'dex_withdraw_liquidity',
      members,
      withdrawalColumns({
        dex: 'stonfi_v2',
        sender: burn?.owner ?? refunded?.previous?.source ?? null,
        senderWallet: burn?.wallet ?? null,
        pool: step.source,
        asset: burn?.jetton ?? null,
        burnt: burn?.amount ?? null,
        isRefund: refunded !== undefined,
        taken: [taken[0]?.taken, taken.at(-1) === taken[0] ? undefined : taken.at(-1)?.taken],
      }),
    )
  },
}
