import { data, datumOf } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { loadNotification, NOTIFICATION } from '../jettons/bodies.ts'
import { lastOrder, loadPayToRouter, PAY_TO } from './bodies.ts'
import { toncoDeposit, toncoPool, toncoWithdrawal } from './liquidity.ts'
import { loadIf, messages } from './messages.ts'
import { toncoSwap } from './swap.ts'

/** Returns the wallets that an order names: the second wallet of a deposit, and the last wallet of a swap. */
const walletsOfOrder = (step: Step): (Address | null)[] => {
  const { payload } = loadNotification(step.body)
  return payload === undefined
    ? []
    : [loadIf('forward tonco_pool_fund_account_payload', payload)?.other_jetton_wallet ?? null, lastOrder(payload)?.wallet ?? null]
}

export const tonco: Protocol = {
  messages,
  matchers: { swaps: [toncoSwap], operations: [toncoDeposit, toncoPool, toncoWithdrawal] },
  requiredFacts: {
    accounts: [
      [NOTIFICATION, walletsOfOrder],
      [PAY_TO, (step) => loadPayToRouter(step).payments.map(({ wallet }) => wallet)],
    ],
  },
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
