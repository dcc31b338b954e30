import { data } from '../../actions/details.ts'
import type { Protocol } from '../../actions/protocol.ts'
import { loadJettonTransfer } from '../../tlb/message/token-messages.ts'
import { rawOf } from './bodies.ts'
import { messages } from './messages.ts'
import { jettonBurn, jettonMint } from './mint-burn.ts'
import { jettonTransfer, proxyTransfer, unsentTransfer } from './transfer.ts'

const ACTION = { since: 1, shortcuts: ['jettons'] } as const

export const jettons: Protocol = {
  messages,
  matchers: { transfers: [jettonTransfer, proxyTransfer], burns: [jettonBurn], mints: [jettonMint], unsent: [unsentTransfer] },
  requiredFacts: { requested: (body) => [rawOf(loadJettonTransfer(body)?.destination ?? null)] },
  actions: {
    jetton_transfer: {
      ...ACTION,
      details: {
        asset: 'asset',
        sender: 'source',
        receiver: 'destination',
        sender_jetton_wallet: 'sourceSecondary',
        receiver_jetton_wallet: 'destinationSecondary',
        amount: 'amount',
        ...data(
          'comment',
          'is_encrypted_comment',
          'query_id',
          'response_destination',
          'custom_payload',
          'forward_payload',
          'forward_amount',
        ),
      },
    },
    jetton_burn: { ...ACTION, details: { owner: 'source', owner_jetton_wallet: 'sourceSecondary', asset: 'asset', amount: 'amount' } },
    jetton_mint: {
      ...ACTION,
      details: {
        asset: 'asset',
        receiver: 'destination',
        receiver_jetton_wallet: 'destinationSecondary',
        amount: 'amount',
        ton_amount: 'value',
      },
    },
  },
}
