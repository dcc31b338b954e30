/** The elector: stakes of validators. */
export const messages = `
internal 4e73744b elector_new_stake  query_id u64, validator_pubkey bits256, stake_at u32, max_factor u32, adnl_addr bits256,
  signature ^bits512
internal f374484c elector_new_stake_confirmation  query_id u64
internal 47657424 elector_recover_stake_request  query_id u64
internal f96f7324 elector_recover_stake_response  query_id u64
`
