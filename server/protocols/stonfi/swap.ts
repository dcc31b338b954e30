import type { Matcher, MatcherRun } from '../../actions/matcher.ts'
import { call, type Found, kind } from '../../actions/pattern.ts'
import { findCall, type Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { type Asset, type Side, SWAPPED, swapColumns, transfersAfter } from '../exchanges/swap.ts'
import { TRANSFERRED, transferOf } from '../jettons/transfer.ts'
import { load, loadIf, opcode } from './messages.ts'

/* Ston.fi, version 1. https://docs.ston.fi */

export const STONFI_SWAP = opcode('internal stonfi_swap')
const PAYMENT_REQUEST = opcode('internal stonfi_payment_request')

/** Exit codes of payment requests. */
export const SWAP_OK = opcode('forward stonfi_swap_ok_forward_payload')
const SWAP_OK_REFERRAL = opcode('forward stonfi_swap_ok_ref_forward_payload')
const NO_LIQUIDITY = 0x5ffe1295
const RESERVE_ERROR = 0x38976e9b

const loadRequest = (step: Step) => {
  const { exit_code: exitCode, params } = load('internal stonfi_payment_request', step.body)
  if (params.amount0_out > 0n) return { step, exitCode, amount: params.amount0_out, wallet: params.token0_address }
  return { step, exitCode, amount: params.amount1_out, wallet: params.token1_address }
}

type Request = ReturnType<typeof loadRequest>

/** Returns the largest payment to the user. Referral payments are not part of the swap. */
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
  at: [TRANSFERRED],
  around: { each: call(STONFI_SWAP, { each: call(PAYMENT_REQUEST, { each: kind(TRANSFERRED) }) }) },
  build(step, found, run) {
    const swapStep = findCall(found.steps, STONFI_SWAP)!
    const swap = load('internal stonfi_swap', swapStep.body)
    const sender = swap.addrs.from_user
    const requests = found.steps.filter(({ op }) => op === PAYMENT_REQUEST).map(loadRequest)
    const paid = mainRequest(requests)
    const [payout] = paid === undefined ? [] : transfersAfter(paid.main.step)
    const pool = run.jettonWallet(swap.sender_address)
    if (paid === undefined || payout === undefined || pool === undefined) return
    // The forward payload contains the order, which begins with the opcode of the swap.
    const order = loadIf('forward stonfi_swap_forward_payload', transferOf(step).payload)
    const orderedWallet = order === undefined ? paid.main.wallet : order.token_wallet
    const given = transferOf(step)
    const got = transferOf(payout)
    const incoming: Side = {
      asset: pool.jetton,
      amount: swap.jetton_amount,
      source: sender,
      source_jetton_wallet: given.delivered ? given.senderWallet : null,
      destination: pool.owner,
      destination_jetton_wallet: swap.sender_address,
    }
    const delivered = got.delivered && got.receiverWallet !== null
    const outgoing: Side = {
      asset: jettonOf(paid.main.wallet, run),
      amount: paid.main.amount,
      source: got.sender,
      source_jetton_wallet: got.senderWallet,
      destination: delivered ? got.receiver : (order?.to_address ?? swap.to_address),
      destination_jetton_wallet: delivered ? got.receiverWallet : null,
    }
    const columns = swapColumns({
      dex: 'stonfi',
      sender,
      incoming,
      outgoing,
      peers: [],
      destinationAsset: jettonOf(orderedWallet, run) ?? outgoing.asset,
      destinationWallet: orderedWallet,
      failed: !paid.isOk,
    })
    run.group(SWAPPED, [step, ...withoutReferral(found, requests)], columns)
  },
}
