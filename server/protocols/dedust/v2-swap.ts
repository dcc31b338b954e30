import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, kind, lazily, named, type Pattern, where } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { type Asset, type PeerSwap, type Side, SWAPPED, sideOf, swapColumns, tonSide } from '../exchanges/swap.ts'
import { isTransfer, paymentOf, TRANSFERRED } from '../jettons/transfer.ts'
import { load } from './messages.ts'
import { excess, loadPayment, loadPayoutV2, PAY_NATIVE, PAYOUT_V2, paymentFor } from './v2.ts'

/* Swaps of DeDust v2 over one or more pools. Each pool reports its swap in a log. */

const SWAP = 0xc442500f
const SWAP_EVENT = 0x78e79ba4
const MAX_HOPS = 16

const hasEvent = (step: Step): boolean => findCall(step.next, SWAP_EVENT) !== undefined
const carriesOn = (step: Step): boolean => isTransfer(step) && hasEvent(step)

const outLeg = named('out', either(kind(TRANSFERRED), call(PAYOUT_V2)))
const hop: readonly Pattern[] = [
  call(SWAP_EVENT, { strict: true }),
  // A transfer to the next pool looks like a transfer to the user. So the pattern of the next pool is tried first.
  lazily(() =>
    either(named('hop', call(PAY_NATIVE, { all: hop, strict: true })), named('hop', where(carriesOn, { all: hop, strict: true })), outLeg),
  ),
  excess,
]

type Leg = Pick<ReturnType<typeof load<'type DedustV2SwapStep'>>, 'min_out' | 'next'>

/** The least amount that the user accepts, from the last step of the route. */
const minimumOf = (carrier: Step): bigint | undefined => {
  const payload = paymentFor(carrier, SWAP)
  if (payload === undefined) return undefined
  let leg: Leg = load('type DedustV2Swap', payload)
  for (let i = 0; i < MAX_HOPS && leg.next !== null; i++) leg = leg.next
  return leg.min_out
}

const sideIn = (carrier: Step, amount: bigint): Side => {
  const payment = paymentOf(carrier)
  return { ...sideOf(payment), asset: payment.jetton, amount }
}

const succeeded = (event: Step): boolean => !event.aborted && (event.nodes[0]!.tx.exitCode ?? 0) === 0

export const dedustV2Swap: Matcher = {
  at: [PAY_NATIVE, TRANSFERRED],
  around: { all: hop },
  build(step, found, run) {
    if (step.op === PAY_NATIVE ? paymentFor(step, SWAP) === undefined : !carriesOn(step)) return
    const members = [step, ...found.steps]
    const events = members.filter(({ op }) => op === SWAP_EVENT).sort((a, b) => (a.minLt < b.minLt ? -1 : 1))
    const swaps = events.map(({ body }) => load('type DedustV2SwapEvent', body))
    const out = found.get('out')
    const first = swaps[0]
    const last = swaps.at(-1)
    // A transfer that still carries a swap order is not the end of the route.
    if (out === undefined || first === undefined || last === undefined || (isTransfer(out) && paymentFor(out, SWAP) !== undefined)) return
    const assets = [step, ...found.list('hop'), out].map((carrier) => paymentOf(carrier).jetton)
    const peers: PeerSwap[] =
      swaps.length > 1 && assets.length === swaps.length + 1
        ? swaps.map(({ amount_in, amount_out }, i) => ({ asset_in: assets[i]!, amount_in, asset_out: assets[i + 1]!, amount_out }))
        : []
    const incoming = sideIn(step, first.amount_in)
    const columns = swapColumns({
      dex: 'dedust_v2',
      sender: incoming.source,
      incoming,
      outgoing: sideIn(out, last.amount_out),
      peers,
      minOut: minimumOf(step),
      failed: !events.every(succeeded),
    })
    run.group(SWAPPED, members, columns)
  },
}

const otherAsset = (pool: Address | null, asset: Asset, run: MatcherRun): Asset =>
  run.facts.get(pool ?? '')?.dedustPool?.find((other) => other !== asset) ?? null

const isRefund = (step: Step, refund: Step): boolean => {
  const { jetton, sender } = paymentOf(step)
  const back = paymentOf(refund)
  return back.jetton === jetton && back.receiver === sender && (isTransfer(refund) || loadPayoutV2(refund).exit_code !== 0)
}

export const dedustV2FailedSwap: Matcher = {
  at: [PAY_NATIVE, TRANSFERRED],
  around: { all: [named('refund', either(call(PAYOUT_V2), kind(TRANSFERRED))), excess] },
  build(step, found, run) {
    const minOut = minimumOf(step)
    if (minOut === undefined || hasEvent(step) || !isRefund(step, found.get('refund')!)) return
    const incoming = sideIn(step, loadPayment(step)!.amount)
    const { source: sender, destination: pool } = incoming
    const outgoing = { ...tonSide(0n, pool, sender), asset: otherAsset(pool, incoming.asset, run) }
    const columns = swapColumns({ dex: 'dedust_v2', sender, incoming, outgoing, peers: [], minOut, failed: true })
    run.group(SWAPPED, [step, ...found.steps], columns)
  },
}
