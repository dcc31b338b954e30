import type { Protocol } from '../../actions/protocol.ts'
import { joinDeposits } from './join-deposits.ts'
import { dedustDeposit, dedustPartial, dedustWithdrawal } from './liquidity.ts'
import { messages } from './messages.ts'
import { dedustSwap } from './swap.ts'
import { dedustV2Deposit, dedustV2Partial, dedustV2RejectedDeposit } from './v2-deposit.ts'
import { dedustV2FailedSwap, dedustV2Swap } from './v2-swap.ts'
import { dedustV2Fees, dedustV2Reward, dedustV2Withdrawal } from './v2-withdrawal.ts'

export const dedust: Protocol = {
  name: 'DeDust',
  messages,
  join: joinDeposits,
  matchers: {
    'before transfers': [dedustDeposit, dedustPartial],
    'before burns': [dedustWithdrawal],
    swaps: [
      dedustSwap,
      dedustV2Swap,
      dedustV2FailedSwap,
      dedustV2Withdrawal,
      dedustV2Deposit,
      dedustV2RejectedDeposit,
      dedustV2Partial,
      dedustV2Fees,
      dedustV2Reward,
    ],
  },
}
