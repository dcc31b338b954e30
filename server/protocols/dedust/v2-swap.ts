import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, kind, lazily, named, type Pattern, where } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { type PeerSwap, type Side, sideOf, tonSide } from '../exchanges/sides.ts'
import { SWAPPED, swapColumns } from '../exchanges/swap.ts'
import type { Asset } from '../jettons/assets.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { load } from './messages.ts'
import { carriedAsset, excess, loadPayment, loadPayoutV2, PAY_NATIVE, PAYOUT_V2, paymentFor } from './v2.ts'

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

interface Event {
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly step: Step
}

const loadEvent = (step: Step): Event => {
  const { amount_in: amountIn, amount_out: amountOut } = load('type DedustV2SwapEvent', step.body)
  return { amountIn, amountOut, step }
}

/** The least amount that the user accepts, from the last step of the route. */
const minimumOf = (carrier: Step): bigint | undefined => {
  const payload = paymentFor(carrier, SWAP)
  if (payload === undefined) return undefined
  let leg: Leg = load('type DedustV2Swap', payload)
  for (let i = 0; i < MAX_HOPS && leg.next !== null; i++) leg = leg.next
  return leg.min_out
}

const sideIn = (carrier: Step, amount: bigint): Side =>
  isTransfer(carrier)
    ? { ...sideOf(transferOf(carrier)), asset: carriedAsset(carrier), amount }
    : tonSide(amount, carrier.source, carrier.destination)

const succeeded = ({ step }: Event): boolean => !step.aborted && (step.nodes[0]!.tx.exitCode ?? 0) === 0

export const dedustV2Swap: Matcher = {
  at: [PAY_NATIVE, TRANSFERRED],
  around: { all: hop },
  build(step, found, run) {
    if (step.op === PAY_NATIVE ? paymentFor(step, SWAP) === undefined : !carriesOn(step)) return
    const members = [step, ...found.steps]
    const events = members
      .filter(({ op }) => op === SWAP_EVENT)
      .map(loadEvent)
      .sort((a, b) => (a.step.minLt < b.step.minLt ? -1 : 1))
    const out = found.get('out')
    const first = events[0]
    const last = events.at(-1)
    // A transfer that still carries a swap order is not the end of the route.
    if (out === undefined || first === undefined || last === undefined || (isTransfer(out) && paymentFor(out, SWAP) !== undefined)) return
    const assets = [step, ...found.list('hop'), out].map(carriedAsset)
    const peers: PeerSwap[] =
      assets.length === events.length + 1
        ? events.map(({ amountIn, amountOut }, i) => ({
            asset_in: assets[i]!,
            amount_in: amountIn,
            asset_out: assets[i + 1]!,
            amount_out: amountOut,
          }))
        : []
    const incoming = sideIn(step, first.amountIn)
    run.group(
      SWAPPED,
      members,
      swapColumns({
        dex: 'dedust_v2',
        sender: incoming.source,
        incoming,
        outgoing: sideIn(out, last.amountOut),
        peers: events.length > 1 ? peers : [],
        minOut: minimumOf(step),
      }),
      { failed: !events.every(succeeded) },
    )
  },
}

const otherAsset = (pool: Address | null, asset: Asset, run: MatcherRun): Asset =>
  run.facts.get(pool ?? '')?.dedustPool?.find((other) => other !== asset) ?? null

const isRefund = (step: Step, refund: Step): boolean => {
  if (isTransfer(step)) {
    const { jetton, sender } = transferOf(step)
    return isTransfer(refund) && transferOf(refund).jetton === jetton && transferOf(refund).receiver === sender
  }
  return refund.op === PAYOUT_V2 && loadPayoutV2(refund).exit_code !== 0 && refund.destination === step.source
}

export const dedustV2FailedSwap: Matcher = {
  at: [PAY_NATIVE, TRANSFERRED],
  around: { all: [named('refund', either(call(PAYOUT_V2), kind(TRANSFERRED))), excess] },
  build(step, found, run) {
    const minOut = minimumOf(step)
    if (minOut === undefined || hasEvent(step) || !isRefund(step, found.get('refund')!)) return
    const asset = carriedAsset(step)
    const side = sideIn(step, loadPayment(step)!.amount)
    const outgoing = { ...tonSide(0n, side.destination, side.source), asset: otherAsset(side.destination, asset, run) }
    run.group(
      SWAPPED,
      [step, ...found.steps],
      swapColumns({ dex: 'dedust_v2', sender: side.source, incoming: side, outgoing, peers: [], minOut }),
      { failed: true },
    )
  },
}
