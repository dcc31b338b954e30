import type { MatcherRun } from '../../actions/matcher.ts'
import { loadAddress, skipAddress } from '../../actions/read.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'
import { type Asset, withoutProxy } from '../jettons/assets.ts'
import { opcode } from './messages.ts'

/* Bodies of Tonco. https://github.com/cryptoalgebra/Tonco-Ton-Contracts */

export const POOL_SWAP = opcode('internal tonco_pool_swap')
export const PAY_TO = opcode('internal tonco_router_pay_to_normal')
export const FUND_ACCOUNT = opcode('internal tonco_pool_fund_account')

/** Largest number of pools that an order can name. */
const MOST_POOLS = 16

/** The asset that a router wallet holds; undefined if it is not known. */
export const assetOfWallet = (wallet: Address | null, run: MatcherRun): Asset | undefined => {
  const facts = run.jettonWallet(wallet)
  return facts && withoutProxy(facts.jetton)
}

/** One side of a payment by the router. */
export interface Payment {
  readonly amount: bigint
  readonly wallet: Address | null
  readonly receiver: Address | null
}

/**
 * tonco_router_pay_to query_id:uint64 receiver0:MsgAddress receiver1:MsgAddress exit_code:uint32 seqno:uint64
 *   coinsinfo:(Maybe ^[ amount0:Coins jetton0_address:MsgAddress amount1:Coins jetton1_address:MsgAddress ]) ... = InternalMsgBody;
 */
export const loadPayToRouter = (step: Step): { exitCode: number; payments: readonly Payment[] } => {
  const s = step.rest().skip(64)
  const receivers = [loadAddress(s), loadAddress(s)]
  const exitCode = s.loadUint(32)
  const coins = s.skip(64).loadMaybeRef()?.slice()
  if (coins === undefined) return { exitCode, payments: [] }
  const payments = receivers.map((receiver) => {
    const amount = coins.loadCoins()
    return { amount, wallet: loadAddress(coins), receiver }
  })
  return { exitCode, payments }
}

/** tonco_pool_swap query_id:uint64 owner_address:MsgAddress source_wallet:MsgAddress ... = InternalMsgBody; */
export const loadPoolSwap = (step: Step): Address | null => {
  const s = step.rest().skip(64)
  skipAddress(s)
  return loadAddress(s)
}

interface Wanted {
  readonly wallet: Address | null
  readonly minOut: bigint
}

/**
 * The target of an order: the last pool that it names.
 * swap target_router_wallet:MsgAddress price_limit:uint160 min_out:Coins recipient:MsgAddress next:(Maybe ^Cell) = ForwardPayload;
 */
export const wantedBy = (order: Cell): Wanted | undefined => {
  let wanted: Wanted | undefined
  let cell: Cell | undefined = order
  for (let i = 0; i < MOST_POOLS && cell !== undefined && cell.bits >= 32; i++) {
    const s: Slice = cell.slice()
    if (s.loadUint(32) !== POOL_SWAP) break
    const wallet = loadAddress(s)
    const minOut = s.skip(160).loadCoins()
    wanted = { wallet, minOut }
    skipAddress(s)
    cell = s.loadMaybeRef()
  }
  return wanted
}
