import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import type { Cell } from '../../cell/cell.ts'
import { opcodeOf } from '../../decode/bodies.ts'
import { load, opcode } from './messages.ts'

/* Bodies of Tonco. https://github.com/cryptoalgebra/Tonco-Ton-Contracts */

export const POOL_SWAP = opcode('internal tonco_pool_swap')
export const PAY_TO = opcode('internal tonco_router_pay_to_normal')
export const FUND_ACCOUNT = opcode('internal tonco_pool_fund_account')

const MAX_POOLS = 16

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

const loadOrder = (order: Cell) => load('type ToncoSwapOrder', order)

/** Returns the order of the last swap in a chain of orders. */
export const lastOrder = (first: Cell): ReturnType<typeof loadOrder> | undefined => {
  let order: ReturnType<typeof loadOrder> | undefined
  for (let i = 0, cell: Cell | null = first; i < MAX_POOLS && opcodeOf(cell) === POOL_SWAP; i++) {
    order = loadOrder(cell!)
    cell = order.next
  }
  return order
}
