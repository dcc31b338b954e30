import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, type Found, kind } from '../../actions/pattern.ts'
import { loadAddress, skipAddress, skipCoins } from '../../actions/read.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { type Side, transfersAfter } from '../exchanges/sides.ts'
import { SWAPPED, swapColumns } from '../exchanges/swap.ts'
import type { Asset } from '../jettons/assets.ts'
import { TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { opcode } from './messages.ts'

/* Ston.fi, version 1. https://docs.ston.fi */

export const STONFI_SWAP = opcode('internal stonfi_swap')
const PAYMENT_REQUEST = opcode('internal stonfi_payment_request')

/** Exit codes of payment requests. */
export const SWAP_OK = opcode('forward stonfi_swap_ok_forward_payload')
const SWAP_OK_REFERRAL = opcode('forward stonfi_swap_ok_ref_forward_payload')
const NO_LIQUIDITY = 0x5ffe1295
const RESERVE_ERROR = 0x38976e9b

/**
 * stonfi_swap query_id:uint64 to_address:MsgAddress token_wallet:MsgAddress jetton_amount:Coins min_out:Coins
 *   has_ref_address:Bool ^[ from_real_user:MsgAddress ref_address:MsgAddress ] = InternalMsgBody;
 */
const loadSwap = (step: Step) => {
  const s = step.rest().skip(64)
  const user = loadAddress(s)
  const wallet = loadAddress(s)
  const amount = s.loadCoins()
  return { user, wallet, amount, sender: loadAddress(s.loadRef().slice()) }
}

/** The order: token_wallet:MsgAddress min_out:Coins to_address:MsgAddress, after the same opcode in the forward payload. */
const loadOrder = (step: Step): { wallet: Address | null; user: Address | null } | undefined => {
  const { payload, payloadOp } = transferOf(step)
  if (payload === undefined || payloadOp !== STONFI_SWAP) return undefined
  const s = payload.slice().skip(32)
  const wallet = loadAddress(s)
  skipCoins(s)
  return { wallet, user: loadAddress(s) }
}

interface Request {
  readonly step: Step
  readonly exitCode: number
  readonly amount: bigint
  readonly wallet: Address | null
}

/**
 * stonfi_payment_request query_id:uint64 owner:MsgAddress exit_code:uint32
 *   ^[ amount0_out:Coins token0_address:MsgAddress amount1_out:Coins token1_address:MsgAddress ] = InternalMsgBody;
 */
const loadRequest = (step: Step): Request => {
  const s = step.rest().skip(64)
  skipAddress(s)
  const exitCode = s.loadUint(32)
  const params = s.loadRef().slice()
  const amount0 = params.loadCoins()
  const wallet0 = loadAddress(params)
  if (amount0 > 0n) return { step, exitCode, amount: amount0, wallet: wallet0 }
  const amount1 = params.loadCoins()
  return { step, exitCode, amount: amount1, wallet: loadAddress(params) }
}

/** The payment to the user: the largest, if there are several. Referral payments are not part of the swap. */
const mainRequest = (requests: readonly Request[]) => {
  let main: Request | undefined
  let isOk = false
  for (const request of requests) {
    if (![SWAP_OK, NO_LIQUIDITY, RESERVE_ERROR].includes(request.exitCode)) continue
    isOk = request.exitCode === SWAP_OK
    if (main === undefined || main.amount < request.amount) main = request
  }
  return main && { main, isOk }
}

const jettonOf = (wallet: Address | null, run: MatcherRun): Asset => run.jettonWallet(wallet)?.jetton ?? null

const withoutReferral = (found: Found, requests: readonly Request[]): Step[] => {
  const left = new Set<Step>()
  for (const { step, exitCode } of requests) if (exitCode === SWAP_OK_REFERRAL) for (const below of step.walk()) left.add(below)
  return found.steps.filter((step) => !left.has(step))
}

export const stonfiSwap: Matcher = {
  name: 'Ston.fi swap',
  at: [TRANSFERRED],
  around: { each: call(STONFI_SWAP, { each: call(PAYMENT_REQUEST, { each: kind(TRANSFERRED) }) }) },
  build(step, found, run) {
    const swapStep = findCall(found.steps, STONFI_SWAP)!
    const swap = loadSwap(swapStep)
    const requests = found.steps.filter(({ op }) => op === PAYMENT_REQUEST).map(loadRequest)
    const paid = mainRequest(requests)
    const [payout] = paid === undefined ? [] : transfersAfter(paid.main.step)
    const pool = run.jettonWallet(swap.wallet)
    if (paid === undefined || payout === undefined || pool === undefined) return
    const order = loadOrder(step)
    const wanted = order === undefined ? paid.main.wallet : order.wallet
    const given = transferOf(step)
    const got = transferOf(payout)
    const incoming: Side = {
      asset: pool.jetton,
      amount: swap.amount,
      source: swap.sender,
      source_jetton_wallet: given.delivered ? given.senderWallet : null,
      destination: pool.owner,
      destination_jetton_wallet: swap.wallet,
    }
    const delivered = got.delivered && got.receiverWallet !== null
    const outgoing: Side = {
      asset: jettonOf(paid.main.wallet, run),
      amount: paid.main.amount,
      source: got.sender,
      source_jetton_wallet: got.senderWallet,
      destination: delivered ? got.receiver : (order?.user ?? swap.user),
      destination_jetton_wallet: delivered ? got.receiverWallet : null,
    }
    run.group(
      SWAPPED,
      [step, ...withoutReferral(found, requests)],
      swapColumns({
        dex: 'stonfi',
        sender: swap.sender,
        incoming,
        outgoing,
        peers: [],
        destinationAsset: jettonOf(wanted, run) ?? outgoing.asset,
        destinationWallet: wanted,
      }),
      { failed: !paid.isOk },
    )
  },
}
