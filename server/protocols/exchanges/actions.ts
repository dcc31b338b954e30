import { computed, data, datum, datumOf, type Fields } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { messages } from './messages.ts'

const AMOUNTS: Fields = { dex: datum, amount_1: datumOf('amount1'), amount_2: datumOf('amount2') }

/** Types of actions that all exchanges share, and messages of smaller exchanges. */
export const exchanges: Protocol = {
  messages,
  actions: {
    jetton_swap: {
      since: 1,
      details: {
        dex: datum,
        sender: 'source',
        asset_in: 'asset',
        asset_out: 'asset2',
        ...data('dex_incoming_transfer', 'dex_outgoing_transfer', 'peer_swaps'),
        // Only swaps on TONCO show this field.
        min_out_amount: (action, ...rest) => (action.data['dex'] === 'tonco' ? datum(action, ...rest) : undefined),
      },
    },
    dex_deposit_liquidity: {
      since: 1,
      details: {
        ...AMOUNTS,
        asset_1: datumOf('asset1'),
        asset_2: datumOf('asset2'),
        ...data('user_jetton_wallet_1', 'user_jetton_wallet_2'),
        source: 'source',
        pool: 'destination',
        destination_liquidity: computed((action) => (action.data['dex'] === 'dedust' ? action.destinationSecondary : action.destination)),
        ...data('lp_tokens_minted', 'target_asset_1', 'target_asset_2', 'target_amount_1', 'target_amount_2'),
        vault_excesses: computed((action) => action.data['vault_excesses'] ?? []),
        ...data('tick_lower', 'tick_upper', 'nft_index', 'nft_address'),
      },
    },
    dex_withdraw_liquidity: {
      since: 1,
      details: {
        ...AMOUNTS,
        asset_1: datumOf('asset1_out'),
        asset_2: datumOf('asset2_out'),
        ...data('user_jetton_wallet_1', 'user_jetton_wallet_2', 'lp_tokens_burnt', 'is_refund'),
        source: 'source',
        pool: 'destination',
        destination_liquidity: 'destination',
        burnt_nft_index: datumOf('burned_nft_index'),
        burnt_nft_address: datumOf('burned_nft_address'),
        ...data('tick_lower', 'tick_upper'),
      },
    },
  },
}
