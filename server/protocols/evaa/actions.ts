import { computed, data, datum } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { evaaAsset } from './assets.ts'
import { evaaLiquidation } from './liquidation.ts'
import { messages } from './messages.ts'
import { evaaSupply, evaaWithdrawal } from './supply-and-withdrawal.ts'

const ACTION = { since: 2, shortcuts: ['evaa'] } as const

export const evaa: Protocol = {
  messages,
  opcodeNames: new Map([[1, 'evaa_supply_master']]),
  matchers: { operations: [evaaSupply, evaaWithdrawal, evaaLiquidation] },
  actions: {
    evaa_supply: {
      ...ACTION,
      details: {
        sender_jetton_wallet: 'sourceSecondary',
        ...data('recipient_jetton_wallet', 'master_jetton_wallet', 'master', 'asset_id', 'is_ton'),
        source: 'source',
        source_wallet: 'sourceSecondary',
        recipient: 'destination',
        recipient_contract: 'destinationSecondary',
        asset: 'asset',
        amount: 'amount',
      },
    },
    evaa_withdraw: {
      ...ACTION,
      details: {
        ...data('recipient_jetton_wallet', 'master_jetton_wallet', 'master', 'fail_reason', 'asset_id'),
        source: 'source',
        recipient: 'destination',
        owner_contract: 'destinationSecondary',
        asset: 'asset',
        amount: 'amount',
      },
    },
    evaa_liquidate: {
      ...ACTION,
      details: {
        fail_reason: datum,
        debt_amount: datum,
        source: 'source',
        borrower: 'destination',
        borrower_contract: 'destinationSecondary',
        collateral: 'asset',
        asset_id: datum,
        asset: computed((action, { isTestnet }) => evaaAsset(action.data['asset_id'], isTestnet).asset),
        is_known_asset: computed((action, { isTestnet }) => evaaAsset(action.data['asset_id'], isTestnet).isListed),
        amount: 'amount',
      },
    },
  },
}
