import { data, datum, datumOf, type Fields } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import type { Step } from '../../actions/step.ts'
import type { Address } from '../../actions/trace.ts'
import { opcodeOf } from '../../decode/bodies.ts'
import { loadNotification, NOTIFICATION } from '../jettons/bodies.ts'
import { joinDeposits } from './join-deposits.ts'
import { dedustDeposit, dedustPartial, dedustWithdrawal } from './liquidity.ts'
import { load, loadIf, messages } from './messages.ts'
import { dedustSwap, loadRoute, SWAP, SWAP_EXTERNAL, SWAP_PEER } from './swap.ts'
import { PAY_JETTON, PAY_NATIVE } from './v2.ts'
import { dedustV2Deposit, dedustV2Partial, dedustV2RejectedDeposit } from './v2-deposit.ts'
import { dedustV2FailedSwap, dedustV2Swap } from './v2-swap.ts'
import { dedustV2Fees, dedustV2Reward, dedustV2Withdrawal } from './v2-withdrawal.ts'

const CLAIM: Fields = { dex: datum, source: 'source', pool: 'destination', position: 'destinationSecondary' }

const receiver = (step: Step): (Address | null)[] => [step.destination]

/** Returns the pools of the swap order in a jetton notification. For a payment to a DeDust v2 pool, returns that pool. */
const poolsOfNotification = ({ body, destination }: Step): (Address | null)[] => {
  const { payload } = loadNotification(body)
  const order = loadIf('forward dedust_swap', payload)
  if (order !== undefined) return loadRoute(order)
  return opcodeOf(payload) === PAY_JETTON ? [destination] : []
}

export const dedust: Protocol = {
  messages,
  join: joinDeposits,
  matchers: {
    'before transfers': [dedustDeposit, dedustPartial],
    'before burns': [dedustWithdrawal],
    swaps: [
      ...[dedustSwap, dedustV2Swap, dedustV2FailedSwap],
      ...[dedustV2Withdrawal, dedustV2Deposit, dedustV2RejectedDeposit, dedustV2Partial],
      ...[dedustV2Fees, dedustV2Reward],
    ],
  },
  requiredFacts: {
    pools: [
      ...[SWAP_EXTERNAL, SWAP_PEER, PAY_NATIVE].map((op) => [op, receiver] as const),
      [SWAP, ({ body }) => loadRoute(load('internal dedust_swap', body))],
      [NOTIFICATION, poolsOfNotification],
    ],
  },
  actions: {
    dedust_v2_claim_fees: {
      since: 5,
      details: {
        ...CLAIM,
        asset_1: datumOf('asset1_out'),
        asset_2: datumOf('asset2_out'),
        amount_1: datumOf('amount1'),
        amount_2: datumOf('amount2'),
        ...data('user_jetton_wallet_1', 'user_jetton_wallet_2', 'dex_jetton_wallet_1', 'dex_jetton_wallet_2'),
      },
    },
    dedust_v2_claim_reward: {
      since: 5,
      details: {
        ...CLAIM,
        asset: datumOf('asset1_out'),
        amount: datumOf('amount1'),
        user_jetton_wallet: datumOf('user_jetton_wallet_1'),
        dex_jetton_wallet: datumOf('dex_jetton_wallet_1'),
      },
    },
  },
}
