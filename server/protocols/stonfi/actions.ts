import type { Protocol } from '../../actions/protocol.ts'
import { messages } from './messages.ts'
import { stonfiSwap } from './swap.ts'
import { stonfiV2Deposit, stonfiV2Withdrawal } from './v2-liquidity.ts'
import { stonfiV2Swap } from './v2-swap.ts'

export const stonfi: Protocol = {
  name: 'STON.fi',
  messages,
  matchers: { swaps: [stonfiSwap, stonfiV2Swap], operations: [stonfiV2Deposit, stonfiV2Withdrawal] },
}
