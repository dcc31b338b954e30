import { data, datumOf } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { toncoDeposit, toncoWithdrawal } from './liquidity.ts'
import { messages } from './messages.ts'
import { toncoPool } from './pool.ts'
import { toncoSwap } from './swap.ts'

export const tonco: Protocol = {
  name: 'TONCO',
  messages,
  matchers: { swaps: [toncoSwap], operations: [toncoDeposit, toncoPool, toncoWithdrawal] },
  actions: {
    tonco_deploy_pool: {
      since: 2,
      details: {
        source: 'source',
        pool: 'destinationSecondary',
        router: 'destination',
        router_jetton_wallet_1: datumOf('jetton0_router_wallet'),
        router_jetton_wallet_2: datumOf('jetton1_router_wallet'),
        jetton_minter_1: datumOf('jetton0_minter'),
        jetton_minter_2: datumOf('jetton1_minter'),
        ...data('tick_spacing', 'initial_price_x96', 'protocol_fee', 'lp_fee_base', 'lp_fee_current', 'pool_active'),
      },
    },
  },
}
