import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, either, kind, lazily, named, optional, type Pattern, where } from '../../actions/pattern.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { opcodeOf } from '../../decode/bodies.ts'
import { loadRawAddress } from '../../tlb/raw-address.ts'
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
  tonSide,
} from '../exchanges/swap.ts'
import { loadNotification, NOTIFICATION } from '../jettons/bodies.ts'
import { isTransfer, TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { load, loadIf, opcode, PROXY_PAYMENT } from './messages.ts'
import { SWAP_OK } from './swap.ts'

/* Swaps of Ston.fi v2: over one pool, several pools of a router, or pools of several routers. https://docs.ston.fi */

export const SWAP_V2 = opcode('internal stonfi_swap_v2')
export const PAY_TO_V2 = opcode('internal stonfi_pay_to_v2')
const CROSS_PROVIDE = 0x69cf1a5b

const MAX_POOLS = 16

/** Returns the wallets of all pools on the route of a swap: the swap's own wallet first, then those in its custom payload. */
export const walletsOfRoute = (body: Cell): (Address | null)[] => {
  const swap = load('internal stonfi_swap_v2', body)
  const wallets = [swap.token_wallet1]
  for (let cell = swap.custom_payload ?? undefined; cell !== undefined && wallets.length < MAX_POOLS; ) {
    const s = cell.slice()
    const op = s.loadUint(32)
    if (op !== SWAP_V2 && op !== CROSS_PROVIDE) break
    wallets.push(loadRawAddress(s))
    if (s.remainingRefs === 0) break
    const body = s.loadRef().slice()
    for (let i = 0; i < 2; i++) body.skip(8 * body.loadUint(4))
    cell = body.remainingRefs > 0 ? body.loadMaybeRef() : undefined
  }
  return wallets
}

/** Reads the payment of a pool after a swap. Of the two amounts in the message, the smaller one is zero. */
export const loadPayTo = (step: Step) => {
  const pay = load('internal stonfi_pay_to_v2', step.body)
  const exitCode = pay.exit_code
  return pay.amount1_out > pay.amount0_out
    ? { exitCode, amount: pay.amount1_out, wallet: pay.token1_address }
    : { exitCode, amount: pay.amount0_out, wallet: pay.token0_address }
}

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

type Payout = ReturnType<typeof loadPayTo>

/** Returns the swap of each pool; undefined if a wallet is not recognized. */
const peersOf = (payouts: readonly Payout[], incoming: Side, run: MatcherRun): PeerSwap[] | undefined => {
  const peers: PeerSwap[] = []
  let { asset, amount } = incoming
  for (const [i, pay] of payouts.entries()) {
    if (pay.exitCode !== SWAP_OK && i > 0) continue
    const out = assetOfWallet(pay.wallet, run)
    if (out === undefined) return undefined
    peers.push({ asset_in: asset, amount_in: amount, asset_out: out, amount_out: pay.amount })
    if (pay.exitCode !== SWAP_OK) break
    asset = out
    amount = pay.amount
  }
  return peers
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
  const ofRoute = assetOfWallet(last, run)
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
    before: paidToRouter,
  },
  build(step, found, run) {
    const out = found.list('out').at(-1)
    const swaps = [step, ...found.list('swap')]
    if (out === undefined || swaps.length > MAX_POOLS) return
    const payouts = found.list('payout').map(loadPayTo)
    if (swaps.length !== payouts.length) return
    const wallets = swaps.map(({ body }) => load('internal stonfi_swap_v2', body).token_wallet1)
    if (wallets.some((wallet) => assetOfWallet(wallet, run) === undefined)) step.broken = true
    const incoming = routerSide(found.get('in')!, step)
    const peers = swaps.length > 1 ? peersOf(payouts, incoming, run) : []
    const outgoing = outgoingOf(out)
    if (peers === undefined || outgoing === undefined) return
    const failed = payouts.some(({ exitCode }) => exitCode !== SWAP_OK)
    const columns = swapColumns({
      dex: 'stonfi_v2',
      sender: incoming.source,
      incoming,
      outgoing: outgoing.side,
      peers: peers.length > 1 ? peers : [],
      sourceAsset: incoming.asset,
      destinationAsset: failed ? orderedAsset(step, run) : undefined,
      failed,
    })
    const { proxy } = outgoing
    run.group(SWAPPED, [step, ...found.steps, ...(proxy === undefined ? [] : [proxy])], columns)
  },
}
