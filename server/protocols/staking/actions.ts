import { computed, datum, datumOf, type Fields, unlessNull } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { messages } from './messages.ts'

const ACTION = { since: 1, shortcuts: ['staking'] } as const
const STAKE: Fields = { provider: datum, stake_holder: 'source', pool: 'destination' }

export const staking: Protocol = {
  messages,
  actions: {
    stake_deposit: {
      ...ACTION,
      details: {
        ...STAKE,
        amount: 'amount',
        tokens_minted: datum,
        asset: 'asset',
        source_asset: unlessNull('asset2'),
      },
    },
    stake_withdrawal: {
      ...ACTION,
      details: {
        ...STAKE,
        amount: 'amount',
        payout_nft: datumOf('ts_nft'),
        tokens_burnt: datum,
        asset: 'asset',
      },
    },
    stake_withdrawal_request: {
      ...ACTION,
      details: {
        ...STAKE,
        payout_nft: datumOf('ts_nft'),
        asset: 'asset',
        tokens_burnt: computed(({ data, amount }) => (data['provider'] === 'liquid_staking' ? amount : null)),
        tokens_minted: unlessNull(datum),
      },
    },
  },
}
