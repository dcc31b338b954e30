import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, kind, lazily, named, type Pattern } from '../../actions/pattern.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import {
  type Asset,
  assetOfWallet,
  loadProxyPayment,
  type PeerSwap,
  paidToRouter,
  proxyPaymentAfter,
  routerSide,
  type Side,
  SWAPPED,
  sideOf,
  swapColumns,
} from '../exchanges/swap.ts'
import { NOTIFICATION } from '../jettons/bodies.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { PROXY_PAYMENT } from '../stonfi/messages.ts'
import { lastOrder, loadPayToRouter, PAY_TO, POOL_SWAP } from './bodies.ts'
import { load } from './messages.ts'

/* Swaps of Tonco. Between two pools of a route, the router transfers the assets to itself. */

const nextSwap = named('swap', call(POOL_SWAP, { each: lazily(() => payout) }))
const payout: Pattern = named(
  'payout',
  call(PAY_TO, {
    each: either(
      // A transfer to the router itself, in Gram or in jettons, leads to the next pool. Any other transfer goes to the user.
      named('between', kind(TRANSFERRED, { each: call(PROXY_PAYMENT, { each: call(NOTIFICATION, { each: nextSwap }) }) })),
      named('between', kind(TRANSFERRED, { each: nextSwap })),
      named('out', kind(TRANSFERRED)),
    ),
  }),
)

/** Reads the payment of a pool. Of its two sides, a swap pays only one. */
const hopOf = (pay: Step) => {
  const { exitCode, payments } = loadPayToRouter(pay)
  const [first, second] = payments
  return { exitCode, payment: second !== undefined && second.amount > first!.amount ? second : first }
}

type Hop = ReturnType<typeof hopOf>

const isOk = ({ exitCode }: Hop): boolean => exitCode === 0 || exitCode === 200

/** Returns assets by wallet: for the wallets that the swaps name, and for those of the last transfer. */
const walletsOf = (swaps: readonly Step[], out: Step, run: MatcherRun): Map<Address | null, Asset> => {
  const assets = new Map<Address | null, Asset>()
  for (const swap of swaps) {
    const wallet = load('internal tonco_pool_swap', swap.body).source_wallet
    const asset = assetOfWallet(wallet, run)
    if (asset !== undefined) assets.set(wallet, asset)
  }
  const side = sideOf(transferOf(out))
  for (const wallet of [side.destination_jetton_wallet, side.source_jetton_wallet]) if (wallet !== null) assets.set(wallet, side.asset)
  return assets
}

const peersOf = (hops: readonly Hop[], incoming: Side, assets: ReadonlyMap<Address | null, Asset>): PeerSwap[] => {
  const peers: PeerSwap[] = []
  if (hops.length < 2) return peers
  let from = { asset: incoming.asset, amount: incoming.amount }
  for (const [i, hop] of hops.entries()) {
    if (hop.payment === undefined || (i > 0 && !isOk(hop))) continue
    const asset = assets.get(hop.payment.wallet)
    // If the first payment has no asset, the assets of later payments cannot be derived.
    if (i === 0 && asset === undefined) return []
    const to = { asset: asset ?? null, amount: hop.payment.amount }
    peers.push({ asset_in: from.asset, amount_in: from.amount, asset_out: to.asset, amount_out: to.amount })
    from = to
  }
  return peers
}

export const toncoSwap: Matcher = {
  at: [POOL_SWAP],
  around: {
    each: payout,
    before: paidToRouter,
  },
  build(step, found, run) {
    const out = found.list('out').at(-1)
    const swaps = [step, ...found.list('swap')]
    const hops = found.list('payout').map(hopOf)
    if (out === undefined || swaps.length !== hops.length) return
    const start = found.get('in')!
    const incoming = routerSide(start, step)
    const outgoing = sideOf(transferOf(out))
    const assets = walletsOf(swaps, out, run)
    const failed = !hops.every(isOk)
    // A failed swap returns the asset that it got. Only the order names the requested asset.
    const order = isTransfer(start) ? transferOf(start).payload : loadProxyPayment(start).payload
    const target = failed && order !== undefined ? lastOrder(order) : undefined
    const targetAsset = target && (assets.get(target.wallet) ?? assetOfWallet(target.wallet, run))
    const proxies = [out, ...found.list('between')].flatMap((transfer) => proxyPaymentAfter(transfer) ?? [])
    const columns = swapColumns({
      dex: 'tonco',
      sender: incoming.source,
      incoming,
      outgoing,
      peers: peersOf(hops, incoming, assets),
      sourceAsset: incoming.asset,
      destinationAsset: targetAsset,
      minOut: targetAsset === undefined ? outgoing.amount : target!.min_out,
      failed,
    })
    run.group(SWAPPED, [step, ...found.steps, ...proxies], columns)
  },
}
