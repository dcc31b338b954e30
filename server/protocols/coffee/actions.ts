import type { Protocol } from '../../actions/protocol.ts'
import { coffeeDeposit, coffeeWithdrawal } from './liquidity.ts'
import { messages } from './messages.ts'
import { coffeeFailedSwap, coffeeHoldFunds } from './mev.ts'
import { coffeePool, coffeePoolCreator, coffeeVault } from './pools.ts'
import { coffeeRewards, coffeeStake, coffeeUnstake } from './staking.ts'
import { coffeeSwap } from './swap.ts'

export const coffee: Protocol = {
  name: 'swap.coffee',
  messages,
  matchers: {
    operations: [
      coffeeDeposit,
      coffeeSwap,
      coffeeWithdrawal,
      coffeeVault,
      coffeePoolCreator,
      coffeePool,
      coffeeHoldFunds,
      coffeeFailedSwap,
      coffeeStake,
      coffeeUnstake,
      coffeeRewards,
    ],
  },
}
