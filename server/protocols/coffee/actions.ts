import { data, datum, type Fields } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { coffeeDeposit, coffeeWithdrawal } from './liquidity.ts'
import { messages } from './messages.ts'
import { coffeePool, coffeePoolCreator, coffeeVault } from './pools.ts'
import { coffeeRewards, coffeeStake, coffeeUnstake } from './staking.ts'
import { coffeeFailedSwap, coffeeHoldFunds, coffeeSwap } from './swap.ts'

const SOURCE: Fields = { source: 'source', source_jetton_wallet: 'sourceSecondary' }
const STAKE: Fields = {
  ...SOURCE,
  pool: 'destination',
  pool_jetton_wallet: 'destinationSecondary',
  asset: 'asset',
  amount: 'amount',
}

const ACTION = { since: 2, shortcuts: ['coffee'] } as const

export const coffee: Protocol = {
  messages,
  matchers: {
    operations: [
      ...[coffeeDeposit, coffeeSwap, coffeeWithdrawal, coffeeVault, coffeePoolCreator, coffeePool],
      ...[coffeeHoldFunds, coffeeFailedSwap, coffeeStake, coffeeUnstake, coffeeRewards],
    ],
  },
  actions: {
    coffee_create_vault: { ...ACTION, details: { source: 'source', vault: 'destination', asset: 'asset', value: 'value' } },
    coffee_create_pool_creator: {
      ...ACTION,
      details: {
        ...SOURCE,
        deposit_recipient: 'destination',
        pool_creator_contract: 'destinationSecondary',
        provided_asset: 'asset',
        asset_1: 'asset2',
        asset_2: 'asset2Secondary',
        amount: 'amount',
      },
    },
    coffee_create_pool: {
      ...ACTION,
      details: {
        ...SOURCE,
        initiator_1: datum,
        initiator_2: datum,
        pool: 'destination',
        pool_creator_contract: 'destinationSecondary',
        provided_asset: datum,
        amount: 'amount',
        asset_1: 'asset',
        asset_2: 'asset2',
        ...data('amount_1', 'amount_2', 'lp_tokens_minted'),
      },
    },
    coffee_mev_protect_hold_funds: {
      ...ACTION,
      details: {
        ...SOURCE,
        mev_contract: 'destination',
        mev_contract_jetton_wallet: 'destinationSecondary',
        asset: 'asset',
        amount: 'amount',
      },
    },
    coffee_mev_protect_failed_swap: { since: 2 },
    coffee_staking_claim_rewards: {
      ...ACTION,
      details: {
        pool: 'source',
        pool_jetton_wallet: 'sourceSecondary',
        recipient: 'destination',
        recipient_jetton_wallet: 'destinationSecondary',
        asset: 'asset',
        amount: 'amount',
      },
    },
    coffee_staking_deposit: { ...ACTION, details: { ...STAKE, minted_item_address: datum, minted_item_index: datum } },
    coffee_staking_withdraw: { ...ACTION, details: { ...STAKE, ...data('nft_address', 'nft_index', 'points') } },
  },
}
