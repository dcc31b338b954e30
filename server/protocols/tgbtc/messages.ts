import { bodiesOf } from '../../decode/bodies.ts'

export const messages = `
external 77a80ef3 tgbtc_mint_event  amount coins, recipient_address address, bitcoin_txid u256
external ca444ce6 tgbtc_burn_event  amount coins, sender_address address, pegout_address address
external 27756729 tgbtc_new_key_event  amount coins, new_internal_pubkey u256, pegout_address address
external 453443a6 tgbtc_dkg_completed_event  timestamp u64, internal_pubkey u256
`

export const { opcode, load } = bodiesOf(messages)
