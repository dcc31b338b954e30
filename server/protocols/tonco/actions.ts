import type { Protocol } from '../../actions/protocol.ts'
import { toncoDeposit, toncoWithdrawal } from './liquidity.ts'
import { messages } from './messages.ts'
import { toncoPool } from './pool.ts'
import { toncoSwap } from './swap.ts'

export const tonco: Protocol = {
  name: 'TONCO',
  messages,
  matchers: {
    swaps: [toncoSwap],
    operations: [toncoDeposit, toncoPool, toncoWithdrawal],
  },
}
