import type { Matcher } from '../../actions/matcher.ts'
import { call, chain, either, kind, named, type Pattern } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import { type PeerSwap, type Side, sideOf, tonSide } from '../exchanges/sides.ts'
import { SWAPPED, swapColumns } from '../exchanges/swap.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import {
  loadPayoutInternal,
  loadSwapEvent,
  NOTIFICATION,
  PAYOUT,
  PAYOUT_INTERNAL,
  SWAP_EVENT,
  SWAP_INTERNAL,
  SWAP_NATIVE,
} from './bodies.ts'

/** The payout to the user: jettons, or Gram with or without a notification. */
export const coffeeOut: Pattern = either(kind(TRANSFERRED), call(PAYOUT), call(NOTIFICATION))

const payout = named('payout', call(PAYOUT_INTERNAL, { each: named('out', coffeeOut) }))
const furtherSwaps = chain(call(SWAP_INTERNAL, { each: call(SWAP_EVENT) }), payout)

/** The jetton side as it is: swap.coffee uses no proxy TON. */
const jettonSide = (step: Step): Side => ({ ...sideOf(transferOf(step)), asset: transferOf(step).jetton })

/** swap_native query_id:uint64 amount:Coins ... = SwapNative; */
const incomingOf = (start: Step): Side =>
  isTransfer(start) ? jettonSide(start) : tonSide(start.rest().skip(64).loadCoins(), start.source, start.destination)

const outgoingOf = (out: Step, pay: Step): Side => {
  if (isTransfer(out)) return jettonSide(out)
  if (out.op === NOTIFICATION) return tonSide(out.message.value ?? 0n, out.source, out.destination)
  const { recipient, amount } = loadPayoutInternal(pay)
  return tonSide(amount, pay.source, recipient)
}

export const coffeeSwap: Matcher = {
  name: 'swap.coffee swap',
  at: [SWAP_INTERNAL],
  around: {
    before: named('in', either(kind(TRANSFERRED), call(SWAP_NATIVE))),
    all: [call(SWAP_EVENT), either(furtherSwaps, payout)],
  },
  build(step, found, run) {
    const pay = found.get('payout')
    const out = found.get('out')
    if (pay === undefined || out === undefined) return
    const swaps = [...new Set([step, ...found.steps])].filter(({ op }) => op === SWAP_INTERNAL).sort((a, b) => (a.minLt < b.minLt ? -1 : 1))
    const events = swaps.flatMap((swap) => findCall(swap.next, SWAP_EVENT) ?? [])
    const told = events.map(loadSwapEvent)
    const outgoing = outgoingOf(out, pay)
    const incoming = incomingOf(found.get('in')!)
    const peers: PeerSwap[] = told.map(({ asset, amountIn, amountOut }, i) => ({
      asset_in: asset,
      amount_in: amountIn,
      asset_out: i + 1 < told.length ? told[i + 1]!.asset : outgoing.asset,
      amount_out: amountOut,
    }))
    run.group(
      SWAPPED,
      [step, ...found.steps],
      swapColumns({ dex: 'coffee', sender: incoming.source, incoming, outgoing, peers: peers.length > 1 ? peers : [] }),
      { failed: events.length < swaps.length },
    )
  },
}
