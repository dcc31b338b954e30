import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, type Found, kind, lazily, named, type Pattern } from '../../actions/pattern.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { loadProxyPayment, type PeerSwap, proxyPaymentAfter, type Side, sideOf, tonSide } from '../exchanges/sides.ts'
import { SWAPPED, swapColumns } from '../exchanges/swap.ts'
import type { Asset } from '../jettons/assets.ts'
import { NOTIFICATION } from '../jettons/bodies.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { PROXY_PAYMENT } from '../stonfi/messages.ts'
import { assetOfWallet, loadPayToRouter, PAY_TO, type Payment, POOL_SWAP, targetOf } from './bodies.ts'
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

interface Hop {
  readonly exitCode: number
  readonly payment: Payment | undefined
}

/** Reads the payment of a pool. Of its two sides, a swap pays only one. */
const hopOf = (pay: Step): Hop => {
  const { exitCode, payments } = loadPayToRouter(pay)
  const [first, second] = payments
  return { exitCode, payment: second !== undefined && second.amount > first!.amount ? second : first }
}

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

const startOf = (start: Step, swap: Step): { side: Side; order: Cell | undefined } => {
  if (isTransfer(start)) return { side: sideOf(transferOf(start)), order: transferOf(start).payload }
  const { amount, payload } = loadProxyPayment(start)
  return { side: tonSide(amount, start.source, swap.source, start.destination), order: payload }
}

const pairsUp = (step: Step, found: Found): { swaps: Step[]; hops: Hop[] } | undefined => {
  const swaps = [step, ...found.list('swap')]
  const payouts = found.list('payout')
  return swaps.length === payouts.length ? { swaps, hops: payouts.map(hopOf) } : undefined
}

export const toncoSwap: Matcher = {
  at: [POOL_SWAP],
  around: {
    each: payout,
    before: either(named('in', kind(TRANSFERRED)), call(NOTIFICATION, { before: named('in', call(PROXY_PAYMENT)) })),
  },
  build(step, found, run) {
    const pairs = pairsUp(step, found)
    const out = found.list('out').at(-1)
    if (pairs === undefined || out === undefined) return
    const { side: incoming, order } = startOf(found.get('in')!, step)
    const outgoing = sideOf(transferOf(out))
    const assets = walletsOf(pairs.swaps, out, run)
    const failed = !pairs.hops.every(isOk)
    // A failed swap returns the asset that it got. Only the order names the requested asset.
    const target = failed && order !== undefined ? targetOf(order) : undefined
    const targetAsset = target && (assets.get(target.wallet) ?? assetOfWallet(target.wallet, run))
    const proxies = [out, ...found.list('between')].flatMap((transfer) => proxyPaymentAfter(transfer) ?? [])
    run.group(
      SWAPPED,
      [step, ...found.steps, ...proxies],
      swapColumns({
        dex: 'tonco',
        sender: incoming.source,
        incoming,
        outgoing,
        peers: peersOf(pairs.hops, incoming, assets),
        sourceAsset: incoming.asset,
        destinationAsset: targetAsset,
        minOut: targetAsset === undefined ? outgoing.amount : target!.minOut,
      }),
      { failed },
    )
  },
}
