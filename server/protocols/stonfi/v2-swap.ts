import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, type Found, kind, lazily, named, optional, type Pattern, where } from '../../actions/pattern.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { opcodeOf } from '../../decode/bodies.ts'
import { loadProxyPayment, type PeerSwap, proxyPaymentAfter, type Side, sideOf, tonSide } from '../exchanges/sides.ts'
import { SWAPPED, swapColumns } from '../exchanges/swap.ts'
import { type Asset, withoutProxy } from '../jettons/assets.ts'
import { loadNotification, NOTIFICATION } from '../jettons/bodies.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { load, loadIf, PROXY_PAYMENT } from './messages.ts'
import { SWAP_OK } from './swap.ts'
import { loadPayTo, PAY_TO_V2, type PayTo, SWAP_V2, walletsOfRoute } from './v2-bodies.ts'

/* Swaps of Ston.fi v2: over one pool, several pools of a router, or pools of several routers. */

/** Returns whether the step is a proxy payment to the next pool with the order of the next swap. */
const isNextOrder = (step: Step): boolean => {
  const before = step.previous
  if (step.op !== PROXY_PAYMENT || before?.kind !== TRANSFERRED || transferOf(before).receiver !== step.destination) return false
  const { payload } = loadProxyPayment(step)
  return opcodeOf(payload) === SWAP_V2
}

const nextSwap: Pattern = optional(named('swap', call(SWAP_V2, { each: lazily(() => payout) })))
const payout: Pattern = named(
  'payout',
  call(PAY_TO_V2, {
    each: either(
      named(
        'out',
        where((step) => isTransfer(step) && !transferOf(step).delivered, {
          each: optional(where(isNextOrder, { each: call(NOTIFICATION, { each: nextSwap }) })),
        }),
      ),
      named('out', kind(TRANSFERRED, { each: nextSwap })),
      nextSwap,
    ),
  }),
)

const assetOf = (wallet: Address | null, run: MatcherRun): Asset | undefined => {
  const facts = run.jettonWallet(wallet)
  return facts && withoutProxy(facts.jetton)
}

interface Hop {
  readonly swap: Step
  readonly pay: PayTo
}

/** Returns each swap with its payout, in order; undefined if there are not as many payouts as swaps. */
const hopsOf = (step: Step, found: Found): Hop[] | undefined => {
  const swaps = [step, ...found.list('swap')]
  const payouts = found.list('payout')
  if (swaps.length !== payouts.length) return undefined
  return swaps.map((swap, i) => ({ swap, pay: loadPayTo(payouts[i]!) }))
}

/** Returns the swap of each pool; undefined if a wallet is not recognized. */
const peersOf = (hops: readonly Hop[], incoming: Side, run: MatcherRun): PeerSwap[] | undefined => {
  const peers: PeerSwap[] = []
  let asset: Asset = incoming.asset
  let amount = incoming.amount
  for (const [i, { pay }] of hops.entries()) {
    if (pay.exitCode !== SWAP_OK && i > 0) continue
    const out = assetOf(pay.wallet, run)
    if (out === undefined) return undefined
    peers.push({ asset_in: asset, amount_in: amount, asset_out: out, amount_out: pay.amount })
    if (pay.exitCode !== SWAP_OK) break
    asset = out
    amount = pay.amount
  }
  return peers
}

const incomingOf = (start: Step, swap: Step): Side => {
  if (isTransfer(start)) return sideOf(transferOf(start))
  return tonSide(loadProxyPayment(start).amount, start.source, swap.source, start.destination)
}

const outgoingOf = (out: Step): { readonly side: Side; readonly proxy: Step | undefined } | undefined => {
  const transfer = transferOf(out)
  const proxy = proxyPaymentAfter(out)
  if (proxy === undefined) return transfer.delivered ? { side: sideOf(transfer), proxy } : undefined
  const side = tonSide(loadProxyPayment(proxy).amount, transfer.sender, proxy.destination)
  return { side: { ...side, source_jetton_wallet: transfer.senderWallet }, proxy }
}

/** Returns the asset that the user ordered: that of the last wallet on the route, or else of the wallet in the notification with the order. */
const orderedAsset = (step: Step, run: MatcherRun): Asset | undefined => {
  const last = walletsOfRoute(step.body).at(-1) ?? null
  const ofRoute = assetOf(last, run)
  if (ofRoute !== undefined) return ofRoute
  const notification = step.previous?.nodes.find(({ message }) => message?.opcode === NOTIFICATION)?.message
  if (notification === undefined) return undefined
  const order = loadIf('forward stonfi_swap_v2_forward_payload', loadNotification(notification.body).payload)
  return run.jettonWallet(order?.token_wallet1 ?? null)?.jetton
}

export const stonfiV2Swap: Matcher = {
  at: [SWAP_V2],
  around: {
    each: payout,
    before: either(named('in', kind(TRANSFERRED)), call(NOTIFICATION, { before: named('in', call(PROXY_PAYMENT)) })),
  },
  build(step, found, run) {
    const start = found.get('in')!
    const out = found.list('out').at(-1)
    const hops = hopsOf(step, found)
    if (out === undefined || hops === undefined) return
    if (hops.some(({ swap }) => assetOf(load('internal stonfi_swap_v2', swap.body).token_wallet1, run) === undefined)) step.broken = true
    const incoming = incomingOf(start, step)
    const peers = hops.length > 1 ? peersOf(hops, incoming, run) : []
    const outgoing = outgoingOf(out)
    if (peers === undefined || outgoing === undefined) return
    const failed = hops.some(({ pay }) => pay.exitCode !== SWAP_OK)
    const columns = swapColumns({
      dex: 'stonfi_v2',
      sender: incoming.source,
      incoming,
      outgoing: outgoing.side,
      peers: peers.length > 1 ? peers : [],
      sourceAsset: incoming.asset,
      destinationAsset: failed ? orderedAsset(step, run) : undefined,
    })
    const { proxy } = outgoing
    run.group(SWAPPED, [step, ...found.steps, ...(proxy === undefined ? [] : [proxy])], columns, { failed })
  },
}
