import type { Protocol } from '../../actions/protocol.ts'
import { evaaLiquidation } from './liquidation.ts'
import { messages } from './messages.ts'
import { evaaSupply, evaaWithdrawal } from './supply-and-withdrawal.ts'

export const evaa: Protocol = {
  name: 'EVAA',
  messages,
  opcodeNames: new Map([[1, 'evaa_supply_master']]),
  matchers: {
    operations: [evaaSupply, evaaWithdrawal, evaaLiquidation],
  },
}
