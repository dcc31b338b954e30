import type { Matcher } from '../../actions/matcher.ts'
import { anything, call, chain, either, kind, named, optional, type Pattern } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import { type PeerSwap, type Side, SWAPPED, sideOf, swapColumns, tonSide } from '../exchanges/swap.ts'
import { isTransfer, paymentOf, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { assetOf, NOTIFICATION, PAYOUT, PAYOUT_INTERNAL } from './bodies.ts'
import { load, opcode } from './messages.ts'

const SWAP = opcode('internal coffee_swap_internal')
const SWAP_EVENT = opcode('external coffee_swap_succeeded')

export const coffeeOut: Pattern = either(kind(TRANSFERRED), call(PAYOUT), call(NOTIFICATION))

const payout = named('payout', call(PAYOUT_INTERNAL, { each: named('out', coffeeOut) }))
const furtherSwaps = chain(call(SWAP, { each: call(SWAP_EVENT) }), payout)

/** Proxy TON needs no special case here, because swap.coffee does not use it. */
const jettonSide = (step: Step): Side => ({ ...sideOf(transferOf(step)), asset: transferOf(step).jetton })

const incomingOf = (start: Step): Side =>
  isTransfer(start) ? jettonSide(start) : tonSide(load('internal coffee_swap', start.body).amount, start.source, start.destination)

const outgoingOf = (out: Step, pay: Step): Side => {
  if (isTransfer(out)) return jettonSide(out)
  if (out.op === NOTIFICATION) return tonSide(out.message.value ?? 0n, out.source, out.destination)
  const { recipient, amount } = load('internal coffee_payout_internal', pay.body)
  return tonSide(amount, pay.source, recipient)
}

export const coffeeSwap: Matcher = {
  at: [SWAP],
  around: {
    before: named('in', either(kind(TRANSFERRED), call(opcode('internal coffee_swap')))),
    all: [call(SWAP_EVENT), either(furtherSwaps, payout)],
  },
  build(step, found, run) {
    const pay = found.get('payout')
    const out = found.get('out')
    if (pay === undefined || out === undefined) return
    const swaps = [...new Set([step, ...found.steps])].filter(({ op }) => op === SWAP).sort((a, b) => (a.minLt < b.minLt ? -1 : 1))
    const events = swaps.flatMap((swap) => findCall(swap.next, SWAP_EVENT) ?? [])
    const swapped = events.map(({ body }) => load('external coffee_swap_succeeded', body))
    const outgoing = outgoingOf(out, pay)
    const incoming = incomingOf(found.get('in')!)
    const peers: PeerSwap[] = swapped.map(({ input, input_amount, output_amount }, i) => ({
      asset_in: assetOf(input),
      amount_in: input_amount,
      asset_out: i + 1 < swapped.length ? assetOf(swapped[i + 1]!.input) : outgoing.asset,
      amount_out: output_amount,
    }))
    const columns = swapColumns({
      dex: 'coffee',
      sender: incoming.source,
      incoming,
      outgoing,
      peers: peers.length > 1 ? peers : [],
      failed: events.length < swaps.length,
    })
    run.group(SWAPPED, [step, ...found.steps], columns)
  },
}

const HOLD_FUNDS = opcode('internal coffee_mev_protect_hold_funds')
const SERVICE_FEE = 0xc0ffeea0
const FAILED_SWAP = opcode('internal coffee_mev_protect_failed_swap')

export const coffeeHoldFunds: Matcher = {
  at: [HOLD_FUNDS, TRANSFERRED],
  // The preceding step may also have paid a service fee.
  around: { before: optional(anything({ each: call(SERVICE_FEE) })) },
  build(step, found, run) {
    const { payloadOp, sender, senderWallet, receiver, jetton, amount } = paymentOf(step)
    if (payloadOp !== HOLD_FUNDS) return
    run.group('coffee_mev_protect_hold_funds', [step, ...found.steps], {
      source: sender,
      sourceSecondary: senderWallet,
      destination: receiver,
      asset: jetton,
      amount: isTransfer(step) ? amount : step.message.value,
    })
  },
}

export const coffeeFailedSwap: Matcher = {
  at: [FAILED_SWAP, TRANSFERRED],
  build(step, _found, run) {
    const { payloadOp, payload, jetton: asset } = paymentOf(step)
    if (payloadOp !== FAILED_SWAP) return
    const { recipient: destination } = load('internal coffee_mev_protect_failed_swap', payload!)
    run.group('coffee_mev_protect_failed_swap', [step], { destination, asset })
  },
}
