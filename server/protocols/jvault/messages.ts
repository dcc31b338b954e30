import { bodiesOf } from '../../decode/bodies.ts'

export const messages = `
type JvaultStakeWallet - -  pool address, minter address
type JvaultPool - -  inited u1, id u32, admin address, creator address, lock_wallet address
internal d68a4ac1 jvault_receive_jettons  query_id u64, min_deposit coins, max_deposit coins, unstake_commission u16, unstake_fee coins,
  whitelist dict 267 Bit, received_jettons coins
internal 499a9262 jvault_unstake_jettons  query_id u64, jettons_to_unstake coins, force_unstake bool
internal 0168d4b7 jvault_unstake_request  query_id u64, jettons_to_unstake coins
internal 78d9f109 jvault_claim_rewards_msg  query_id u64, jettons_to_claim dict 267 Bit
internal 44bc1fe3 jvault_send_claimed_rewards  rest any
internal f5c5baa3 jvault_request_update_rewards  rest any
internal ae9307ce jvault_update_rewards  rest any
internal 55c35b40 jvault_request_update_referrer  rest any
internal 076ee4e0 jvault_update_referrer  rest any
internal 383411ea jvault_set_data  rest any
`

export const { opcode, load } = bodiesOf(messages)
