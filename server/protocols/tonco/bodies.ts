import type { MatcherRun } from '../../actions/matcher.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { opcodeOf } from '../../decode/bodies.ts'
import { type Asset, withoutProxy } from '../jettons/assets.ts'
import { load, opcode } from './messages.ts'

/* Bodies of Tonco. https://github.com/cryptoalgebra/Tonco-Ton-Contracts */

export const POOL_SWAP = opcode('internal tonco_pool_swap')
export const PAY_TO = opcode('internal tonco_router_pay_to_normal')
export const FUND_ACCOUNT = opcode('internal tonco_pool_fund_account')

const MAX_POOLS = 16

export const assetOfWallet = (wallet: Address | null, run: MatcherRun): Asset | undefined => {
  const facts = run.jettonWallet(wallet)
  return facts && withoutProxy(facts.jetton)
}

export interface Payment {
  readonly amount: bigint
  readonly wallet: Address | null
  readonly receiver: Address | null
}

export const loadPayToRouter = ({ body }: Step): { exitCode: number; payments: readonly Payment[] } => {
  const { exit_code: exitCode, reciever0, reciever1, coinsinfo_cell: coins } = load('internal tonco_router_pay_to_normal', body)
  if (coins === null) return { exitCode, payments: [] }
  const first = { amount: coins.amount0, wallet: coins.jetton0_address, receiver: reciever0 }
  return { exitCode, payments: [first, { amount: coins.amount1, wallet: coins.jetton1_address, receiver: reciever1 }] }
}

interface OrderTarget {
  readonly wallet: Address | null
  readonly minOut: bigint
}

const loadOrder = (order: Cell) => load('type ToncoSwapOrder', order)

export const targetOf = (order: Cell): OrderTarget | undefined => {
  let target: OrderTarget | undefined
  let cell: Cell | null = order
  for (let i = 0; i < MAX_POOLS && opcodeOf(cell) === POOL_SWAP; i++) {
    const pool: ReturnType<typeof loadOrder> = loadOrder(cell!)
    target = { wallet: pool.wallet, minOut: pool.min_out }
    cell = pool.next
  }
  return target
}
