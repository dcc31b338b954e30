import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, chain, either, kind, optional } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { type Asset, type PeerSwap, type Side, SWAPPED, sideOf, swapColumns, tonSide } from '../exchanges/swap.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { load, loadIf, opcode } from './messages.ts'
import { assetOf } from './pool.ts'

/* Swaps of DeDust. https://docs.dedust.io/reference/tlb-schemes */

export const SWAP = opcode('internal dedust_swap')
export const SWAP_EXTERNAL = opcode('internal dedust_swap_external')
export const SWAP_PEER = opcode('internal dedust_swap_peer')
const SWAP_EVENT = opcode('event dedust_swap')
export const PAYOUT_FROM_POOL = opcode('internal dedust_pay_out_from_pool')
export const PAYOUT = opcode('internal dedust_payout')

const MAX_POOLS = 16

const event = optional(call(SWAP_EVENT))
const payout = call(PAYOUT_FROM_POOL, { each: either(kind(TRANSFERRED), call(PAYOUT)) })
const peers = chain(either(call(SWAP_PEER, { all: [event] }), call(SWAP_EXTERNAL, { all: [event] })), payout)

const loadEvent = ({ body }: Step): PeerSwap => {
  const { asset_in, asset_out, amount_in, amount_out } = load('event dedust_swap', body)
  return { asset_in: assetOf(asset_in), amount_in, asset_out: assetOf(asset_out), amount_out }
}

type SwapStep = ReturnType<typeof load<'type DedustSwapStep'>>

export const loadRoute = (start: Pick<SwapStep, 'pool_addr' | 'params'>): (Address | null)[] => {
  const pools: (Address | null)[] = []
  for (let at: typeof start | null = start; at !== null && pools.length < MAX_POOLS; at = at.params.next) pools.push(at.pool_addr)
  return pools
}

/** Returns the asset at the end of a route that begins with `asset`; undefined if a pool is not recognized. */
const assetAfter = (route: readonly (Address | null)[], asset: Asset, run: MatcherRun): Asset | undefined => {
  let current = asset
  for (const pool of route) {
    const assets = run.facts.get(pool ?? '')?.dedustPool
    if (assets === undefined) return undefined
    const other = assets.find((each) => each !== current)
    if (other !== undefined) current = other
  }
  return current
}

const orderOf = (start: Step): { side: Side; route: (Address | null)[] } | undefined => {
  if (isTransfer(start)) {
    const transfer = transferOf(start)
    const order = loadIf('forward dedust_swap', transfer.payload)
    return order && { side: sideOf(transfer), route: loadRoute(order) }
  }
  const order = load('internal dedust_swap', start.body)
  return { side: tonSide(order.amount, start.source, start.destination), route: loadRoute(order) }
}

export const loadPayoutFromPool = ({ body }: Step): bigint => load('internal dedust_pay_out_from_pool', body).amount

const outgoingOf = (pay: Step, members: ReadonlySet<Step>, sender: Address | null): Side => {
  let side = tonSide(loadPayoutFromPool(pay), null, sender)
  for (const next of pay.next) {
    if (!members.has(next)) continue
    if (isTransfer(next)) side = sideOf(transferOf(next))
    else if (next.op === PAYOUT) side = tonSide(side.amount, next.source, next.destination)
  }
  return side
}

export const dedustSwap: Matcher = {
  at: [SWAP_EXTERNAL],
  around: {
    all: [either(payout, peers), event],
    before: either(kind(TRANSFERRED), call(SWAP)),
  },
  build(step, found, run) {
    const members = [step, ...found.steps]
    const included = new Set(members)
    const order = orderOf(step.previous!)
    const pays = found.steps.filter(({ op }) => op === PAYOUT_FROM_POOL)
    if (order === undefined || pays.length !== 1) return
    const events = members.filter(({ op }) => op === SWAP_EVENT).sort((a, b) => (a.minLt < b.minLt ? -1 : 1))
    const outgoing = outgoingOf(pays[0]!, included, order.side.source)
    const swaps: readonly PeerSwap[] =
      events.length > 0
        ? events.map(loadEvent)
        : [{ asset_in: order.side.asset, amount_in: order.side.amount, asset_out: outgoing.asset, amount_out: outgoing.amount }]
    const requests = members.filter(({ op }) => op === SWAP_EXTERNAL || op === SWAP_PEER)
    const failed = requests.some((request) => {
      const done = findCall(request.next, SWAP_EVENT)
      return done === undefined || !included.has(done)
    })
    const first = swaps[0]!
    const last = swaps.at(-1)!
    // The log of a false pool can name another payout than the one that was made.
    if (!failed && (last.asset_out !== outgoing.asset || last.amount_out !== outgoing.amount)) return
    const columns = swapColumns({
      dex: 'dedust',
      sender: order.side.source,
      incoming: { ...order.side, asset: first.asset_in, amount: first.amount_in },
      outgoing: { ...outgoing, asset: last.asset_out, amount: last.amount_out },
      peers: swaps.length > 1 ? swaps : [],
      sourceAsset: order.side.asset,
      destinationAsset: assetAfter(order.route, order.side.asset, run),
      failed,
    })
    run.group(SWAPPED, members, columns)
  },
}
